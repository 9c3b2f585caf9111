import Foundation
import Groundwork
import InboxMail
import RawSockets
import Testing

@testable import inbox

/// Writing mails on a device that has never reached its server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MailOfflineTests {
    /// A device that is logged in to a server that isn't there.
    private struct Desk {
        let world: World

        @discardableResult
        func run(
            _ arguments: String...,
            input: String? = nil,
            status: Int32 = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> RunningProcess {
            try await world.run(
                ["mail"] + arguments + ["--offline", "--directory", "phone"],
                input: input,
                status: status,
                sourceLocation: sourceLocation
            )
        }

        /// Writes a draft, and returns its id.
        func compose(_ arguments: String...) async throws -> String {
            let process = try await world.run(
                ["mail", "compose"] + arguments + ["--json", "--offline", "--directory", "phone"]
            )
            return try #require(try JSON(parsing: process.output.utf8)["id"]?.stringValue)
        }

        /// A draft with its text.
        func draft(_ id: String) async throws -> JSON {
            let process = try await run("drafts", id, "--json")
            return try #require(try JSON(parsing: process.output.utf8)["drafts"]?.arrayValue?.first)
        }

        func drafts() async throws -> [JSON] {
            try JSON(parsing: try await run("drafts", "--json").output.utf8)["drafts"]?.arrayValue ?? []
        }

        func login(_ user: String, _ options: String..., status: Int32 = 0) async throws -> RunningProcess {
            let arguments = ["mail", "login", "--server", world.url, "--user", user, "--password-stdin"] + options
            return try await world.run(
                arguments + ["--from", "\(user)@example.com", "--directory", "phone"],
                input: "secret\n",
                status: status
            )
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: world.folder.appendingPathComponent(name))
        }

        /// The names of the device's files with an ending.
        func files(_ suffix: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: world.folder.path + "/phone")
                .filter { $0.hasSuffix(suffix) }
        }

        static func with(_ body: (Desk) async throws -> Void) async throws {
            try await World.with { world in
                let desk = Desk(world: world)
                _ = try await desk.login("alice")
                try await body(desk)
            }
        }
    }

    @Test func `a list shows what is stored soon if the mail server doesn't answer`() async throws {
        try await World.with { world in
            let port = try SilentPort()
            let server = "http://127.0.0.1:\(port.number)"
            try await world.run(
                ["mail", "login", "--server", server, "--user", "alice", "--password-stdin", "--directory", "phone"],
                input: "secret\n"
            )
            try port.listen()
            let start = ContinuousClock.now
            let list = try await world.run(["mail", "list", "--directory", "phone"])
            // It waits 15 s; the rest is for a busy machine. A wait for any other answer is 30 s.
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(list.errors.contains("Not up to date: the server doesn't answer in time"), "\(list.errors)")
        }
    }

    @Test func `a login that other users can read becomes private, and is named once`() async throws {
        try await Desk.with { desk in
            let file = desk.world.folder.appendingPathComponent("phone/mail.json").path
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let note = try await desk.run("list").errors
            #expect(note.contains("phone/mail.json had the mode 644 and has 600 now."), "\(note)")
            #expect(note.contains("another password") && !note.contains("secret"), "\(note)")
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try await !desk.run("list").errors.contains("mode"))
        }
    }

    /// The login is that of a sign-in in the browser. Its tokens were in a folder of their own, in whose place there is
    /// nothing, or a file.
    @Test(arguments: [false, true])
    func `a login whose tokens are gone ends commands with 2 and names the folder`(isFile: Bool) async throws {
        try await World.with { world in
            let phone = world.folder.appendingPathComponent("phone", isDirectory: true)
            try FileManager.default.createDirectory(at: phone, withIntermediateDirectories: true)
            let login = #"{"server":"\#(world.url)","user":"anna@example.com","scheme":"oauth"}"#
            try Data(login.utf8).write(to: phone.appendingPathComponent("mail.json"))
            if isFile { try Data("{}".utf8).write(to: phone.appendingPathComponent("tokens")) }
            for command in [["list"], ["status"], ["search", "Plans"], ["drafts"], ["outbox"]] {
                let process = try await world.run(["mail"] + command + ["--directory", "phone"], status: 2)
                let text = process.output + process.errors
                #expect(text.contains("phone/tokens, or can't be read"), "\(command): \(text)")
                #expect(text.contains("inbox mail login anna@example.com --server"), "\(command): \(text)")
            }
            // What is on the device can be read, and written.
            try await world.run(["mail", "list", "--offline", "--directory", "phone"])
            let written = try await world.run(
                ["mail", "compose", "--to", "bob@example.org", "--subject", "Plans", "--directory", "phone"],
                input: "Hello\n",
                status: 2
            )
            #expect(written.output.contains("log in again with"), "\(written.output)\(written.errors)")
            let drafts = try await world.run(["mail", "drafts", "--offline", "--directory", "phone"])
            #expect(drafts.output.contains("Plans"), "\(drafts.output)")
        }
    }

    @Test func `options change what they name, whatever standard input has`() async throws {
        try await Desk.with { desk in
            try desk.write("report", to: "report.pdf")
            let id = try await desk.compose("--to", "bob@example.org", "--subject", "Hi", "--body", "Hello")
            for input in ["", "another draft's id\n"] {
                try await desk.run("edit", id, "--attach", "report.pdf", input: input)
                #expect(try await desk.draft(id)["text"] == "Hello")
            }
            try await desk.run("edit", id, "--later", "+2h", input: "")
            #expect(try await desk.draft(id)["text"] == "Hello")
            try await desk.run("cancel", id)
            let idle = try await desk.run("edit", id, input: "Other\n", status: 1)
            #expect(idle.errors.contains("Nothing to change"), "\(idle.errors)")
            // A page without a text has none to change.
            try await desk.run("edit", id, "--headers", input: "", status: 1)
            try await desk.run("edit", id, "--headers", input: "Cc: carol@example.org\n\n")
            let draft = try await desk.draft(id)
            #expect(draft["text"] == "Hello" && draft["cc"]?.arrayValue?.count == 1 && draft["subject"] == "Hi")
            #expect(draft["attachments"]?.arrayValue?.count == 2)
            // Some editors begin a file with a byte order mark.
            for mark in ["", "\u{FEFF}"] {
                try await desk.run("edit", id, "--body-file", "-", input: "\(mark)New\n")
                #expect(try await desk.draft(id)["text"] == "New")
            }
        }
    }

    @Test func `an empty page changes nothing, and changes can be undone`() async throws {
        try await Desk.with { desk in
            try desk.write("report", to: "report.pdf")
            let id = try await desk.compose(
                "--to",
                "bob@example.org",
                "--subject",
                "Hi",
                "--body",
                "Hello",
                "--attach",
                "report.pdf"
            )
            let before = try await desk.draft(id)
            let terminal = try TypedTerminal()
            for command in [["edit", id], ["compose"]] {
                let process = try desk.world.start(command + ["--offline"], editor: ": > \"$1\"", at: terminal)
                try await process.until("the question") { $0.errors.contains("Edit it again?") ? true : nil }
                #expect(process.errors.contains("The page is empty. Nothing was changed."), "\(process.errors)")
                try terminal.type("n\n")
                #expect(try await process.end() == 3, "\(process.errors)")
                #expect(try await desk.drafts().count == 1)
                #expect(try await desk.draft(id) == before)
            }
            let editor = #"printf 'Subject: Other\nTo: carol@example.org\n\nOther\n' > "$1""#
            let process = try desk.world.start(["edit", id, "--offline"], editor: editor, at: terminal)
            try await process.until("the question") { $0.errors.contains("[u]ndo") ? true : nil }
            #expect(try await desk.draft(id)["text"] == "Other")
            try terminal.type("u\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            #expect(process.output == "Changes undone.\n")
            let after = try await desk.draft(id)
            for name in ["text", "subject", "to", "otherVersions", "state", "attachments"] {
                #expect(after[name] == before[name], "\(name): \(after)")
            }
            #expect(try desk.files(".txt").isEmpty)
            // The bytes of the file are there again.
            let file = try await Device(directory: desk.world.folder.appendingPathComponent("phone")).withMail {
                mail,
                _ in
                let draft = try #require(try await mail.draft(id: id))
                return try await mail.contents(of: try #require(draft.attachments.first), inDraft: id)
            }
            #expect(file == Data("report".utf8))
        }
    }

    @Test func `the other texts of a draft are listed, asked about, and can be taken`() async throws {
        try await Desk.with { desk in
            let id = try await desk.compose("--to", "bob@example.org", "--subject", "Hi", "--body", "First")
            // Two windows change the same text.
            try await Device(directory: desk.world.folder.appendingPathComponent("phone")).withMail { mail, _ in
                let draft = try #require(try await mail.draft(id: id))
                for text in ["Of one window", "Of the other"] {
                    var changed = draft
                    changed.text = text
                    try await mail.save(changed)
                }
            }
            let listed = try #require(try await desk.drafts().first?["otherVersions"]?.arrayValue)
            #expect(listed.map { $0["preview"] } == ["Of one window"] && listed[0]["savedAt"] != nil, "\(listed)")
            let note = "\"Of one window\". To see it: inbox mail edit \(id.suffix(6)) --version 1"
            #expect(try await desk.run("drafts", id).output.contains("\(note)\n\nOf the other\n"))
            let table = try await desk.run("drafts").output
            #expect(table.contains("Another device or window has saved another text"), "\(table)")
            let asked = try await desk.run("send", id, "--json", status: 3)
            #expect(asked.errors.contains(note) && asked.errors.contains("--force"), "\(asked.errors)")
            let problem = try JSON(parsing: asked.output.utf8)["problems"]?.arrayValue?.first
            #expect(problem?["severity"] == "question", "\(asked.output)")
            let terminal = try TypedTerminal()
            let page = try desk.world.start(["edit", id, "--offline"], editor: "cp \"$1\" seen.txt", at: terminal)
            try await page.until("the question") { $0.errors.contains("[s]end as it is") ? true : nil }
            #expect(page.errors.contains("! Another device or window"), "\(page.errors)")
            try terminal.type("k\n")
            #expect(try await page.end() == 0, "\(page.errors)")
            let seen = try String(contentsOf: desk.world.folder.appendingPathComponent("seen.txt"), encoding: .utf8)
            #expect(seen.contains("# Another device or window") && seen.contains(note), "\(seen)")

            try await desk.run("edit", id, "--version", "1")
            let taken = try await desk.draft(id)
            #expect(taken["text"] == "Of one window")
            #expect(taken["otherVersions"]?.arrayValue?.map { $0["preview"] } == ["Of the other"], "\(taken)")
            let missing = try await desk.run("edit", id, "--version", "2", status: 1)
            #expect(missing.errors.contains("The draft has 1 other text"), "\(missing.errors)")
            try await desk.run("edit", id, "--discard-version", "1")
            #expect(try await desk.draft(id)["otherVersions"] == [])
            #expect(try await desk.run("send", id).output.hasPrefix("Waiting to be sent"))
        }
    }

    @Test func `a page that can't be saved is named, and kept until it may be deleted`() async throws {
        try await Desk.with { desk in
            let id = try await desk.compose("--to", "bob@example.org", "--subject", "Hi", "--body", "Hello")
            let terminal = try TypedTerminal()
            // The mail is sent in another window meanwhile.
            let editor = """
                printf 'To: bob@example.org\\n\\nPrecious\\n' > "$1"
                : > opened
                while [ ! -e go ]; do sleep 0.05; done
                """
            let process = try desk.world.start(["edit", id, "--offline"], editor: editor, at: terminal)
            let opened = desk.world.folder.appendingPathComponent("opened")
            try await desk.world.until("the editor") { FileManager.default.fileExists(atPath: opened.path) }
            try await desk.run("send", id, "--later", "+2h")
            try desk.write("", to: "go")
            #expect(try await process.end() == 1, "\(process.errors)")
            #expect(process.errors.contains("inbox mail cancel \(id.suffix(6))"), "\(process.errors)")
            #expect(!process.errors.contains("undoSend"))
            let path = try #require(process.errors.split(separator: "What you wrote is in ").last.map { String($0) })
                .trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("Precious\n"))

            // No editor is opened for a mail that waits.
            try FileManager.default.removeItem(at: opened)
            for options in [[], ["--body", "Other"]] {
                let waiting = try desk.world.start(["edit", id] + options, editor: editor, at: terminal)
                #expect(try await waiting.end() == 1)
                #expect(waiting.errors.contains("Take it back first: inbox mail cancel"), "\(waiting.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: opened.path))
            try await desk.run("discard", id)

            let logout = ["mail", "logout", "--directory", "phone"]
            let refused = try await desk.world.run(logout, status: 1)
            #expect(refused.errors.contains(path) && refused.errors.contains("--discard-drafts"), "\(refused.errors)")
            #expect(FileManager.default.fileExists(atPath: path))
            try await desk.world.run(logout + ["--discard-drafts"])
            #expect(try desk.files(".txt").isEmpty)
        }
    }

    @Test func `a page in another encoding can be edited again, and is kept`() async throws {
        try await Desk.with { desk in
            let terminal = try TypedTerminal()
            let editor = #"printf 'Subject: Gr\374\337e\n\nHello\n' > "$1""#
            let process = try desk.world.start(["compose", "--offline"], editor: editor, at: terminal)
            try await process.until("the question") { $0.errors.contains("Edit it again?") ? true : nil }
            #expect(process.errors.contains("isn't UTF-8"), "\(process.errors)")
            try terminal.type("n\n")
            #expect(try await process.end() == 3, "\(process.errors)")
            #expect(process.errors.contains("What you wrote is in "), "\(process.errors)")
            #expect(try desk.files(".txt").count == 1)
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `headers are read beside HTML`() async throws {
        try await Desk.with { desk in
            try desk.write("<p>Hello <b>Bob</b></p>", to: "page.html")
            let arguments = [
                "mail", "compose", "--to", "bob@example.org", "--html", "page.html", "--headers", "--json",
            ]
            let process = try await desk.world.run(
                arguments + ["--offline", "--directory", "phone"],
                input: "Subject: Of the page\nBcc: eve@example.org\n\n"
            )
            let draft = try JSON(parsing: process.output.utf8)
            #expect(draft["subject"] == "Of the page" && draft["bcc"]?.arrayValue?.count == 1, "\(draft)")
            #expect(draft["html"] == "<p>Hello <b>Bob</b></p>" && draft["text"] == "Hello Bob", "\(draft)")
        }
    }

    @Test func `a pipe isn't attached, and leaves no draft`() async throws {
        try await Desk.with { desk in
            #expect(mkfifo(desk.world.folder.appendingPathComponent("pipe").path, 0o600) == 0)
            for path in ["pipe", "/dev/null"] {
                let process = try await desk.run("compose", "--body", "x", "--attach", path, status: 1)
                #expect(process.errors.contains("\(path) can't be attached"), "\(process.errors)")
            }
            #expect(try await desk.drafts().isEmpty)
        }
    }

    @Test func `a login that can't be verified doesn't replace the one of another user`() async throws {
        try await Desk.with { desk in
            let id = try await desk.compose("--to", "bob@example.org", "--body", "Hello", "--subject", "Hi", "--send")
            let refused = try await desk.login("bob", status: 1)
            #expect(refused.errors.contains("1 draft isn't sent or saved on the server (user alice)"))
            #expect(refused.errors.contains("--discard-drafts"), "\(refused.errors)")
            // The same user may.
            _ = try await desk.login("alice")
            #expect(try await desk.drafts().map { $0["id"] } == [.string(id)])
            let other = try await desk.login("bob", "--discard-drafts", status: 2)
            #expect(other.errors.contains("the server can't be reached: "), "\(other.errors)")
            #expect(other.errors.contains(". Nothing was changed."), "\(other.errors)")
            #expect(try desk.files(".sqlite").count == 1)
            #expect(try await desk.drafts().map { $0["id"] } == [.string(id)])
        }
    }

    /// Starts an editor on a draft, runs a body while it is open, and returns what the command asks then.
    private func editing(
        _ id: String,
        in desk: Desk,
        at terminal: TypedTerminal,
        _ body: () async throws -> Void
    ) async throws -> RunningProcess {
        let editor = """
            printf 'To: bob@example.org\\nSubject: Hi\\n\\nIn the editor\\n' > "$1"
            : > opened
            while [ ! -e go ]; do sleep 0.05; done
            """
        let process = try desk.world.start(["edit", id, "--offline"], editor: editor, at: terminal)
        let opened = desk.world.folder.appendingPathComponent("opened")
        try await desk.world.until("the editor") { FileManager.default.fileExists(atPath: opened.path) }
        try await body()
        try desk.write("", to: "go")
        try await process.until("the question") { $0.errors.contains("[u]ndo") ? true : nil }
        return process
    }

    @Test func `a text that was saved while the editor was open is asked about`() async throws {
        try await Desk.with { desk in
            let id = try await desk.compose("--to", "bob@example.org", "--subject", "Hi", "--body", "Hello")
            let terminal = try TypedTerminal()
            let process = try await editing(id, in: desk, at: terminal) {
                try await desk.run("edit", id, "--body", "Of another window")
            }
            #expect(process.errors.contains("\"Of another window\""), "\(process.errors)")
            #expect(process.errors.contains("[s]end as it is"), "\(process.errors)")
            // What is undone is this window's alone.
            try terminal.type("u\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            let draft = try await desk.draft(id)
            #expect(draft["text"] == "Hello")
            #expect(draft["otherVersions"]?.arrayValue?.map { $0["preview"] } == ["Of another window"], "\(draft)")
        }
    }

    @Test func `changes that another window has continued aren't undone`() async throws {
        try await Desk.with { desk in
            let id = try await desk.compose("--to", "bob@example.org", "--subject", "Hi", "--body", "Hello")
            let terminal = try TypedTerminal()
            let process = try await editing(id, in: desk, at: terminal) {}
            try await desk.run("edit", id, "--body", "In the editor, and more")
            try terminal.type("u\n")
            #expect(try await process.end() == 1, "\(process.errors)")
            #expect(process.errors.contains("Nothing was undone"), "\(process.errors)")
            let draft = try await desk.draft(id)
            #expect(draft["text"] == "In the editor, and more" && draft["otherVersions"] == [], "\(draft)")
        }
    }

    @Test func `the help of each command lists what it has`() async throws {
        try await World.with { world in
            func help(_ command: String) async throws -> String {
                try await world.run(["mail", command, "--help"]).output
            }
            for command in ["cancel", "discard"] {
                #expect(try await help(command).contains("Print a JSON object: changed, synced, and failed"))
            }
            let send = try await help("send")
            #expect(!send.contains("--send") && send.contains("--later"), "\(send)")
            let compose = try await help("compose")
            #expect(compose.contains("--send") && compose.contains("--later") && compose.contains("Reply-To"))
        }
    }
}
