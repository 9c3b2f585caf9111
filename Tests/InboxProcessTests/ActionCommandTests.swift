import Foundation
import Groundwork
import Testing

/// The commands that change messages, search and continue lists.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ActionCommandTests {
    /// Starts a server, sends messages to alice, and returns their ids.
    private func send(_ messages: [JSON], in world: World) async throws -> [String] {
        try await world.startServer()
        var ids: [String] = []
        for message in messages {
            let body: JSON = ["to": ["person": "alice"], "message": message]
            let answer = try JSON(parsing: try await world.request("POST", "/v1/messages", body: body).bytes)
            ids.append(try #require(answer["id"]?.stringValue))
        }
        return ids
    }

    @Test func `a logout sends what waits, and deletes the messages and the login`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let id = try await world.send("Hello")
            #expect(try await phone.list().ids == [id])
            try await phone.run("read", id, "--offline")
            let folder = world.folder.appendingPathComponent("phone").path
            let logout = try await phone.run("logout")
            #expect(logout.output.contains("Logged out as alice at \(world.url)"), "\(logout.output)")
            #expect(logout.errors.isEmpty, "\(logout.errors)")
            #expect(try await laptop.list().isRead(id))
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            #expect(!files.contains { $0.hasSuffix(".sqlite") || $0.hasSuffix(".json") }, "\(files)")
            for command in ["list", "logout"] {
                let errors = try await world.run([command, "--directory", "phone"], status: 2).errors
                #expect(errors.contains("This device has no login"), "\(errors)")
            }
        }
    }

    @Test func `a logout without the server says what is lost`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let id = try await world.send("Hello")
            #expect(try await phone.list().ids == [id])
            try await world.stopServer()
            try await phone.run("read", id, "--offline")
            let logout = try await phone.run("logout")
            #expect(logout.errors.contains("1 message had changes that couldn't be sent."), "\(logout.errors)")
            _ = try await world.run(["list", "--offline", "--directory", "phone"], status: 2)
        }
    }

    @Test func `snoozing hides messages until a time, and unsnoozing brings them back`() async throws {
        try await World.with { world in
            let ids = try await send([["title": "a"], ["title": "b"], ["title": "c"]], in: world)
            let phone = try await world.device("phone")
            let snoozed = try await phone.run("snooze", ids[0], ids[1], "--until", "+2h")
            #expect(
                snoozed.output.contains(/^2 snoozed until \d{4}-\d\d-\d\d \d\d:\d\d\. Sent\.\n$/),
                "\(snoozed.output)"
            )
            #expect(try await phone.list().ids == [ids[2]])
            #expect(Set(try await phone.list("--filter", "snoozed").ids) == Set(ids.prefix(2)))
            #expect(try await phone.run("unsnooze", ids[0]).output == "1 back in the inbox. Sent.\n")
            #expect(try await phone.run("unsnooze", ids[0]).output == "Not snoozed.\n")
            #expect(Set(try await phone.list().ids) == [ids[0], ids[2]])
            // Without a time it is the next morning.
            try await phone.run("snooze", ids[2])
            let message = try await phone.list("--filter", "snoozed").messages.first { $0["title"] == "c" }
            #expect(
                message?["snoozedUntil"]?.stringValue?.hasSuffix("T08:00:00Z") ?? false,
                "\(String(describing: message))"
            )
        }
    }

    @Test func `an invalid or out-of-range time is refused`() async throws {
        let cases = [
            ("-1h", "in the future"), ("1999-01-01", "in the future"), ("9999-12-31", "five years"),
            ("+1000000w", "five years"), ("2026-02-30", "no such day"), ("2026-05-12T24:00", "no such day"),
            ("soon", "a day such as"), ("", "--until"), ("9999-12-31T23:59:59Z", "five years"),
        ]
        try await World.with { world in
            let ids = try await send([["title": "a"]], in: world)
            let phone = try await world.device("phone")
            for (time, words) in cases {
                let refused = try await phone.run("snooze", ids[0], "--until=\(time)", status: 64)
                #expect(refused.errors.contains(words), "\(time): \(refused.errors)")
                #expect(try await phone.list().ids == ids, "\(time)")
            }
        }
    }

    /// A UTC time some days from now, in whole seconds.
    private static func day(after days: Double) -> String {
        let time = Date().timeIntervalSince1970.rounded() + days * 86_400
        return Date(timeIntervalSince1970: time).formatted(.iso8601)
    }

    @Test func `undo reverts the last action once, and exactly that`() async throws {
        try await World.with { world in
            let ids = try await send([["title": "a"], ["title": "b"], ["title": "c"]], in: world)
            let phone = try await world.device("phone")
            #expect(try await phone.run("undo", status: 1).errors.contains("no action to undo"))
            try await phone.run("archive", ids[0])
            // Of the two, one was archived before.
            #expect(try await phone.run("archive", ids[0], ids[1]).output == "1 archived. Sent.\n")
            // An action that changes nothing doesn't replace it.
            try await phone.run("archive", ids[1])
            #expect(try await phone.run("undo").output == "1 no longer archived. Sent.\n")
            #expect(try await phone.list("--filter", "archived").ids == [ids[0]])
            #expect(try await phone.run("undo", status: 1).errors.contains("no action to undo"))

            // A second snooze is undone to the first.
            let (first, second) = (Self.day(after: 2), Self.day(after: 3))
            try await phone.run("snooze", ids[1], "--until", first)
            #expect(try await phone.run("undo").output.hasPrefix("1 no longer snoozed until 20"))
            try await phone.run("snooze", ids[1], "--until", first)
            try await phone.run("snooze", ids[1], ids[2], "--until", second)
            #expect(try await phone.run("undo", "--json").output.contains(#""sent":true"#))
            let snoozed = try await phone.list("--filter", "snoozed")
            #expect(snoozed.ids == [ids[1]])
            #expect(snoozed.messages.first?["snoozedUntil"] == .string(first))
            try await phone.run("unsnooze", ids[1])
            #expect(try await phone.run("undo").output == "1 no longer moved to the inbox. Sent.\n")
            #expect(
                try await phone.list("--filter", "snoozed").messages.first?["snoozedUntil"] == .string(first)
            )

            try await phone.run("read", "--all")
            #expect(try await phone.list().unread == 0)
            #expect(try await phone.run("undo").output.hasSuffix(" no longer read. Sent.\n"))
            #expect(try await phone.list().unread == 1)
            for (command, filter) in [("delete", "deleted"), ("unread", "unread")] {
                if command == "unread" { try await phone.run("read", ids[2]) }
                try await phone.run(command, ids[2])
                try await phone.run("undo", "--offline")
                #expect(try await phone.list("--filter", filter).ids == [], "\(command)")
            }
        }
    }

    @Test func `another person's login has nothing to undo, and a damaged file neither`() async throws {
        try await World.with { world in
            let ids = try await send([["title": "a"]], in: world)
            let phone = try await world.device("phone")
            try await phone.run("archive", ids[0])
            try await world.run(["login", "--person", "bob", "--directory", "phone"])
            #expect(try await phone.run("undo", status: 1).errors.contains("no action to undo"))
            try await world.run(["login", "--person", "alice", "--directory", "phone"])
            let file = world.folder.appendingPathComponent("phone/last-action.json")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let stored = try Data(contentsOf: file)
            for damaged in [Data(), stored.dropLast(20), Data(#"{"person":"alice"}"#.utf8)] {
                try damaged.write(to: file)
                #expect(try await phone.run("undo", status: 1).errors.contains("no action to undo"))
            }
            try stored.write(to: file)
            #expect(try await phone.run("undo").output == "1 no longer archived. Sent.\n")
        }
    }

    @Test func `a search finds all words in any part of the inbox, also offline`() async throws {
        try await World.with { world in
            let ids = try await send(
                [
                    ["title": "Your order", "body": "Shoes are on their way"], ["title": "Café reçu"],
                    ["title": "Order again", "body": "The shoes you liked", "pinned": true], ["title": "Other"],
                ],
                in: world
            )
            let phone = try await world.device("phone")
            func found(_ words: String...) async throws -> [String] {
                let process = try await world.run(["search", "--json", "--directory", "phone"] + words)
                return Snapshot(json: try JSON(parsing: process.output.utf8)).ids
            }
            #expect(try await found("SHOES", "order") == [ids[2], ids[0]])
            #expect(try await found("cafe recu") == [ids[1]])
            try await phone.run("archive", ids[0])
            #expect(try await found("shoes") == [ids[2], ids[0]])
            #expect(try await found("shoes", "--filter", "archived") == [ids[0]])
            #expect(try await found("shoes", "--surface", "offers") == [])
            #expect(try await found("shoes", "--limit", "1", "--offline") == [ids[2]])
            #expect(try await phone.run("search", "nowhere").output == "Nothing found.\n")
            #expect(try await phone.run("search", "order", "--compact").output.contains("Your order"))
            let long = String(repeating: "a", count: 501)
            #expect(try await phone.run("search", long, status: 64).errors.contains("500 bytes"))
            #expect(try await phone.run("search", " ", status: 64).errors.contains("missing"))
        }
    }

    @Test func `older messages follow the list that was shown, page by page, each once`() async throws {
        try await World.with { world in
            try await world.startServer()
            let lines = (0..<130).map { #"{"to": {"person": "alice"}, "message": {"title": "Number \#($0)"}}"# }
            try await world.run(["send", "--file", "-"], input: lines.joined(separator: "\n"))
            let phone = try await world.device("phone")
            #expect(try await phone.run("list", "--older", status: 1).errors.contains("List it first"))
            var pages = [try await phone.list().ids]
            // What arrives meanwhile shifts nothing.
            let new = try await world.send("On top")
            for _ in 0..<3 { pages.append(try await phone.list("--older").ids) }
            #expect(pages.map(\.count) == [50, 50, 30, 0])
            #expect(Set(pages.joined()).count == 130 && !pages.joined().contains(new))
            #expect(try await phone.run("list", "--older").output == "No older messages.\n")
            // Of another list there is no position.
            #expect(try await phone.run("list", "--older", "--filter", "unread", status: 1).errors.contains("last"))
            let before = try await phone.list("--before", pages[0][9], "--limit", "5")
            #expect(before.ids == Array(pages[0][10..<15]))
            #expect(try await phone.list("--older", "--limit", "5").ids == Array(pages[0][15..<20]))
            let both = try await phone.run("list", "--older", "--before", pages[0][9], status: 64)
            #expect(both.errors.contains("only one"))
        }
    }
}
