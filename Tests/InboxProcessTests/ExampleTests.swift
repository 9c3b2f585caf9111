import Eventually
import Coverage
import Foundation
import RunningMailServer
import Testing

/// The example programs with typed input, against Cyrus.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExampleTests {
    private func mail(_ subject: String, at minute: Int, _ flags: String...) -> IMAPClient.Mail {
        let text = """
            From: Anna Berger <anna@example.com>
            To: Alice <alice@example.com>
            Subject: \(subject)
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: <\(UUID())@example.com>
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8

            \(String(repeating: "Many words about \(subject). ", count: 20))
            The end of \(subject).

            """
        return IMAPClient.Mail(
            Array(text.replacing("\n", with: "\r\n").utf8),
            flags: flags,
            date: 1_760_000_000 + minute * 60
        )
    }

    private func start(
        _ program: String,
        _ world: World,
        _ server: MailServer,
        address: String = ""
    ) throws -> RunningProcess {
        let password = server.users["alice"]?.password ?? ""
        return try world.startExample(
            program,
            ["\(server.url)", "alice"],
            environment: [
                "INBOX_MAIL_PASSWORD": password, "INBOX_MAIL_DIRECTORY": "examples", "INBOX_MAIL_ADDRESS": address,
            ]
        )
    }

    private func run(
        _ program: String,
        _ mails: [IMAPClient.Mail],
        _ body: (RunningProcess, MailServer, IMAPClient) async throws -> Void
    ) async throws {
        try await World.with { world in
            try await MailServer.run { server in
                let imap = try server.imap()
                if !mails.isEmpty { try await imap.append(mails) }
                let process = try start(program, world, server)
                try await body(process, server, imap)
                try process.endInput()
                #expect(try await process.end() == 0, "\(process.output)\n\(process.errors)")
            }
        }
    }

    private func shows(_ process: RunningProcess, _ text: String) async throws {
        try await process.until(text) { $0.output.contains(text) ? true : nil }
    }

    @Test(.shows(.k06))
    func `eight-ball shows one unread thread, and Enter marks it read and shows the next`() async throws {
        let mails = [mail("First", at: 1), mail("Read", at: 2, "\\Seen"), mail("Second", at: 3)]
        try await run("inbox-eight-ball", mails) { process, _, imap in
            try await shows(process, "Anna Berger: Second\n    Many words")
            #expect(!process.output.contains("First"))
            try process.enter("")
            try await shows(process, "Anna Berger: First\n")
            // A thread that is only shown stays unread.
            try process.endInput()
            #expect(try await process.end() == 0)
            #expect(!process.output.contains("Read"))
            #expect(try await imap.mails().map(\.flags) == [[], ["\\Seen"], ["\\Seen"]])
        }
        try await run("inbox-eight-ball", mails) { process, _, imap in
            for _ in 0..<2 { try process.enter("") }
            try await shows(process, "No unread messages.\n")
            #expect(try await process.end() == 0)
            #expect(try await imap.mails().map(\.flags) == [["\\Seen"], ["\\Seen"], ["\\Seen"]])
        }
    }

    @Test(.shows(.k07)) func `triage lists the 10 newest threads, reads on demand and archives`() async throws {
        let mails = (1...12).map { mail("Thread \($0).", at: $0) }
        try await run("inbox-triage", mails) { process, server, imap in
            try await shows(process, "N: read")
            #expect(process.lines.first == "1 ● Anna Berger: Thread 12.")
            #expect(process.lines[9] == "10 ● Anna Berger: Thread 3." && process.lines.count == 11)
            #expect(!process.output.contains("The end of"))
            try process.enter("2")
            try await shows(process, "The end of Thread 11.")
            try process.enter("a 1")
            try await shows(process, "Archived: Thread 12.")
            try process.enter("a 11")
            try process.enter("")
            try await shows(process, "1   Anna Berger: Thread 11.")
            try await shows(process, "10 ● Anna Berger: Thread 2.")
            // The change reaches the server without a further command.
            #expect(try await eventually { try await imap.mails(in: "Archive").map(\.flags) == [[]] })
            #expect(try await eventually { try await imap.mails().count { $0.flags == ["\\Seen"] } == 1 })
            // Without the server, a thread that was read can be read again.
            try await server.kill()
            try process.enter("1")
            try await process.until("the text again") {
                $0.output.components(separatedBy: "The end of Thread 11.").count == 3 ? true : nil
            }
            try await server.restart()
            try process.endInput()
            #expect(try await process.end() == 0)
            let again = try server.imap()
            let archived = try await again.mails(in: "Archive")
            #expect(archived.map(\.flags) == [[]] && archived.first?.date == 1_760_000_720)
            #expect(try await again.mails().count { $0.flags == ["\\Seen"] } == 1)
            _ = imap
        }
    }

    @Test(.shows(.k09)) func `simple-mail lists the inbox, shows changes and archives`() async throws {
        try await run("inbox-simple-mail", [mail("Older", at: 1, "\\Seen"), mail("Newer", at: 2)]) { process, _, imap in
            try await shows(process, "+ 2   Anna Berger: Older\n")
            #expect(process.output == "+ 1 ● Anna Berger: Newer\n+ 2   Anna Berger: Older\n")
            try await imap.append([mail("Just in", at: 3)])
            try process.enter("")
            try await shows(process, "+ 1 ● Anna Berger: Just in\n")
            let uid = try #require(try await imap.mails().last?.uid)
            try await imap.flag([uid], add: ["\\Seen"])
            try process.enter("")
            try await shows(process, "~ 1   Anna Berger: Just in\n")
            try process.enter("a 2")
            try await shows(process, "- 2 ● Anna Berger: Newer\n")
            try process.enter("a 7")
            try await shows(process, "a N: archive")
            try process.endInput()
            #expect(try await process.end() == 0)
            #expect(try await imap.mails(in: "Archive").map(\.flags) == [[]])
            #expect(try await imap.mails().count == 2)
        }
        try await run("inbox-simple-mail", []) { process, _, _ in
            try await shows(process, "The inbox is empty.\n")
        }
    }

    /// A snap of Anna's with a picture.
    private func snap(_ picture: Data, _ name: String, at minute: Int) -> IMAPClient.Mail {
        let text = """
            From: Anna Berger <anna@example.com>
            To: Alice <alice@example.com>
            Subject: New snap from Anna
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: <\(UUID())@example.com>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=border

            --border
            Content-Type: text/plain

            Look.
            --border
            Content-Type: image/png; name=\(name)
            Content-Disposition: attachment; filename=\(name)
            Content-Transfer-Encoding: base64

            \(picture.base64EncodedString(options: .lineLength76Characters))
            --border--

            """
        let bytes = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
        return IMAPClient.Mail(Array(bytes.utf8), date: 1_760_000_000 + minute * 60)
    }

    @Test(.shows(.k08)) func `snap-mail shows a received picture once, and sends one once`() async throws {
        let receiver = try await MailReceiver()
        let picture = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await World.with { world in
            try await MailServer.run(options: receiver.options) { server in
                let imap = try server.imap()
                let mails = [
                    snap(Data([9, 8, 7]), "cat.png", at: 1), snap(picture, "dog.png", at: 2), mail("No snap", at: 3),
                ]
                try await imap.append(mails)
                let process = try start("inbox-snap-mail", world, server, address: "Alice <alice@example.com>")
                try await shows(process, "2 Anna Berger")
                #expect(!process.output.contains("No snap"))
                try process.enter("1")
                try await shows(process, "Enter: close it for good")
                let line = try #require(process.lines.first { $0.hasPrefix("dog.png, 900000 bytes: ") })
                let path = String(line.dropFirst("dog.png, 900000 bytes: ".count))
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)
                #expect(try await eventually { try await imap.mails(in: "Trash").count == 1 })
                try process.enter("")
                #expect(try await eventually { !FileManager.default.fileExists(atPath: path) })
                // One is left, and the shown one isn't shown again.
                try process.enter("2")
                try await shows(process, "N: look, s WHO FILE: send, Enter: list again")

                let file = world.folder.appendingPathComponent("party.png")
                try picture.write(to: file)
                try process.enter("s Bob \(file.path)")
                try await shows(process, "No contact has the name Bob.")
                try process.enter("s anna \(file.path)")
                try await shows(process, "Sent to Anna Berger.")
                #expect(process.output.contains("To Anna Berger: 0 %"))
                try process.endInput()
                #expect(try await process.end() == 0, "\(process.errors)")
                // Another run shows and sends nothing again.
                let again = try start("inbox-snap-mail", world, server, address: "Alice <alice@example.com>")
                try await shows(again, "1 Anna Berger")
                #expect(!again.output.contains("2 Anna Berger"))
                try again.endInput()
                #expect(try await again.end() == 0, "\(again.errors)")
                let sent = try await receiver.mails()
                #expect(sent.map(\.recipients) == [["anna@example.com"]])
                #expect(sent.first?.header("Subject") == ["New snap from Alice"])
                let encoded = sent.first?.text.filter { !$0.isWhitespace } ?? ""
                #expect(encoded.contains(picture.base64EncodedString()) && encoded.contains("party.png"))
            }
        }
        await receiver.stop()
    }

    @Test(arguments: ["inbox-eight-ball", "inbox-triage", "inbox-simple-mail", "inbox-snap-mail"])
    func `without an account, an example prints its usage`(program: String) async throws {
        try await World.with { world in
            let process = try world.startExample(program, ["https://mail.example.com"], environment: [:])
            #expect(try await process.end() == 2)
            #expect(process.errors.contains("usage: \(program) URL") && process.output.isEmpty)
        }
    }
}
