import Foundation
import Groundwork
import RunningMailServer
import Testing

/// The commands that write mail, against Cyrus and a receiver of its mails.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MailWritingTests {
    /// A device that is logged in, the server, and what the server has delivered.
    private struct Desk {
        let world: World
        let server: MailServer
        let receiver: MailReceiver

        /// Runs `inbox mail`.
        @discardableResult
        func run(
            _ arguments: String...,
            input: String? = nil,
            status: Int32 = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> RunningProcess {
            try await world.run(
                ["mail"] + arguments + ["--directory", "phone"],
                input: input,
                status: status,
                sourceLocation: sourceLocation
            )
        }

        func json(_ arguments: String..., input: String? = nil, status: Int32 = 0) async throws -> JSON {
            let process = try await world.run(
                ["mail"] + arguments + ["--json", "--directory", "phone"],
                input: input,
                status: status
            )
            return try JSON(parsing: process.output.utf8)
        }

        /// The drafts in `drafts --json`.
        func drafts() async throws -> [JSON] { try await json("drafts")["drafts"]?.arrayValue ?? [] }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: world.folder.appendingPathComponent(name))
        }

        /// Starts a command at a terminal, with a script as the editor.
        func start(_ arguments: [String], editor: String, at terminal: TypedTerminal) throws -> RunningProcess {
            let script = world.folder.appendingPathComponent("editor with space")
            try Data("#!/bin/sh\nset -eu\n\(editor)\n".utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
            return try world.start(
                ["mail"] + arguments + ["--directory", "phone"],
                terminal: terminal,
                environment: ["EDITOR": "'\(script.path)'"]
            )
        }
    }

    private func withDesk(_ body: (Desk) async throws -> Void) async throws {
        let receiver = try await MailReceiver()
        do {
            try await World.with { world in
                try await MailServer.run(options: receiver.options) { server in
                    let user = try #require(server.users["alice"])
                    try await server.imap().append([
                        IMAPClient.Mail(Self.letter, flags: [], date: 1_700_000_000),
                        IMAPClient.Mail(Self.newsletter, flags: [], date: 1_600_000_000),
                    ])
                    try await world.run(
                        [
                            "mail", "login", "--server", "\(server.url)", "--user", "alice", "--password-stdin",
                            "--from", "Alice Müller <alice@example.com>", "--directory", "phone",
                        ],
                        input: user.password + "\n"
                    )
                    try await body(Desk(world: world, server: server, receiver: receiver))
                }
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private static let letter = Array(
        """
        From: Anna Berger <anna@example.com>
        To: Alice <alice@example.com>, Bob <bob@example.org>
        Subject: Plans
        Date: Tue, 03 Mar 2026 10:20:30 +0100
        Message-ID: <plans@example.com>
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8

        Shall we meet?

        """.replacing("\n", with: "\r\n").utf8
    )

    private static let newsletter = Array(
        """
        From: News <news@example.com>
        To: Alice <alice@example.com>
        Subject: News
        Date: Sun, 13 Sep 2020 12:26:40 +0000
        Message-ID: <news@example.com>
        MIME-Version: 1.0
        Content-Type: text/html; charset=utf-8

        <p>Big <b>news</b></p>

        """.replacing("\n", with: "\r\n").utf8
    )

    @Test func `a mail is written by options and sent, with its files`() async throws {
        try await withDesk { desk in
            try desk.write("1,2\n", to: "a.csv")
            let sent = try await desk.run(
                "compose",
                "--to",
                "Bob Ärmel <bob@example.org>",
                "carol@example.org",
                "--bcc",
                "eve@example.org",
                "--subject",
                "Grüße",
                "--body",
                "See the attachment.",
                "--attach",
                "a.csv",
                "--send"
            )
            #expect(sent.output == "Sent to 3 recipients.\n")
            let mail = try #require(try await desk.receiver.mails().first)
            #expect(mail.recipients == ["bob@example.org", "carol@example.org", "eve@example.org"])
            #expect(mail.sender == "alice@example.com" && !mail.text.contains("eve@"))
            #expect(mail.header("From").first?.contains("<alice@example.com>") == true)
            #expect(mail.text.contains("filename") && mail.text.contains("See the attachment."))
            #expect(try await desk.receiver.mails().count == 1)
            #expect(try await desk.drafts().isEmpty)
            #expect(try await desk.run("outbox").output == "Nothing waits to be sent.\n")
        }
    }

    @Test func `a script gets JSON and exit codes, and a draft that isn't sent is kept`() async throws {
        try await withDesk { desk in
            // The text comes from standard input.
            let draft = try await desk.json("compose", "--to", "bob@example.org", "--subject", "Hi", input: "Hello\n")
            #expect(draft["state"] == "draft" && draft["problems"] == [] && draft["synced"] == true)
            let id = try #require(draft["id"]?.stringValue)
            // It is on the server at once, for the other devices.
            #expect(try await desk.server.imap().mails(in: "Drafts").count == 1)
            #expect(try await desk.drafts().map { $0["preview"] } == ["Hello"])

            // A text takes the place of the one before.
            let edited = try await desk.json("edit", String(id.suffix(6)), "--body", "Changed", "--cc", "c@example.org")
            #expect(edited["id"]?.stringValue == id && edited["preview"] == "Changed" && edited["subject"] == "Hi")
            #expect(edited["cc"]?.arrayValue?.count == 1 && edited["to"]?.arrayValue?.count == 1)

            // What blocks, and what is a question.
            let blocked = try await desk.json("compose", "--body", "Hello", "--send", status: 3)
            #expect(blocked["problems"]?.arrayValue?.first?["severity"] == "error")
            #expect(blocked["state"] == "draft")
            let asked = try await desk.run(
                "compose",
                "--to",
                "bob@example.org",
                "--body",
                "The report is attached.",
                "--send",
                status: 3
            )
            #expect(asked.errors.contains("attached") && asked.errors.contains("--force"), "\(asked.errors)")
            #expect(try await desk.receiver.mails().isEmpty)
            #expect(try await desk.drafts().count == 3)
            // Questions don't hold it up with --force, other problems do.
            let forced = try await desk.json(
                "compose",
                "--to",
                "bob@example.org",
                "--body",
                "The list is attached.",
                "--send",
                "--force"
            )
            #expect(forced["state"] == "sent")
            let asking = try #require(try await desk.drafts().first { $0["preview"] == "The report is attached." })
            let questionable = try #require(asking["id"]?.stringValue)
            try await desk.run("send", questionable, status: 3)
            #expect(try await desk.receiver.mails().count == 1)
            try await desk.run("send", questionable, "--force")
            #expect(try await desk.receiver.mails().count == 2)
            try await desk.run("send", try #require(blocked["id"]?.stringValue), "--force", status: 3)

            let sent = try await desk.json("send", String(id.suffix(6)))
            #expect(sent["state"] == "sent" && sent["id"]?.stringValue == id)
            #expect(try await desk.receiver.mails().count == 3)
            let gone = try await desk.run("send", String(id.suffix(6)), status: 1)
            #expect(gone.errors.contains("No draft"), "\(gone.errors)")

            // A recipient that the receiver refuses.
            try await desk.receiver.behave(refused: ["missing@example.org": "550 5.1.1 No such user"])
            let refused = try await desk.json(
                "compose",
                "--to",
                "missing@example.org",
                "--subject",
                "Hi",
                "--body",
                "Hello",
                "--send",
                status: 3
            )
            #expect(refused["state"] == "refused" && refused["reason"]?.stringValue?.isEmpty == false)
            let outbox = try await desk.run("outbox", status: 3)
            #expect(
                outbox.output.contains("refused") && outbox.output.contains("missing@example.org"),
                "\(outbox.output)"
            )
            for draft in try await desk.drafts() {
                let id = try #require(draft["id"]?.stringValue)
                #expect(try await desk.run("discard", id).output == "1 discarded.\n")
            }
            #expect(try await desk.run("drafts").output == "No drafts.\n")
        }
    }

    /// More than a pipe holds.
    private static let longText = String(repeating: "A line of a long text.\n", count: 20_000)

    @Test func `a mail comes with its headers from standard input or a file`() async throws {
        try await withDesk { desk in
            try desk.write("1,2\n", to: "a.csv")
            let headers = "To: Bob <bob@example.org>,\n carol@example.org\n# A note\nBcc: eve@example.org\n"
            let input = headers + "Subject: From a script\nAttach: a.csv\n\n" + Self.longText
            let sent = try await desk.json("compose", "--headers", "--send", input: input)
            #expect(sent["state"] == "sent" && sent["subject"] == "From a script" && sent["problems"] == [])
            #expect(sent["attachments"]?.arrayValue?.map { $0["name"] } == ["a.csv"])
            let first = try #require(try await desk.receiver.mails().first)
            #expect(first.recipients == ["bob@example.org", "carol@example.org", "eve@example.org"])
            #expect(first.header("Subject") == ["From a script"] && !first.text.contains("eve@"))
            #expect(first.text.components(separatedBy: "A line of a long text.").count == 20_001)

            // What the page doesn't have comes from the options.
            try desk.write("Cc: dave@example.org\r\nSubject: Of a file\r\n\r\nHello\r\n", to: "mail.txt")
            try await desk.run("compose", "--to", "bob@example.org", "--headers", "--body-file", "mail.txt", "--send")
            let second = try #require(try await desk.receiver.mails().last)
            #expect(second.recipients == ["bob@example.org", "dave@example.org"])
            #expect(second.header("Subject") == ["Of a file"] && second.text.hasSuffix("\r\n\r\nHello\r\n"))
            let missing = try await desk.run(
                "compose",
                "--headers",
                input: "To: a@example.org\nAttach: nonesuch\n\nHello\n",
                status: 1
            )
            #expect(missing.errors.contains("There is no file") && missing.errors.contains("nonesuch"))
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `texts and HTML come from files or standard input`() async throws {
        try await withDesk { desk in
            try desk.write("First line\r\nSecond line\r\n", to: "text.txt")
            try desk.write("<p>Hello <b>Bob</b></p><script>steal()</script>", to: "page.html")
            func arguments(_ options: [String]) -> [String] {
                ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--send"] + options
                    + ["--directory", "phone"]
            }
            func send(_ options: String..., input: String? = nil) async throws -> MailReceiver.Mail {
                try await desk.world.run(arguments(options), input: input)
                return try #require(try await desk.receiver.mails().last)
            }
            let plain = try await send("--body-file", "text.txt")
            #expect(plain.text.hasSuffix("\r\n\r\nFirst line\r\nSecond line\r\n"), "\(plain.text)")
            let typed = try await send("--body-file", "-", input: "Typed\n")
            #expect(typed.text.hasSuffix("\r\n\r\nTyped\r\n"), "\(typed.text)")
            for page in [try await send("--html", "page.html"), try await send("--html", "-", input: "<b>Bob</b>")] {
                #expect(page.text.contains("multipart/alternative") && page.text.contains("<b>Bob</b>"))
                #expect(page.text.contains("text/plain") && !page.text.contains("steal"))
            }
            let both = try await send("--html", "page.html", "--body", "In words.")
            #expect(both.text.contains("In words.") && both.text.contains("<b>Bob</b>"))
            for option in ["--html", "--body-file"] {
                let missing = try await desk.world.run(arguments([option, "nonesuch"]), status: 1)
                #expect(missing.errors.contains("nonesuch can't be read"), "\(missing.errors)")
            }
            #expect(try await desk.receiver.mails().count == 5)
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `the JSON of drafts, of the outbox and of sending has their parts`() async throws {
        try await withDesk { desk in
            try desk.write("1,2\n", to: "a.csv")
            let made = ["--subject", "Hi", "--body", "Hello", "--attach", "a.csv"]
            let saved = try await desk.world.run(
                ["mail", "compose", "--to", "Bob <bob@example.org>", "--cc", "c@example.org", "--json"] + made
                    + ["--directory", "phone"]
            )
            let id = try #require(try JSON(parsing: saved.output.utf8)["id"]?.stringValue)
            let listed = try await desk.json("drafts")
            #expect(listed.objectValue?.names == ["drafts", "synced"] && listed["synced"] == true)
            let draft = try #require(listed["drafts"]?.arrayValue?.first)
            #expect(draft["id"]?.stringValue == id && draft["state"] == "draft" && draft["bcc"] == [])
            #expect(draft["to"] == [["name": "Bob", "email": "bob@example.org"]] && draft["preview"] == "Hello")
            #expect(draft["cc"]?.arrayValue?.count == 1 && draft["otherVersions"] == 0)
            let file = draft["attachments"]?.arrayValue?.first
            #expect(file?["name"] == "a.csv" && file?["size"] == 4 && file?["isUploaded"] == true)
            #expect(try await desk.json("outbox")["drafts"] == [])

            let waiting = try await desk.json("send", id, "--later", "+2h")
            #expect(waiting["state"] == "waiting" && waiting["synced"] == true && waiting["problems"] == [])
            let until = try #require(waiting["until"]?.stringValue)
            let outbox = try await desk.json("outbox")
            #expect(outbox["drafts"]?.arrayValue?.map { $0["until"] } == [.string(until)])
            let offline = try await desk.json("drafts", "--offline")
            #expect(offline["synced"] == false && offline["drafts"]?.arrayValue?.count == 1)

            let cancelled = try await desk.json("cancel", id)
            #expect(cancelled == ["changed": JSON([id]), "synced": true])
            let again = try await desk.json("cancel", id)
            #expect(again == ["changed": [], "synced": true])
            let sent = try await desk.json("send", id)
            #expect(sent["state"] == "sent" && sent["id"]?.stringValue == id && sent["until"] == nil)
            #expect(try await desk.receiver.mails().count == 1)
        }
    }

    /// The receiver has the mail, and the server doesn't know that.
    @Test func `a mail that is being sent can't be cancelled, and the exit code says so`() async throws {
        try await withDesk { desk in
            let unknown = try await desk.run("cancel", "nonesuch", status: 1)
            #expect(unknown.errors.contains("No draft"), "\(unknown.errors)")
            try await desk.receiver.behave(hangup: "after")
            let mail = ["--to", "bob@example.org", "--subject", "Hi", "--body", "Hello", "--json", "--send"]
            let process = try await desk.world.run(["mail", "compose"] + mail + ["--directory", "phone"])
            let sending = try JSON(parsing: process.output.utf8)
            #expect(sending["state"] == "sending")
            let id = try #require(sending["id"]?.stringValue)
            let late = try await desk.run("cancel", id, status: 3)
            #expect(late.errors.contains("Hi is being sent"), "\(late.errors)")
            #expect(try await desk.json("cancel", id, "--offline", status: 3)["changed"] == [])
            #expect(try await desk.json("outbox", "--offline")["drafts"]?.arrayValue?.first?["state"] == "sending")
            #expect(try await desk.receiver.mails().count == 1)
        }
    }

    @Test func `a bar shows how far attachments are uploaded`() async throws {
        try await withDesk { desk in
            try Data(repeating: 7, count: 30_000_000).write(to: desk.world.folder.appendingPathComponent("big.bin"))
            let terminal = try TypedTerminal()
            terminal.show()
            let process = try desk.world.start(
                ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Hello"]
                    + ["--attach", "big.bin", "--directory", "phone"],
                errors: terminal.input
            )
            #expect(try await process.end() == 0, "\(terminal.text)")
            #expect(process.output.hasPrefix("Draft "), "\(process.output)")
            let bars = terminal.text.components(separatedBy: "\r").filter { $0.contains("of 30 MB uploaded") }
            #expect(!bars.isEmpty && bars.allSatisfy { $0.contains("░") || $0.contains("█") }, "\(terminal.text)")
            try await desk.world.until("the end of the bar") { terminal.text.hasSuffix("\r\u{1B}[K") }
            #expect(try await desk.drafts().first?["attachments"]?.arrayValue?.first?["size"] == 30_000_000)
        }
    }

    @Test func `wrong options are named, and nothing is saved`() async throws {
        try await withDesk { desk in
            try Data([0xFF, 0xFE]).write(to: desk.world.folder.appendingPathComponent("latin"))
            try FileManager.default.createDirectory(
                at: desk.world.folder.appendingPathComponent("folder"),
                withIntermediateDirectories: false
            )
            let huge = desk.world.folder.appendingPathComponent("huge.bin")
            _ = FileManager.default.createFile(atPath: huge.path, contents: nil)
            let handle = try FileHandle(forWritingTo: huge)
            try handle.truncate(atOffset: 1 << 35)
            try handle.close()
            let cases: [(arguments: [String], text: String, status: Int32)] = [
                (["--to", "bob@"], "--to bob@", 64), (["--body", "x", "--body-file", "y"], "can't be combined", 64),
                (["--attach", "nonesuch", "--body", "x"], "There is no file", 1),
                (["--attach", "folder", "--body", "x"], "is a directory", 1),
                (["--attach", "huge.bin", "--body", "x"], "huge.bin has 34.4 GB, and the mail server allows", 1),
                (["--body-file", "latin"], "isn't UTF-8", 1), (["--body-file", "nonesuch"], "can't be read", 1),
                (["--later", "soon"], "later-today", 64), (["--later=-3d", "--body", "x"], "in the future", 1),
                (["--edit"], "needs a terminal", 1),
            ]
            for (arguments, text, status) in cases {
                let process = try await desk.world.run(
                    ["mail", "compose"] + arguments + ["--directory", "phone"],
                    status: status
                )
                #expect(process.errors.contains(text), "\(arguments): \(process.errors)")
            }
            let headers = try await desk.run("compose", "--headers", input: "To: a@example.org\nHello\n", status: 1)
            #expect(headers.errors.contains("Line 2 of standard input"), "\(headers.errors)")
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `replies quote, and forwards take the files`() async throws {
        try await withDesk { desk in
            let list = try await desk.json("list")
            let id = try #require(list["threads"]?.arrayValue?.first?["id"]?.stringValue)
            let short = String(id.suffix(6))
            try await desk.run("reply", short, "--all", "--body", "Fine with me.", "--send")
            let reply = try #require(try await desk.receiver.mails().last)
            #expect(reply.recipients == ["anna@example.com", "bob@example.org"])
            #expect(reply.header("Subject") == ["Re: Plans"] && reply.header("In-Reply-To") == ["<plans@example.com>"])
            let text = reply.text.replacing("\r\n", with: "\n")
            #expect(text.contains("Fine with me.\n\n") && text.contains("\n> Shall we meet?"), "\(text)")
            // It is part of the thread, which counts as answered.
            let thread = try await desk.json("read", short)
            #expect(thread["mails"]?.arrayValue?.count == 2)

            try await desk.run("forward", short, "--to", "carol@example.org", "--body", "FYI", "--send")
            let forward = try #require(try await desk.receiver.mails().last)
            #expect(forward.recipients == ["carol@example.org"] && forward.text.contains("Shall we meet?"))
            #expect(try await desk.receiver.mails().count == 2)

            // The quotation of an HTML mail keeps its look, and the reply's text is text.
            let news = try #require(list["threads"]?.arrayValue?.last?["id"]?.stringValue)
            try await desk.run("reply", news, "--body", "Nice <one>", "--send")
            let html = try #require(try await desk.receiver.mails().last).text
            #expect(html.contains("multipart/alternative") && html.contains("text/html"), "\(html)")
            #expect(html.contains("Nice &lt;one&gt;") && html.contains("<b>news</b>"), "\(html)")
            #expect(html.contains("Nice <one>") && html.contains("> Big news"), "\(html)")
        }
    }

    @Test func `mails wait without a network, and until their time`() async throws {
        try await withDesk { desk in
            let offline = try await desk.json(
                "compose",
                "--to",
                "bob@example.org",
                "--subject",
                "A",
                "--body",
                "x",
                "--send",
                "--offline"
            )
            #expect(offline["state"] == "waiting" && offline["synced"] == false)
            let later = try await desk.run(
                "compose",
                "--to",
                "bob@example.org",
                "--subject",
                "B",
                "--body",
                "x",
                "--later",
                "+2h",
                "--offline"
            )
            #expect(later.output.hasPrefix("To be sent at ") && later.output.contains("inbox mail cancel"))
            #expect(try await desk.receiver.mails().isEmpty)
            let waiting = try await desk.run("outbox", "--offline")
            #expect(waiting.output.contains("waiting") && waiting.output.contains("sent in 2 h"), "\(waiting.output)")

            // The next command sends what is due, once.
            try await desk.run("list")
            try await desk.run("outbox")
            #expect(try await desk.receiver.mails().map { $0.header("Subject") } == [["A"]])
            let left = try #require(try await desk.drafts().first?["id"]?.stringValue)
            #expect(try await desk.run("cancel", String(left.suffix(6))).output == "1 taken back.\n")
            #expect(try await desk.drafts().map { $0["state"] } == ["draft"])
            #expect(try await desk.run("cancel", left).output == "Not waiting to be sent.\n")
        }
    }

    @Test func `logging out keeps what isn't sent, unless that may be lost`() async throws {
        try await withDesk { desk in
            try await desk.run(
                "compose",
                "--to",
                "bob@example.org",
                "--subject",
                "Hi",
                "--body",
                "Precious",
                "--later",
                "+2h"
            )
            let refused = try await desk.run("logout", status: 1)
            #expect(
                refused.errors.contains("1 draft isn't sent") && refused.errors.contains("--discard-drafts"),
                "\(refused.errors)"
            )
            #expect(try await desk.drafts().map { $0["preview"] } == ["Precious"])
            let discarded = try await desk.run("logout", "--discard-drafts")
            #expect(discarded.output.hasPrefix("Logged out as alice at "), "\(discarded.output)")
            #expect(try await desk.receiver.mails().isEmpty)
            let files = try FileManager.default.contentsOfDirectory(atPath: desk.world.folder.path + "/phone")
            #expect(!files.contains { $0.hasSuffix(".sqlite") }, "\(files)")
        }
    }

    @Test func `a draft is written in the editor, checked on return, and sent`() async throws {
        try await withDesk { desk in
            try desk.write("report", to: "report.pdf")
            try desk.write("1,2", to: "given.csv")
            let terminal = try TypedTerminal()
            // First a mistake above the text, then a missing recipient, then a whole mail.
            let editor = """
                cp "$1" seen.txt
                n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count
                case $n in
                0) printf 'To: bob@example.org\\nHello\\n' > "$1" ;;
                1) printf 'Subject: Hi\\n\\nHello from here.\\n' > "$1" ;;
                *) printf 'To: Bob <bob@example.org>\\nSubject: Hi\\nFile: 1\\nAttach: report.pdf\\n\\nHello from here.\\n' > "$1" ;;
                esac
                """
            let arguments = ["compose", "--subject", "First", "--attach", "given.csv"]
            let process = try desk.start(arguments, editor: editor, at: terminal)
            try await process.until("the mistake") { $0.errors.contains("Edit it again?") ? true : nil }
            #expect(process.errors.contains("Line 2: \"Hello\""), "\(process.errors)")
            let first = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(first.contains("To:\n") && first.contains("Subject: First\n") && first.contains("# "))
            try terminal.type("\n")
            try await process.until("the question") { $0.errors.contains("[k]eep") ? true : nil }
            #expect(process.errors.contains("no recipient") && !process.errors.contains("[s]end"), "\(process.errors)")
            // What the person had written is what they correct.
            let second = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(second == "To: bob@example.org\nHello\n")
            try terminal.type("e\n")
            try await process.until("the last question") { $0.errors.contains("[s]end") ? true : nil }
            let third = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(third.contains("Hello from here.") && third.contains("# The mail has no recipient"), "\(third)")
            #expect(third.contains("File: 1 given.csv (3 B)\n"), "\(third)")
            try terminal.type("s\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            #expect(process.output == "Sent to 1 recipient.\n")
            let mail = try #require(try await desk.receiver.mails().first)
            #expect(mail.recipients == ["bob@example.org"] && mail.text.contains("report.pdf"))
            #expect(mail.text.contains("given.csv") && mail.text.contains("MSwy"))
            // Nothing is left of the texts that were edited.
            let files = try FileManager.default.contentsOfDirectory(atPath: desk.world.folder.path + "/phone")
            #expect(!files.contains { $0.hasSuffix(".txt") }, "\(files)")
        }
    }

    @Test func `replies and forwards are written in the editor and checked on return`() async throws {
        try await withDesk { desk in
            let list = try await desk.json("list")
            let id = try #require(list["threads"]?.arrayValue?.first?["id"]?.stringValue)
            let terminal = try TypedTerminal()
            // The text is put above what is quoted.
            let writing = """
                cp "$1" seen.txt
                { sed '/^$/q' "$1"; printf 'Written by hand.\\n'; sed '1,/^$/d' "$1"; } > new.txt
                cp new.txt "$1"
                """
            let reply = try desk.start(["reply", String(id.suffix(6)), "--all"], editor: writing, at: terminal)
            try await reply.until("the question") { $0.errors.contains("[s]end") ? true : nil }
            let page = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(page.hasPrefix("To: Anna Berger <anna@example.com>\nCc: Bob <bob@example.org>\nBcc:\n"), "\(page)")
            #expect(page.contains("\nSubject: Re: Plans\n") && page.contains("\n> Shall we meet?\n"), "\(page)")
            try terminal.type("s\n")
            #expect(try await reply.end() == 0, "\(reply.errors)")
            let answer = try #require(try await desk.receiver.mails().last)
            #expect(answer.recipients == ["anna@example.com", "bob@example.org"])
            #expect(answer.header("In-Reply-To") == ["<plans@example.com>"])
            let text = answer.text.replacing("\r\n", with: "\n")
            #expect(text.contains("Written by hand.\n") && text.contains("\n> Shall we meet?"), "\(text)")

            // A forward has no recipient yet, which is said on return; what was written stays.
            let addressing = """
                if [ -e once ]; then sed -i 's/^To:.*/To: carol@example.org/' "$1"; else
                \(writing)
                : > once; fi
                """
            let forward = try desk.start(["forward", String(id.suffix(6))], editor: addressing, at: terminal)
            try await forward.until("the check") { $0.errors.contains("[k]eep") ? true : nil }
            #expect(forward.errors.contains("no recipient") && !forward.errors.contains("[s]end"))
            try terminal.type("e\n")
            try await forward.until("the question") { $0.errors.contains("[s]end") ? true : nil }
            try terminal.type("s\n")
            #expect(try await forward.end() == 0, "\(forward.errors)")
            let forwarded = try #require(try await desk.receiver.mails().last)
            #expect(forwarded.recipients == ["carol@example.org"] && forwarded.header("Subject") == ["Fwd: Plans"])
            #expect(forwarded.text.contains("Written by hand.") && forwarded.text.contains("Shall we meet?"))
            #expect(try await desk.receiver.mails().count == 2)
        }
    }

    /// Ctrl-D, or a terminal that is closed. No editor is opened again then.
    @Test func `the end of the input at a question keeps what was written`() async throws {
        try await withDesk { desk in
            let count = "n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count; "
            for (page, question, status) in [
                (#"printf 'Subject: Hi\n\nKept.\n' > "$1""#, "[k]eep", Int32(0)),
                (#"printf 'Nonsense\n' > "$1""#, "Edit it again?", 3),
            ] {
                let terminal = try TypedTerminal()
                let process = try desk.start(["compose"], editor: count + page, at: terminal)
                try await process.until("the question") { $0.errors.contains(question) ? true : nil }
                try terminal.type("\u{4}")
                #expect(try await process.end() == status, "\(process.errors)")
                let file = process.errors.contains("What you wrote is in ")
                #expect(file == (status == 3), "\(process.errors)")
            }
            let editors = try String(contentsOf: desk.world.folder.appendingPathComponent("count"), encoding: .utf8)
            #expect(editors == "2\n")
            #expect(try await desk.drafts().map { $0["preview"] } == ["Kept."])
        }
    }

    @Test func `an editor that fails loses nothing`() async throws {
        try await withDesk { desk in
            let terminal = try TypedTerminal()
            let unchanged = try desk.start(["compose"], editor: "exit 1", at: terminal)
            #expect(try await unchanged.end() == 1)
            #expect(unchanged.errors.contains("ended with status 1"), "\(unchanged.errors)")
            let changed = try desk.start(["compose"], editor: "echo kept >> \"$1\"; exit 2", at: terminal)
            #expect(try await changed.end() == 1)
            let path = try #require(changed.errors.split(separator: " is in ").last.map { String($0) })
                .trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("kept\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            #expect(try await desk.drafts().isEmpty)
            let missing = try desk.world.start(
                ["mail", "compose", "--directory", "phone"],
                terminal: terminal,
                environment: ["EDITOR": "nonesuch-editor"]
            )
            #expect(try await missing.end() == 1)
            #expect(missing.errors.contains("There is no editor nonesuch-editor"), "\(missing.errors)")
        }
    }
}
