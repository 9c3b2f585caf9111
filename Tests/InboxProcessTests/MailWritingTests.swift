import Foundation
import Groundwork
import RunningMailServer
import Testing

/// The commands that write mail, against Cyrus and a receiver of its mails.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MailWritingTests {
    @Test func `a mail is written by options and sent, with its files`() async throws {
        try await MailDesk.with { desk in
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
        try await MailDesk.with { desk in
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
            #expect(blocked["state"] == "draft" && blocked["synced"] == false && blocked["problem"] == nil)
            let offline = try await desk.json("send", try #require(blocked["id"]?.stringValue), "--offline", status: 3)
            #expect(offline["problem"] == "--offline")
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
        try await MailDesk.with { desk in
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

            // A page of a draft clears what its lines leave empty.
            let draft = try await desk.json(
                "compose",
                "--to",
                "bob@example.org",
                "--cc",
                "boss@example.org",
                "--bcc",
                "eve@example.org",
                "--subject",
                "Cleared",
                "--body",
                "x"
            )
            let id = try #require(draft["id"]?.stringValue)
            let page = "To: bob@example.org\nCc:\nBcc:\nSubject: Cleared\n\nx\n"
            try await desk.run("edit", id, "--headers", "--send", input: page)
            let cleared = try #require(try await desk.receiver.mails().last)
            #expect(cleared.header("Subject") == ["Cleared"] && cleared.recipients == ["bob@example.org"])
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
        try await MailDesk.with { desk in
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
                #expect(missing.errors.contains("There is no file nonesuch."), "\(missing.errors)")
            }
            #expect(try await desk.receiver.mails().count == 5)
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `the JSON of drafts, of the outbox and of sending has their parts`() async throws {
        try await MailDesk.with { desk in
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
            #expect(draft["cc"]?.arrayValue?.count == 1 && draft["otherVersions"] == [])
            let file = draft["attachments"]?.arrayValue?.first
            #expect(file?["name"] == "a.csv" && file?["size"] == 4 && file?["isUploaded"] == true)
            #expect(try await desk.json("outbox")["drafts"] == [])

            let waiting = try await desk.json("send", id, "--later", "+2h")
            #expect(waiting["state"] == "waiting" && waiting["synced"] == true && waiting["problems"] == [])
            // It wasn't checked whether the server sends what it holds.
            #expect(waiting["holder"] == "device")
            #expect(try await desk.json("verify-later", "--last", status: 1) == .null)
            let unchecked = try await desk.run("verify-later", "--last", status: 1)
            #expect(unchecked.errors.contains("It wasn't checked yet"), "\(unchecked.errors)")
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
            #expect(sent["holder"] == nil)
            #expect(sent["text"] == "Hello" && sent["html"] == nil)
            // It is too late, also where no list has the draft any more.
            for reference in [id, String(id.suffix(6))] {
                let late = try await desk.run("cancel", reference, status: 3)
                #expect(late.errors.contains("Hi was sent. It can't be taken back."), "\(late.errors)")
            }
            #expect(try await desk.receiver.mails().count == 1)
        }
    }

    /// The receiver has the mail, and the server doesn't know that.
    @Test func `cancelling a mail that is being sent exits with code 3`() async throws {
        try await MailDesk.with { desk in
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
            let edited = try await desk.run("edit", id, "--subject", "Other", status: 1)
            #expect(edited.errors.contains("It can't be changed any more"), "\(edited.errors)")
            // The others are removed.
            var ids: [String] = []
            for _ in 0..<2 {
                let draft = try await desk.json("compose", "--subject", "Draft", "--body", "x", "--offline")
                ids.append(try #require(draft["id"]?.stringValue))
            }
            let discarded = try await desk.run("discard", ids[0], id, ids[1], "--offline", status: 1)
            #expect(discarded.output.hasPrefix("2 discarded."), "\(discarded.output)")
            #expect(discarded.errors.contains("Hi: The draft is being sent"), "\(discarded.errors)")
            #expect(try await desk.json("drafts", "--offline")["drafts"]?.arrayValue?.map { $0["id"] } == [.string(id)])
            #expect(try await desk.receiver.mails().count == 1)
        }
    }

    @Test func `a bar shows how far attachments are uploaded`() async throws {
        try await MailDesk.with { desk in
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
        try await MailDesk.with { desk in
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
                (["--from", "a@x.org, b@x.org"], "--from has to be one address", 64),
                (["--from", ""], "--from has to be one address", 64), (["--to", "bob@"], "--to bob@", 64),
                (["--body", "x", "--body-file", "y"], "can't be combined", 64),
                (["--attach", "nonesuch", "--body", "x"], "There is no file", 1),
                (["--attach", "folder", "--body", "x"], "is a directory", 1),
                (["--attach", "huge.bin", "--body", "x"], "huge.bin has 34.4 GB, and the mail server allows", 1),
                (["--body-file", "latin"], "isn't UTF-8", 1),
                (["--body-file", "nonesuch"], "There is no file nonesuch.", 1),
                (["--body-file", "folder"], "folder is a directory", 1), (["--body-file", ""], "is empty", 64),
                (["--html", "-", "--headers"], "only once", 64), (["--later", "soon"], "later-today", 64),
                (["--later=-3d", "--body", "x"], "in the future", 64),
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
            let senders = "From: a@example.org, b@example.org\n\nHello\n"
            let whole = try await desk.run("compose", "--headers", input: senders, status: 1)
            #expect(whole.errors.contains("inbox: From: has to be one address."), "\(whole.errors)")
            let empty = try await desk.run("compose", input: " \n", status: 1)
            #expect(empty.errors.contains("The mail is empty, and nothing was saved."), "\(empty.errors)")
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `replies quote, and forwards take the files`() async throws {
        try await MailDesk.with { desk in
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

    /// The device has the mail's beginning only, which was synced.
    @Test func `a reply with the option offline doesn't ask the server for the mail's body`() async throws {
        try await MailDesk.with { desk in
            let list = try await desk.json("list")
            let id = try #require(list["threads"]?.arrayValue?.first?["id"]?.stringValue)
            let offline = try await desk.json("reply", id, "--body", "Yes.", "--offline")
            let beginning = offline["text"]?.stringValue ?? ""
            #expect(beginning.hasPrefix("Yes.\n\n") && beginning.hasSuffix("\n> […]"), "\(offline)")
            let whole = try await desk.json("reply", id, "--body", "Yes.")["text"]?.stringValue ?? ""
            #expect(whole.hasSuffix("\n> Shall we meet?"), "\(whole)")
        }
    }

    /// The file is larger than the limit that every server may have: whether this one's is higher would be asked for.
    @Test func `compose, edit and send with the option offline don't contact the server`() async throws {
        try await MailDesk.with { desk in
            let relay = try await CuttingRelay(for: desk.server)
            let password = try #require(desk.server.users["alice"]).password
            let login = ["mail", "login", "--server", "\(relay.url)", "--user", "alice", "--password-stdin"]
            let sender = ["--from", "Alice <alice@example.com>", "--directory", "tablet"]
            try await desk.world.run(login + sender, input: password + "\n")
            let file = desk.world.folder.appendingPathComponent("large.bin")
            try Data(count: 11_000_000).write(to: file)
            try await relay.hold()
            let end = ["--offline", "--json", "--directory", "tablet"]
            let new = ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Hello"]
            let composed = try await desk.world.run(new + ["--attach", "large.bin"] + end)
            let id = try #require(try JSON(parsing: composed.output.utf8)["id"]?.stringValue)
            try await desk.world.run(["mail", "edit", id, "--attach", "large.bin"] + end)
            try await desk.world.run(["mail", "send", id] + end)
            #expect(try await relay.place().count == 0)
            await relay.stop()
        }
    }

    /// The person may read the mailbox of the drafts and write into it, and remove nothing from it.
    @Test func `a draft that the server refuses to remove isn't reported as discarded`() async throws {
        try await MailDesk.with { desk in
            let draft = try await desk.json("compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Hello")
            let id = try #require(draft["id"]?.stringValue)
            try await desk.server.imap().setRights(of: "alice", to: "lrswipka", on: "Drafts")
            let refused = try await desk.json("discard", id, status: 1)
            #expect(refused["changed"] == [], "\(refused)")
            let reason = refused["failed"]?.arrayValue?.first?["reason"]?.stringValue ?? ""
            #expect(reason.contains("The server refuses to remove it"), "\(refused)")
            #expect(try await desk.drafts().map { $0["subject"] } == ["Hi"])
        }
    }

    @Test func `mails wait without a network, and until their scheduled time`() async throws {
        try await MailDesk.with { desk in
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
            #expect(
                waiting.output.contains("waiting") && waiting.output.contains("to be sent in 2 h"),
                "\(waiting.output)"
            )

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

    @Test func `cancel and discard act on the known drafts beside an unknown id`() async throws {
        try await MailDesk.with { desk in
            let mail = ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "x", "--json"]
            let composed = try await desk.world.run(mail + ["--later", "+2h", "--directory", "phone"])
            let id = try #require(try JSON(parsing: composed.output.utf8)["id"]?.stringValue)
            let cancelled = try await desk.json("cancel", "nosuch1", id, status: 1)
            #expect(cancelled["changed"] == JSON([id]) && cancelled["synced"] == false)
            #expect(cancelled["failed"]?.arrayValue?.map { $0["id"] } == ["nosuch1"])
            #expect(try await desk.drafts().map { $0["state"] } == ["draft"])
            try await desk.run("send", id, "--later", "+2h")
            let discarded = try await desk.run("discard", id, "nosuch1", status: 1)
            #expect(discarded.output == "1 discarded.\n" && discarded.errors.contains("\"nosuch1\""))
            #expect(try await desk.run("outbox").output == "Nothing waits to be sent.\n")
            let none = try await desk.json("discard", "nosuch1", status: 1)
            #expect(none["changed"] == [] && none["failed"]?.arrayValue?.count == 1)
        }
    }

    @Test func `a mail whose login the server rejects waits, and the exit code is 2`() async throws {
        try await MailDesk.with { desk in
            let file = desk.world.folder.appendingPathComponent("phone/mail.json")
            var login = try #require(try JSON(parsing: Data(contentsOf: file)).objectValue)
            login["secret"] = "wrong"
            try JSON.object(login).data.write(to: file)
            let mail = ["--to", "bob@example.org", "--subject", "Hi", "--body", "Hello"]
            for (options, status) in [(["--send"], Int32(2)), (["--later", "+2h"], 2), ([], 2)] {
                let process = try await desk.world.run(
                    ["mail", "compose"] + mail + options + ["--directory", "phone"],
                    status: status
                )
                let command = "inbox mail login --server \(desk.server.url) --user alice --password-stdin --from "
                let text = process.output + process.errors
                #expect(text.contains("\(command)'Alice Müller <alice@example.com>'"), "\(text)")
            }
            #expect(try await desk.json("outbox", "--offline")["drafts"]?.arrayValue?.count == 2)
        }
    }

    @Test func `logging out keeps what isn't sent, unless that may be lost`() async throws {
        try await MailDesk.with { desk in
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
                refused.errors.contains("1 draft isn't sent") && refused.errors.contains("--discard-drafts")
                    && !refused.errors.contains("discardsDrafts"),
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
}
