import Foundation
import Groundwork
import RunningMailServer
import Testing

/// The commands for mail, against Cyrus.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct MailCommandTests {
    private func mail(
        _ subject: String,
        from: String = "Anna Berger <anna@example.com>",
        body: String = "Hello.",
        headers: String = "",
        type: String = "text/plain; charset=utf-8"
    ) -> [UInt8] {
        let id = "\(abs(subject.hashValue))"
        let text = """
            From: \(from)
            To: Alice <alice@example.com>
            Subject: \(subject)
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: <\(id)@example.com>
            MIME-Version: 1.0
            Content-Type: \(type)
            \(headers)
            \(body)

            """
        return Array(text.replacing("\n", with: "\r\n").utf8)
    }

    private func login(
        _ world: World,
        _ server: MailServer,
        _ secret: String,
        _ way: String = "--password-stdin",
        status: Int32 = 0
    ) async throws -> RunningProcess {
        try await world.run(
            ["mail", "login", "--server", "\(server.url)", "--user", "alice", way, "--directory", "phone"],
            input: secret + "\n",
            status: status
        )
    }

    /// The JSON that a command prints.
    private func json(_ world: World, _ arguments: String...) async throws -> JSON {
        let process = try await world.run(["mail"] + arguments + ["--json", "--directory", "phone"])
        return try JSON(parsing: process.output.utf8)
    }

    private func subjects(_ json: JSON) -> [String] {
        json["threads"]?.arrayValue?.compactMap { $0["subject"]?.stringValue } ?? []
    }

    @Test func `mail login, list, read, archive, star, search, watch and offline use work`() async throws {
        try await World.with { world in
            try await MailServer.run { server in
                let user = try #require(server.users["alice"])
                let imap = try server.imap()
                try await imap.append([
                    IMAPClient.Mail(mail("Older", from: "bob@example.com"), flags: ["\\Seen"], date: 1_700_000_000),
                    IMAPClient.Mail(
                        mail(
                            "Plans",
                            body: """

                                --x
                                Content-Type: text/plain; charset=utf-8

                                Ünïcode, see https://example.com/a

                                > quoted before
                                --x
                                Content-Type: text/csv; name="a.csv"
                                Content-Disposition: attachment; filename="a.csv"

                                1,2
                                --x--
                                """,
                            type: "multipart/mixed; boundary=x"
                        ),
                        date: 1_700_000_100
                    ),
                ])

                try await wrongLogins(world, server)
                let answer = try await login(world, server, user.password).output
                #expect(answer == "Logged in as alice at \(server.url). 2 threads, 1 unread in the inbox.\n")
                let file = world.folder.appendingPathComponent("phone/mail.json")
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

                let list = try await world.run(["mail", "list", "--directory", "phone"]).output
                #expect(list.contains("Anna Berger") && list.contains("▤ Plans") && list.contains("Older"), "\(list)")
                let all = try await json(world, "list")
                #expect(subjects(all) == ["Plans", "Older"] && all["synced"] == true && all["total"] == 2)
                let id = try #require(all["threads"]?.arrayValue?.first?["id"]?.stringValue)
                let end = String(id.suffix(6))
                let unread = try await json(world, "list", "--unread", "--limit", "5")
                #expect(subjects(unread) == ["Plans"])

                try await sends(world, server, user.password)
                try await reads(world, server, end)
                try await changes(world, server, end)
                try await searches(world, end)
                try await watches(world, imap)

                try await server.kill()
                try await worksOffline(world, end)
            }
        }
    }

    private func wrongLogins(_ world: World, _ server: MailServer) async throws {
        let wrong = try await login(world, server, "wrong-secret", status: 2)
        #expect(wrong.errors.contains("doesn't accept the user name and password"), "\(wrong.errors)")
        #expect(!wrong.errors.contains("wrong-secret"))
        #expect(!FileManager.default.fileExists(atPath: world.folder.appendingPathComponent("phone").path))
        let token = try await login(world, server, "wrong-secret", "--token-stdin", status: 2)
        #expect(token.errors.contains("doesn't accept the user name and token"), "\(token.errors)")
        let list = try await world.run(["mail", "list", "--directory", "phone"], status: 2)
        #expect(list.errors.contains("inbox mail login") && list.output.isEmpty)
    }

    /// Cyrus has no address for the account.
    private func sends(_ world: World, _ server: MailServer, _ password: String) async throws {
        let mail = ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Hello", "--send"]
        let unsent = try await world.run(mail + ["--directory", "phone"], status: 3)
        let command =
            "inbox mail login --server \(server.url) --user alice --password-stdin --directory phone --from ADDRESS"
        #expect(unsent.errors.contains(command), "\(unsent.errors)")
        let drafts = try await json(world, "drafts", "--offline")["drafts"]?.arrayValue ?? []
        for id in drafts.compactMap({ $0["id"]?.stringValue }) {
            try await world.run(["mail", "discard", id, "--offline", "--directory", "phone"])
        }
        let from = ["--from", "Alice <alice@example.com>"]
        for from in [from, []] {
            try await world.run(
                ["mail", "login", "--server", "\(server.url)", "--user", "alice", "--password-stdin"] + from
                    + ["--directory", "phone"],
                input: password + "\n"
            )
            let login = try Data(contentsOf: world.folder.appendingPathComponent("phone/mail.json"))
            #expect(try JSON(parsing: login)["sender"] == "Alice <alice@example.com>")
        }
    }

    private func reads(_ world: World, _ server: MailServer, _ id: String) async throws {
        let read = try await world.run([
            "mail", "read", id, "--save", "saved", "--directory", "phone",
        ])
        for part in ["Plans", "Anna Berger <anna@example.com> ●", "Ünïcode", "> quoted before", "▤ a.csv  3 B"] {
            #expect(read.output.contains(part), "\(part) in \(read.output)")
        }
        #expect(read.errors.contains("Saved a.csv"), "\(read.errors)")
        let saved = try String(contentsOf: world.folder.appendingPathComponent("saved/a.csv"), encoding: .utf8)
        #expect(saved.hasPrefix("1,2"))
        let flags = try await server.imap().mails().map(\.flags)
        #expect(flags == [["\\Seen"], ["\\Seen"]])
        let unknown = try await world.run(["mail", "read", "nonesuch", "--directory", "phone"], status: 1)
        #expect(unknown.errors.contains("No thread") && unknown.errors.contains("Older"))
    }

    private func changes(_ world: World, _ server: MailServer, _ id: String) async throws {
        func run(_ arguments: String...) async throws -> String {
            try await world.run(["mail"] + arguments + ["--directory", "phone"]).output
        }
        #expect(try await run("star", id) == "1 starred. Sent.\n")
        #expect(try await run("star", id) == "Already starred.\n")
        #expect(subjects(try await json(world, "list", "--starred")) == ["Plans"])
        #expect(try await run("archive", id) == "1 archived. Sent.\n")
        #expect(try await run("archive", id) == "Not in the inbox.\n")
        #expect(try await server.imap().mails(in: "Archive").map(\.flags) == [["\\Flagged", "\\Seen"]])
        #expect(subjects(try await json(world, "list")) == ["Older"])
        #expect(subjects(try await json(world, "list", "--mailbox", "archive")) == ["Plans"])
        let none = try await world.run(["mail", "list", "--mailbox", "Wrong", "--directory", "phone"], status: 1)
        #expect(none.errors.contains("The mailboxes are: ") && none.errors.contains("Archive"))
        #expect(try await run("archive", "--undo", id) == "1 back in the inbox. Sent.\n")
        #expect(try await run("star", "--undo", id) == "1 unstarred. Sent.\n")
    }

    private func searches(_ world: World, _ id: String) async throws {
        // The device has its text, since it was read.
        for way in [[], ["--offline"]] {
            let found = try await world.run(["mail", "search", "unico", "--directory", "phone"] + way).output
            #expect(found.contains("Plans") && found.contains(id) && found.contains("Ünïcode"), "\(found)")
        }
        let server = try await json(world, "search", "--server", "Older")
        #expect(server["server"] == true && server["results"]?.arrayValue?.first?["subject"] == "Older", "\(server)")
        #expect(try await world.run(["mail", "search", "xyzzy", "--directory", "phone"]).output == "Nothing found.\n")
    }

    private func watches(_ world: World, _ imap: IMAPClient) async throws {
        let watch = try world.start(["mail", "watch", "--directory", "phone"])
        try await watch.until("the list") { $0.lines.count == 2 ? true : nil }
        try await imap.append([IMAPClient.Mail(mail("Just in", from: "Cleo <cleo@example.com>"))])
        // Another process fetches it, and the watching one observes the store.
        try await world.run(["mail", "status", "--directory", "phone"])
        let line = try await watch.until("the new mail") { $0.lines.first { $0.contains("Just in") } }
        #expect(line.contains("  new     Cleo  Just in"), "\(line)")
        watch.signal(SIGINT)
        #expect(try await watch.end() == 0)
    }

    private func worksOffline(_ world: World, _ id: String) async throws {
        let list = try await world.run(["mail", "list", "--directory", "phone"])
        #expect(list.errors.contains("Not up to date") && list.output.contains("Plans"), "\(list.errors)")
        let read = try await world.run(["mail", "read", id, "--directory", "phone"])
        #expect(read.output.contains("Ünïcode"))
        let star = try await world.run(["mail", "star", id, "--offline", "--directory", "phone"])
        #expect(star.output == "1 starred. Waiting to be sent: --offline.\n")
        let status = try await json(world, "status")
        #expect(status["synced"] == false && status["pendingWrites"] == 1 && status["mails"] == 3, "\(status)")
        let store = try #require(status["store"]?.stringValue)
        #expect(FileManager.default.fileExists(atPath: store), "\(store)")
        #expect(status["user"] == "alice" && status["scheme"] == "basic" && status["problem"] != nil)
        #expect(try await !world.run(["mail", "status", "--directory", "phone"]).output.contains("secret"))
    }

    @Test func `logging in as another user logs the earlier one out`() async throws {
        try await World.with { world in
            try await MailServer.run(users: ["alice", "bob"]) { server in
                func login(_ name: String, _ options: String...) async throws -> RunningProcess {
                    let user = try #require(server.users[name])
                    let arguments = ["mail", "login", "--server", "\(server.url)", "--user", name, "--password-stdin"]
                    return try await world.run(
                        arguments + options + ["--directory", "phone"],
                        input: user.password + "\n"
                    )
                }
                func stores() throws -> [String] {
                    let folder = world.folder.appendingPathComponent("phone").path
                    return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                        $0.hasSuffix(".sqlite")
                    }
                }
                _ = try await login("alice")
                let draft = ["mail", "compose", "--body", "Hello", "--offline", "--directory", "phone"]
                try await world.run(draft)
                let other = try await login("bob", "--discard-drafts")
                #expect(other.output.contains("Logged in as bob") && other.errors.contains("Logged out as alice"))
                #expect(try await json(world, "status")["user"] == "bob")
                #expect(try stores().count == 1)
                // Without a draft nothing is lost.
                #expect(try await login("alice").errors.contains("Logged out as bob"))
                #expect(try stores().count == 1)
            }
        }
    }

    @Test func `a token logs in, and an address without mail is an error`() async throws {
        try await World.with { world in
            try await MailServer.run { server in
                let user = try #require(server.users["alice"])
                #expect(try await login(world, server, user.token, "--token-stdin").output.contains("0 threads"))
                #expect(try await json(world, "status")["scheme"] == "bearer")
                #expect(try await world.run(["mail", "list", "--directory", "phone"]).output == "No mails.\n")
            }
            try await world.startServer()
            let wrong = try await world.run(
                ["mail", "login", "--server", world.url, "--user", "a", "--password-stdin", "--directory", "tablet"],
                input: "x",
                status: 2
            )
            #expect(!wrong.errors.isEmpty)
            let far = try await world.run(
                ["mail", "login", "--server", "http://mail.example", "--user", "a", "--password-stdin"],
                input: "x",
                status: 64
            )
            #expect(far.errors.contains("https"), "\(far.errors)")
        }
    }
}
