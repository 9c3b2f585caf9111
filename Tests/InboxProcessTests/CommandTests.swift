import Foundation
import Groundwork
import RawSockets
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The output and the exit codes of the commands.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CommandTests {
    @Test func `a wrong token is an error with exit code 2 and changes nothing`() async throws {
        try await World.with { world in
            try await world.startServer()
            let login = try await world.run(
                ["login", "--person", "alice", "--token-stdin", "--directory", "phone"],
                input: "wrong\n",
                status: 2
            )
            #expect(login.errors.contains("doesn't accept the token"))
            #expect(!login.errors.contains("wrong"))
            let list = try await world.run(["list", "--directory", "phone"], status: 2)
            #expect(list.errors.contains("inbox login --server URL --person ID --token-stdin --directory phone"))
            #expect(list.output.isEmpty)
        }
    }

    @Test func `a command that doesn't exist is an error, also in a request for help`() async throws {
        try await World.with { world in
            for (arguments, name) in [
                (["help", "nosuch"], "inbox nosuch"), (["erase", "--help"], "inbox erase"),
                (["mail", "nosuch", "-h"], "inbox mail nosuch"), (["help", "mail", "nosuch"], "inbox mail nosuch"),
                (["nosuch"], "inbox nosuch"), (["token", "nosuch", "--json"], "inbox token nosuch"),
            ] {
                let ended = try await world.run(arguments, status: 64)
                #expect(ended.errors.contains("There is no command \(name)."), "\(ended.errors)")
                #expect(ended.output.isEmpty, "\(arguments)")
            }
            for (arguments, usage) in [
                (["help"], "USAGE: inbox <command>"), (["--help"], "USAGE: inbox <command>"),
                (["help", "mail", "list"], "USAGE: inbox mail list"),
                (["read", "nosuch", "--help"], "USAGE: inbox read"),
            ] {
                #expect(try await world.run(arguments).output.contains(usage), "\(arguments)")
            }
        }
    }

    @Test func `an argument that isn't UTF-8 is refused`() async throws {
        try await World.with { world in
            let shell = try #require(ExternalProgram.find("sh"))
            let command = #""$0" send --to alice --title "$(printf 'caf\351')" 2>&1; echo $?"#
            let tool = try RunningProcess.tool("inbox").path
            let output = try await ExternalProgram.run(shell, ["-c", command, tool], in: world.folder)
            #expect(output.contains("An argument isn't UTF-8.") && output.hasSuffix("64\n"), "\(output)")
        }
    }

    @Test func `an empty list doesn't announce new messages`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            #expect(try await phone.run("list").output == "No messages.\n")
        }
    }

    @Test func `the version is the newest one of the changelog`() async throws {
        try await World.with { world in
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let text = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
            let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
            let version = try #require(heading.dropFirst(3).split(separator: " ").first).lowercased()
            #expect(try await world.run(["--version"]).output == "inbox \(version)\n")
            // This one is an option of the command.
            let edit = try await world.run(["mail", "edit", "x4k2p9", "--version", "a"], status: 64)
            #expect(edit.errors.contains("--version"), "\(edit.errors)")
        }
    }

    @Test func `another person's token is refused`() async throws {
        try await World.with { world in
            try await world.startServer()
            _ = try await world.device("bobs", person: "bob")
            let file = world.folder.appendingPathComponent("bobs/login.json")
            let login = try JSON(parsing: [UInt8](Data(contentsOf: file)))
            let token = try #require(login["token"]?.stringValue)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(login["key"] == nil)
            let refused = try await world.run(
                ["login", "--person", "alice", "--token-stdin", "--directory", "phone"],
                input: token,
                status: 2
            )
            #expect(refused.errors.contains("another person"))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            let list = try await world.run(["list", "--offline", "--directory", "bobs"])
            #expect(list.errors.contains("bobs/login.json had the mode 640 and has 600 now."), "\(list.errors)")
        }
    }

    @Test(arguments: [["login", "--person", "alice"], ["mail", "login", "--user", "alice"]])
    func `a login that couldn't be verified is stored and doesn't count as logged in`(command: [String]) async throws {
        try await World.with { world in
            let login = try await world.run(
                command + ["--token-stdin", "--server", "http://127.0.0.1:9", "--directory", "phone"],
                input: "token\n"
            )
            #expect(login.output == "The login as alice at http://127.0.0.1:9 is stored.\n")
            #expect(login.errors.contains("couldn't be verified"), "\(login.errors)")
        }
    }

    @Test func `a typed token is prompted for and not echoed`() async throws {
        try await World.with { world in
            try await world.startServer()
            let token = try await world.token(for: "alice")
            let login = ["login", "--person", "alice", "--token-stdin", "--directory", "phone"]
            let terminal = try TypedTerminal()
            let process = try world.start(login, terminal: terminal)
            try await process.until("it asks") { $0.errors.contains("Token: ") && !terminal.isEchoing ? true : nil }
            try terminal.type(token + "\n")
            #expect(try await process.end() == 0)
            #expect(process.output.hasPrefix("Logged in as alice") && terminal.isEchoing)
            // Ctrl-C restores the echo of the terminal.
            let second = try world.start(login, terminal: terminal)
            try await second.until("it asks") { $0.errors.contains("Token: ") && !terminal.isEchoing ? true : nil }
            try terminal.type("abc\u{3}")
            #expect(try await second.end() == 1)
            #expect(second.errors.contains("Interrupted.") && terminal.isEchoing)
        }
    }

    @Test func `a stored key that no longer works is an error with advice to log in`() async throws {
        try await World.with { world in
            try await world.startServer(options: ["--wrong-key-limit", "1"])
            let id = try await world.send("Only one")
            let phone = try await world.device("phone")
            let file = world.folder.appendingPathComponent("phone/login.json")
            var login = try #require(try JSON(parsing: [UInt8](Data(contentsOf: file))).objectValue)
            (login["token"], login["key"]) = ("refused", "refused")
            try JSON.object(login).data.write(to: file)
            let unknown = try await phone.run("read", "nonesuch", status: 2)
            #expect(unknown.errors.contains("nonesuch") && unknown.errors.contains("Only one"), "\(unknown.errors)")
            // What is stored is shown, and changes are stored, each with the exit code 2. The key was sent once: the
            // server checks few wrong keys of an address.
            for (command, output) in [
                (["list"], "Only one"), (["list", "--json"], "Only one"), (["search", "only"], "Only one"),
                (["status"], "alice"), (["status", "--json"], #""synced":false"#), (["show", id], "Only one"),
                (["archive", id], "1 archived. Waiting to be sent: "), (["archive", id, "--json"], #""sent":false"#),
                (["archive", id], "Already in the archive."),
                (["undo"], "1 no longer archived. Waiting"), (["delete", id, "--json"], #""sent":false"#),
            ] {
                let process = try await world.run(command + ["--directory", "phone"], status: 2)
                #expect(process.output.contains(output), "\(command): \(process.output)")
                #expect((process.output + process.errors).contains("inbox login"), "\(command): \(process.errors)")
            }
            // Without the server, nothing is refused.
            try await phone.run("list", "--offline")
            try await phone.run("read", id, "--offline")
            #expect(try await world.device("phone").list("--filter", "deleted").ids == [id])
            #expect(try await phone.run("status").output.contains("nothing"))
        }
    }

    @Test func `a key that the server refused is sent again after a minute`() async throws {
        try await World.with { world in
            try await world.startServer()
            _ = try await world.send("Only one")
            let phone = try await world.device("phone")
            let file = world.folder.appendingPathComponent("phone/login.json")
            for (seconds, status) in [(-5.0, Int32(2)), (-61, 0)] {
                var login = try #require(try JSON(parsing: [UInt8](Data(contentsOf: file))).objectValue)
                (login["token"], login["key"]) = ("refused", .string(world.key))
                login["keyRefusedAt"] = .string(RFC3339.string(from: Date(timeIntervalSinceNow: seconds)))
                try JSON.object(login).data.write(to: file)
                try await phone.run("list", status: status)
            }
            // A login that works has no refusal.
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("keyRefusedAt"))
        }
    }

    @Test func `of many messages, the valid ones are sent once and the invalid one is named`() async throws {
        try await World.with { world in
            try await world.startServer()
            let lines = """
                {"to": {"person": "alice"}, "message": {"title": "One"}}
                {"to": {"person": "alice"}, "message": {"title": 2}}
                {"to": {"people": ["alice", "bob"]}, "message": {"title": "Three"}}
                """
            for _ in 1...2 {
                let sent = try await world.run(["send", "--file", "-"], input: lines, status: 1)
                #expect(sent.output == "Sent 2 of 3 messages. 1 refused.\n")
                #expect(sent.errors.contains("item 2: ") && sent.errors.contains("/message/title"))
            }
            // Also without the invalid message.
            let rest = lines.split(separator: "\n").filter { !$0.contains(#""title": 2"#) }.joined(separator: "\n")
            #expect(try await world.run(["send", "--file", "-"], input: rest).output == "Sent 2 messages.\n")
            let phone = try await world.device("phone")
            #expect(try await phone.list().ids.count == 2)
            // Each path is another file, unless the sender gives a prefix.
            let sendings: [(name: String, prefix: String?, count: Int)] = [
                ("a", nil, 4), ("b", nil, 6), ("c", "x", 8), ("d", "x", 8), ("a", nil, 8),
            ]
            for (name, prefix, count) in sendings {
                try Data(rest.utf8).write(to: world.folder.appendingPathComponent("\(name).json"))
                let options = prefix.map { ["--idempotency-prefix", $0] } ?? []
                try await world.run(["send", "--file", "\(name).json"] + options)
                #expect(try await phone.list().ids.count == count, "\(name)")
            }
        }
    }

    @Test func `any unique end of an id works, and an unknown id lists candidates`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let id = try await world.send("Only one")
            #expect(try await phone.run("show", String(id.suffix(6)), "--json").output.contains(id))
            let unknown = try await phone.run("read", "nonesuch", status: 1)
            #expect(unknown.errors.contains("nonesuch") && unknown.errors.contains("Only one"))
            #expect(try await phone.run("archive", id).output == "1 archived. Sent.\n")
            #expect(try await phone.run("archive", id).output == "Already in the archive.\n")
            #expect(try await phone.run("delete", id).output == "1 deleted. Sent.\n")
            #expect(try await phone.list("--filter", "deleted").ids == [id])
            #expect(try await phone.run("delete", "--undo", id).output == "1 restored. Sent.\n")
            #expect(try await phone.list("--filter", "archived").ids == [id])
        }
    }

    /// A new device holds the newest 50 messages, and its commands reach all of them.
    @Test func `commands reach messages the device doesn't hold, and lists state the rest`() async throws {
        try await World.with { world in
            try await world.startServer()
            let lines = (0..<60).map { #"{"to": {"person": "alice"}, "message": {"title": "Number \#($0)"}}"# }
            try await world.run(["send", "--file", "-"], input: lines.joined(separator: "\n"))
            let old = try await world.device("old")
            let all = try await old.list("--limit", "100")
            #expect(all.ids.count == 60 && all.json["isComplete"] == true && all.json["counts"]?["isExact"] == true)
            let oldest = Array(all.ids.suffix(3))
            try await world.run(["read"] + all.ids.dropLast(3) + ["--directory", "old"])
            try await old.run("delete", oldest[0])

            let phone = try await world.device("phone")
            let listed = try await phone.run("list", "--compact")
            #expect(
                listed.errors.contains("Showing 50 of 59. Use --limit to see more, or --older for what follows."),
                "\(listed.errors)"
            )
            let unread = try await phone.list("--filter", "unread")
            #expect(unread.ids == Array(oldest.dropFirst()) && unread.unread == 2)
            #expect(try await phone.list("--filter", "deleted").ids == [oldest[0]])
            // By the end of an id that no list on this device has shown.
            let tablet = try await world.device("tablet")
            let title = try #require(all.messages.last?["title"]?.stringValue)
            let shown = try await tablet.run("show", String(oldest[2].suffix(8)), "--keep-unread")
            #expect(shown.output.contains(title))
            #expect(try await tablet.run("delete", "--undo", oldest[0]).output == "1 restored. Sent.\n")
            #expect(try await tablet.run("read", oldest[1]).output == "1 read. Sent.\n")
            #expect(try await phone.list("--limit", "60").ids.count == 60)
        }
    }

    @Test func `a list follows its surface's settings, also offline`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let settings: JSON = [
                "title": "Post", "emptyTitle": "All done", "emptyMessage": "Come\nback",
                "unreadIndicator": ["isShown": false],
            ]
            #expect(try await world.request("PUT", "/v1/surfaces/inbox", body: settings).status < 300)
            #expect(try await phone.run("list").output == "All done\nCome\nback\n")
            #expect(try await phone.run("list", "--filter", "archived").output == "The archive is empty.\n")
            let id = try await world.send("Only one")
            for options in [[], ["--offline"]] {
                let list = try await world.run(["list", "--surface", "inbox", "--directory", "phone"] + options).output
                #expect(list.hasPrefix("Post\n\n   Only one ") && list.contains(id.suffix(6)), "\(list)")
            }
            #expect(try await phone.run("list").output.hasPrefix("   Only one "))
            #expect(try await phone.run("show", id, "--keep-unread").output.hasPrefix("   Only one\n"))
        }
    }

    @Test func `sending without a server is an error`() async throws {
        try await World.with { world in
            let sent = try await world.run(["send", "--to", "alice", "--title", "Hello"], status: 1)
            #expect(sent.errors.contains("can't be reached"))
            #expect(try await world.run(["send", "--to", "alice"], status: 64).errors.contains("--title"))
            let both = try await world.run(["send", "--to", "alice", "--everyone", "--title", "Hello"], status: 64)
            #expect(both.errors.contains("--to and --everyone can't be combined"), "\(both.errors)")
            let neither = try await world.run(["send", "--title", "Hello"], status: 64)
            #expect(neither.errors.contains("The recipients are missing"), "\(neither.errors)")
            let read = try await world.run(["read", "x4k2p9", "--all"], status: 64)
            #expect(read.errors.contains("only one of --all and the ids"), "\(read.errors)")
        }
    }

    @Test func `a wrong value is refused with its option, and with the values that there are`() async throws {
        try await World.with { world in
            let login = ["mail", "login", "--server", "https://mail.example", "--password-stdin", "--user", ""]
            for (arguments, text) in [
                (["list", "--directory", ""], "The path of --directory is empty."),
                (["mail", "read", "x", "--save", ""], "The path of --save is empty."),
                (["mail", "compose", "--attach", ""], "The path of --attach is empty."),
                (["send", "--file", ""], "The path of --file is empty."),
                (["send", "--everyone", "--title", "x", "--key-file", ""], "The path of --key-file is empty."),
                (["backup", "", "--database", "a.sqlite"], "The path of the backup is empty."),
                (["doctor", "--database", ""], "The path of --database is empty."),
                (["list", "--filter", "nosuch"], "The filters are inbox, unread, read, snoozed, archived, "),
                (["mail", "search", " "], "The words are missing."),
                (["mail", "verify-later", "--after", "4"], "--after has to be from 5 to 3600 seconds."),
                (["mail", "edit", "x4k2p9", "--version", "0"], "--version has to be at least 1."),
                (["token", "revoke", "--person", ""], "--person has to be a person's id"),
                (login, "user name is empty."),
            ] as [([String], String)] {
                let ended = try await world.run(arguments, status: 64)
                #expect(ended.errors.contains(text), "\(arguments): \(ended.errors)")
                #expect(ended.output.isEmpty, "\(arguments)")
            }
            // Nothing was made in the working directory.
            let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
            #expect(!files.contains { $0.hasSuffix(".json") || $0.contains(".sqlite") }, "\(files)")
        }
    }

    @Test func `an unknown option is named before what is missing`() async throws {
        try await World.with { world in
            for (arguments, option) in [
                (["send", "--person"], "--person"), (["send", "--to", "alice", "--titel", "Hello"], "--titel"),
                (["audit", "--kinds", "x"], "--kinds"), (["token", "revoke", "--person", "alice", "--now"], "--now"),
                (["keys", "rotate", "--now"], "--now"), (["login", "--person", "alice", "--tokens"], "--tokens"),
                (["read", "--every"], "--every"), (["mail", "login", "--adress"], "--adress"),
            ] as [([String], String)] {
                let process = try world.start(arguments, environment: ["INBOX_SERVER": "", "INBOX_KEY": ""])
                #expect(try await process.end() == 64, "\(arguments)")
                #expect(process.errors.contains("Unknown option '\(option)'"), "\(arguments): \(process.errors)")
            }
            for (arguments, text) in [
                (["send"], "The recipients are missing."), (["audit"], "The server is missing."),
                (["send", "--everyone", "--title", "x"], "The server is missing."),
                (["login", "--person", "alice"], "The server is missing."),
                (["login", "--person", "alice", "--server", "http://127.0.0.1:9"], "Give --token-file"),
                (["read"], "The messages are missing."), (["mail", "login"], "Give your mail address."),
            ] as [([String], String)] {
                let process = try world.start(arguments, environment: ["INBOX_SERVER": "", "INBOX_KEY": ""])
                #expect(try await process.end() == 64, "\(arguments)")
                let usage = "Usage: inbox \(arguments.prefix { !$0.hasPrefix("-") }.joined(separator: " "))"
                #expect(process.errors.contains(text) && process.errors.contains(usage), "\(process.errors)")
            }
        }
    }

    @Test func `blind copies pasted into an option that all recipients see are refused`() async throws {
        try await World.with { world in
            for option in ["--to", "--cc"] {
                let pasted = "bob@example.org\nBcc: eve@example.org"
                let ended = try await world.run(["mail", "compose", option, pasted, "--body", "x"], status: 64)
                let text = "\(option) Bcc: eve@example.org: This is a blind copy"
                #expect(ended.errors.contains(text), "\(ended.errors)")
            }
            // It is read, and what is missing is the login.
            let compose = ["mail", "compose", "--bcc", "Bcc: eve@example.org", "--body", "x", "--directory", "phone"]
            _ = try await world.run(compose, status: 2)
        }
    }

    @Test func `serving on a used port is an error that names the port`() async throws {
        try await World.with { world in
            try await world.startServer()
            let port = try #require(URL(string: world.url)?.port)
            let second = try await world.run(["serve", "--database", "second.sqlite", "--port", "\(port)"], status: 1)
            #expect(second.errors.contains("\(port)") && second.errors.contains("--port"))
            #expect(second.output.isEmpty)
        }
    }

    @Test func `serving without a key generates one, once`() async throws {
        try await World.with { world in
            for isFirst in [true, false] {
                let server = try world.start(["serve", "--database", "own.sqlite", "--port", "0"])
                try await server.until("ready") {
                    $0.lines.contains { $0.hasPrefix("inbox is ready at ") } ? true : nil
                }
                if isFirst { try await server.until("the key") { $0.output.contains("API key") ? true : nil } }
                server.signal(SIGINT)
                #expect(try await server.end() == 0)
                #expect(server.output.contains("API key") == isFirst)
            }
        }
    }

    @Test func `the demo starts and ends, and a second run duplicates nothing`() async throws {
        try await World.with { world in
            var seen: [Set<String>] = []
            for run in 1...2 {
                let (demo, url) = try await Self.startDemo(in: world)
                let state = try JSON(
                    parsing: [UInt8](Data(contentsOf: world.folder.appendingPathComponent(".demo/demo.json")))
                )
                let key = try #require(state["key"]?.stringValue)
                #expect(demo.output.contains("curl \(url)/v1/messages"))
                // A command's arguments are visible in `ps`.
                #expect(!demo.output.contains(key))
                try await world.run([
                    "login", "--server", url, "--key-file", ".demo/key", "--person", "alice", "--directory",
                    "alice\(run)",
                ])
                let list = try await TestDevice(name: "alice\(run)", world: world).list()
                seen.append(Set(list.ids))
                // On another port the pictures are at another address.
                let pictures = list.messages.compactMap { $0["media"]?["url"]?.stringValue }
                #expect(pictures.count >= 4 && pictures.allSatisfy { $0.hasPrefix("\(url)/inbox/pictures/") })
                // Each template, by its name or by what the message has, and each state.
                let templates = list.messages.map { message in
                    message["templateId"]?.stringValue ?? (message["media"] == nil ? "PlainText" : "SmallImage")
                }
                #expect(Set(templates) == ["ImageOnly", "LargeImage", "PlainText", "Push", "SmallImage"])
                #expect(list.messages.contains { $0["pinned"]?.boolValue ?? false })
                #expect(list.messages.contains { $0["readAt"]?.stringValue != nil })
                for part in ["archived", "snoozed"] {
                    let hidden = try await TestDevice(name: "alice\(run)", world: world).list("--filter", part)
                    #expect(hidden.ids.count == 1, "\(part)")
                }
                #expect(list.unread > 0)
                let second = try await world.run(["demo", "--port", "0"], status: 1)
                #expect(second.errors.contains("choose another --directory"), "\(second.errors)")
                demo.signal(SIGINT)
                #expect(try await demo.end() == 0)
            }
            #expect(seen[0].count >= 11)
            #expect(seen[1].isSuperset(of: seen[0]))
            // One message is delivered later, possibly after the first run has ended.
            #expect(seen[1].count <= seen[0].count + 1)
            let missing = try await world.run(["demo", "--messages", "none.json"], status: 1)
            #expect(missing.errors.contains("none.json"))
        }
    }

    @Test func `the demo prints a link for each person that opens their inbox signed in`() async throws {
        try await World.with { world in
            let (demo, url) = try await Self.startDemo(in: world)
            let links = demo.lines.compactMap { line -> (person: String, url: String)? in
                let words = line.split(separator: " ").map { String($0) }
                guard words.count == 2, words[1].hasPrefix("\(url)/inbox/sign-in/") else { return nil }
                return (words[0], words[1])
            }
            #expect(links.map(\.person) == ["alice", "bob", "chioma"])
            #expect(demo.output.contains("Each link works once, within ten minutes"))
            for link in links {
                let session = URLSession(configuration: .ephemeral)
                let (page, answer) = try await session.answer(to: URLRequest(url: try #require(URL(string: link.url))))
                // The redirect was followed, with the cookie.
                let http = try #require(answer as? HTTPURLResponse)
                #expect(http.statusCode == 200 && http.url?.path == "/inbox")
                let html = String(decoding: page, as: UTF8.self)
                #expect(html.contains("Riders rest on Monday"))
                let pictures = html.matches(of: /(?:src|srcset)="([^"]*\/inbox\/pictures\/[^"]*)"/).map { $0.1 }
                #expect(!pictures.isEmpty)
                for picture in Set(pictures) {
                    let (_, answer) = try await session.answer(
                        to: URLRequest(url: try #require(URL(string: String(picture))))
                    )
                    let http = try #require(answer as? HTTPURLResponse)
                    // One picture is missing, to show its placeholder.
                    let isMissing = picture.hasSuffix("deleted.svg")
                    #expect(isMissing ? http.statusCode == 404 : http.mimeType == "image/svg+xml", "\(picture)")
                }
                let again = URLSession(configuration: .ephemeral)
                let (_, refused) = try await again.answer(to: URLRequest(url: try #require(URL(string: link.url))))
                #expect((refused as? HTTPURLResponse)?.statusCode == 401)
            }
            demo.signal(SIGINT)
            #expect(try await demo.end() == 0)
        }
    }

    @Test func `the demo counts the messages that were sent, not those that the server refuses`() async throws {
        try await World.with { world in
            let file = world.folder.appendingPathComponent("messages.json")
            let messages: JSON = [
                ["to": ["person": "alice"], "message": ["title": "Hello"]],
                ["to": ["person": "alice"], "message": ["titel": "Hello"]],
            ]
            try messages.data.write(to: file)
            let (demo, _) = try await Self.startDemo(in: world, messages: file.path)
            #expect(demo.output.contains("It has 1 message for alice."), "\(demo.output)")
            #expect(demo.errors.contains("message 2 wasn't sent"), "\(demo.errors)")
            demo.signal(SIGINT)
            #expect(try await demo.end() == 0)
        }
    }

    /// Starts the demo, and waits until it has printed everything.
    private static func startDemo(
        in world: World,
        messages: String? = nil
    ) async throws -> (demo: RunningProcess, url: String) {
        let demo = try world.start(["demo", "--port", "0"] + (messages.map { ["--messages", $0] } ?? []))
        try await demo.until("the instructions") { $0.output.contains("Ctrl-C stops the demo") ? true : nil }
        return (demo, String(try #require(demo.lines.first?.split(separator: " ").first { $0.hasPrefix("http") })))
    }
}
