import Eventually
import Foundation
import Groundwork
import RunningMailServer
import Testing

/// `inbox mail watch` as a process, at whose terminal of 80 columns a person types.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MailWatchKeyTests {
    private func letter(_ subject: String, from: String, at date: Int) -> IMAPClient.Mail {
        let text = """
            From: \(from)
            To: Alice <alice@example.com>, Bob <bob@example.org>
            Subject: \(subject)
            Message-ID: <\(subject.lowercased())@example.com>
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8

            The text of \(subject).

            """
        return IMAPClient.Mail(Array(text.replacing("\n", with: "\r\n").utf8), date: date)
    }

    /// Starts `inbox mail watch` at a terminal that shows what it draws.
    private func watch(
        _ world: World,
        _ environment: [String: String] = [:]
    ) throws -> (process: RunningProcess, terminal: TypedTerminal) {
        let terminal = try TypedTerminal(size: (80, 24))
        terminal.show()
        let process = try world.start(
            ["mail", "watch", "--directory", "phone"],
            output: terminal.input,
            terminal: terminal,
            environment: environment.merging(["TERM": "xterm"]) { $1 }
        )
        return (process, terminal)
    }

    @Test func `a person reads, archives, stars, undoes and replies by keys, and quits`() async throws {
        let receiver = try await MailReceiver()
        do {
            try await World.with { world in
                try await MailServer.run(options: receiver.options) { server in
                    try await server.imap().append([
                        letter("Plans", from: "Anna Berger <anna@example.com>", at: 1_700_000_000),
                        letter("Lunch", from: "Carl <carl@example.com>", at: 1_700_000_100),
                        letter("Bill", from: "Dora <dora@example.com>", at: 1_700_000_200),
                    ])
                    try await world.logIn(to: server, "--from", "Alice <alice@example.com>")
                    try await session(world, server, receiver)
                }
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private func session(_ world: World, _ server: MailServer, _ receiver: MailReceiver) async throws {
        let editor = world.folder.appendingPathComponent("editor")
        // The editor reads its keys itself: they must not be the watcher's.
        let script = """
            #!/bin/sh
            set -eu
            read -r line
            { sed '/^$/q' "$1"; printf '%s\\n' "$line"; } > "$1.new"
            mv "$1.new" "$1"
            """
        try Data(script.utf8).write(to: editor)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor.path)
        let (process, terminal) = try watch(world, ["LANG": "en_US.UTF-8", "EDITOR": "'\(editor.path)'"])
        let person = Typist(terminal: terminal, process: process)
        try await person.sees("the list") { lines in
            lines.contains { $0.contains("›") && $0.contains("Bill") } && lines[0].contains("3 unread of 3")
        }
        #expect(!terminal.isEchoing && terminal.screen.allSatisfy { $0.count <= 80 })
        try await person.types("r", until: "it is read") {
            $0[0].contains("2 unread of 3") && $0.last?.contains("1 marked as read.  z undoes") ?? false
        }
        try await person.types("s", until: "it is starred") { lines in
            lines.contains { $0.contains("★") && $0.contains("Bill") }
        }
        try await person.types("a", until: "it is archived") { lines in
            !lines.contains { $0.contains("Bill") } && lines.last?.contains("1 archived.  z undoes") ?? false
        }
        try await person.types("z", until: "it is back") { lines in lines.contains { $0.contains("Bill") } }
        // Opening reads the thread, with its text.
        try await person.types("\r", until: "the text") { lines in
            lines.contains { $0.contains("The text of Lunch.") } && lines.last?.contains("R Reply") ?? false
        }
        try await person.types("u", until: "the list, and it is unread again") {
            $0[0].contains("2 unread of 3") && $0.last?.contains("marked as unread") ?? false
        }
        // A new mail comes by itself, or with the next poll of another process.
        try await server.imap().append([letter("News", from: "Eve <eve@example.com>", at: 1_700_000_300)])
        try await world.run(["mail", "status", "--directory", "phone"])
        try await person.sees("the new mail") { lines in lines.contains { $0.contains("News") } }

        // A reply, written in the editor, whose keys are its own.
        try await person.types("jj", until: "the last") { lines in
            lines.contains { $0.contains("›") && $0.contains("Plans") }
        }
        try terminal.type("R")
        try await process.until("the main screen") { _ in
            terminal.text.hasSuffix("\u{1B}[?1049l") && terminal.isEchoing ? true : nil
        }
        try terminal.type("aqz is fine with me\n")
        try await process.until("the question") { $0.errors.contains("[k]eep") ? true : nil }
        try terminal.type("s\n")
        try await person.sees("it is sent") { $0.last?.contains("The reply is sent.") ?? false }
        #expect(!terminal.isEchoing)
        let mail = try #require(try await receiver.mails().first)
        #expect(mail.recipients == ["anna@example.com"] && mail.text.contains("aqz is fine with me"))
        #expect(mail.header("Subject").first == "Re: Plans")
        #expect(terminal.screen.contains { $0.contains("Bill") }, "no key of the editor was the list's")

        try terminal.type("q")
        #expect(try await process.end() == 0)
        #expect(try await eventually { terminal.isEchoing && terminal.text.hasSuffix("\u{1B}[?1049l") })
        let mails = try await server.imap().mails()
        #expect(mails.count { $0.flags.contains("\\Flagged") } == 1)
    }

    @Test func `a logout by another process ends each watch, and the terminal is as before`() async throws {
        try await World.with { world in
            try await MailServer.run { server in
                try await server.imap().append([letter("Plans", from: "Anna <anna@example.com>", at: 1_700_000_000)])
                try await world.logIn(to: server)
                let (keys, terminal) = try watch(world)
                try await keys.until("the list") { _ in
                    terminal.screen.contains { $0.contains("Plans") } ? true : nil
                }
                let lines = try world.start(["mail", "watch", "--directory", "phone"])
                try await lines.until("the mail") { $0.output.contains("Plans") ? true : nil }
                try await world.run(["mail", "logout", "--directory", "phone"])
                for process in [keys, lines] {
                    #expect(try await process.end() == 2)
                    let text =
                        "inbox: This device was logged out by another process. Log in again with: inbox mail login"
                    #expect(process.errors.contains(text), "\(process.errors)")
                }
                #expect(try await eventually { terminal.isEchoing && terminal.text.contains("\u{1B}[?1049l") })
            }
        }
    }

    @Test func `Ctrl-C leaves the terminal as it was`() async throws {
        try await World.with { world in
            try await MailServer.run { server in
                try await world.logIn(to: server)
                let (process, terminal) = try watch(world)
                try await process.until("the frame") { _ in
                    terminal.screen.contains { $0.contains("No mails.") } ? true : nil
                }
                #expect(!terminal.isEchoing)
                process.signal(SIGINT)
                _ = try await process.end()
                #expect(try await eventually { terminal.isEchoing && terminal.text.contains("\u{1B}[?1049l") })
            }
        }
    }
}
