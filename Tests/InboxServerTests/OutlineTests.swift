import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// What a device fetches about messages that it doesn't hold: `counts`, `outline`, `updatedProperties` and
/// `markAllRead`.
@Suite(.timeLimit(.minutes(5))) struct OutlineTests {
    private static let properties =
        ["id", "surface", "category", "groupKey", "pinned", "deliverAt", "expiresAt"]
        + MessageField.personal.map(\.rawValue)

    private func outline(_ device: Device, upTo state: String, after: JSON = .null, limit: Int = 5_000) async throws
        -> JSON
    {
        try await device.call(
            "outline",
            [
                "upToState": .string(state), "properties": JSON(Self.properties), "after": after, "limit": JSON(limit),
            ]
        )
    }

    /// The first values of all rows, page by page.
    private func idsWithOutline(_ device: Device, upTo state: String, limit: Int) async throws -> [String] {
        var ids: [String] = []
        var after = JSON.null
        repeat {
            let page = try await outline(device, upTo: state, after: after, limit: limit)
            let rows = try #require(page["list"]?.arrayValue)
            #expect(rows.count <= limit)
            ids += rows.compactMap { $0.arrayValue?.first?.stringValue }
            after = page["after"] ?? .null
        } while after != .null
        return ids
    }

    @Test func `counts cover the whole inbox by surface and category, as on a device`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var ids: [String] = []
            for number in 0..<6 {
                let message: JSON = ["title": .string("\(number)"), "category": "a"]
                ids.append(try await server.send(to: ["person": "ann"], message))
            }
            ids.append(try await server.send(to: ["everyone": true], ["title": "All", "surface": "news"]))
            ids.append(try await server.send(to: ["everyone": true], ["title": "All too", "surface": "news"]))
            _ = try await server.send(to: ["person": "bo"], ["title": "Not hers"])
            _ = try await server.send(to: ["person": "ann"], ["title": "Ends", "expiresAt": "2026-05-01T08:00:10Z"])
            let device = try await server.device(of: "ann")
            try await device.update(ids[0], ["readAt": "2026-05-01T08:00:00Z", "seenAt": "2026-05-01T08:00:00Z"])
            try await device.update(ids[1], ["seenAt": "2026-05-01T08:00:00Z"])
            try await device.update(ids[2], ["archivedAt": "2026-05-01T08:00:00Z"])
            try await device.update(ids[3], ["snoozedUntil": "2026-05-01T08:01:00Z"])
            try await device.update(ids[4], ["deletedAt": "2026-05-01T08:00:00Z"])
            try await device.update(ids[6], ["readAt": "2026-05-01T08:00:00Z"])
            func counts(_ list: JSON?) -> [String: [Int]] {
                (list?.arrayValue ?? []).reduce(into: [:]) { all, bucket in
                    let name = (bucket["surface"]?.stringValue ?? "") + "/" + (bucket["category"]?.stringValue ?? "")
                    all[name] = ["total", "unread", "unseen", "snoozed", "archived"].map { bucket[$0]?.intValue ?? -1 }
                }
            }
            var expected = ["inbox/a": [3, 2, 1, 1, 1], "inbox/": [1, 1, 1, 0, 0], "news/": [2, 1, 2, 0, 0]]
            var answer = try await device.call("counts")
            #expect(counts(answer["list"]) == expected)
            #expect(try await answer["state"]?.stringValue == device.state())
            // The end of a snooze changes no state, and a cached response isn't used after it.
            #expect(counts(try await device.call("counts")["list"]) == expected)
            clock.advance(by: 60)
            expected["inbox/a"] = [4, 3, 2, 0, 1]
            expected["inbox/"] = nil
            answer = try await device.call("counts")
            #expect(counts(answer["list"]) == expected)
        }
    }

    /// Cached counts are valid until an expiry or the end of a snooze, also where the server applies it late.
    @Test func `counts are valid until the next expiry or end of a snooze`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            _ = try await server.send(to: ["person": "ann"], ["title": "Ends", "expiresAt": "2026-05-01T08:00:10Z"])
            _ = try await server.send(to: ["everyone": true], ["title": "Ends", "expiresAt": "2026-05-01T08:00:20Z"])
            let later = try await server.send(to: ["person": "ann"], ["title": "Later"])
            let device = try await server.device(of: "ann")
            func holdsUntil() async throws -> String? {
                let now = clock.now
                return try await server.storage().read { reading in
                    let person = try #require(try reading.person(named: "ann")?.person)
                    return try reading.inbox(of: person).counts(at: now).validUntil.map(RFC3339.string(from:))
                }
            }
            #expect(try await holdsUntil() == "2026-05-01T08:00:10Z")
            try await device.update(later, ["snoozedUntil": "2026-05-01T08:00:05Z"])
            #expect(try await holdsUntil() == "2026-05-01T08:00:05Z")
        }
    }

    @Test func `an outline lists each message once, on pages of any size, and no later ones`() async throws {
        try await withServer { server in
            var ids: Set<String> = []
            var toAll: [String] = []
            for number in 0..<5 {
                ids.insert(try await server.send(to: ["person": "ann"], ["title": .string("\(number)")]))
                toAll.append(try await server.send(to: ["everyone": true], ["title": .string("All \(number)")]))
            }
            ids.formUnion(toAll)
            let device = try await server.device(of: "ann")
            // A broadcast that the person has acted on has a row in the person's own table.
            try await device.update(toAll[0], ["readAt": "2026-05-01T08:00:00Z"])
            let state = try await device.state()
            try await server.send(to: ["person": "ann"], ["title": "Later"])
            try await server.send(to: ["everyone": true], ["title": "Later"])
            for limit in [1, 2, 3, 5_000] {
                let found = try await idsWithOutline(device, upTo: state, limit: limit)
                #expect(found.count == ids.count, "\(limit)")
                #expect(Set(found) == ids, "\(limit)")
            }
        }
    }

    @Test func `a broadcast that the person acts on between two pages is listed once`() async throws {
        try await withServer { server in
            var ids: Set<String> = []
            var toAll: [String] = []
            for number in 0..<2 {
                toAll.append(try await server.send(to: ["everyone": true], ["title": .string("All \(number)")]))
            }
            for _ in 0..<6 { ids.insert(try await server.send(to: ["person": "ann"])) }
            ids.formUnion(toAll)
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            var found: [String] = []
            var after = JSON.null
            var acted = toAll[...]
            repeat {
                let page = try await outline(device, upTo: state, after: after, limit: 3)
                found += (page["list"]?.arrayValue ?? []).compactMap { $0.arrayValue?.first?.stringValue }
                after = page["after"] ?? .null
                // From now on the broadcast has a row of the person's own, at its delivery's position.
                if let id = acted.popFirst() { try await device.update(id, ["seenAt": "2026-05-01T08:00:00Z"]) }
            } while after != .null
            #expect(found.count == ids.count && Set(found) == ids)
            #expect(Set(try await idsWithOutline(device, upTo: device.state(), limit: 3)) == ids)
        }
    }

    @Test func `an outline row has the requested properties, without nulls at its end`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                [
                    "title": "T", "surface": "news", "category": "c \"1\"", "groupKey": "g", "pinned": true,
                    "expiresAt": "2026-05-02T08:00:00Z",
                ]
            )
            let plain = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.update(plain, ["deletedAt": "2026-05-01T09:00:00Z"])
            let rows = try await outline(device, upTo: device.state())["list"]?.arrayValue ?? []
            let now = 1_777_622_400_000
            let expected: [String: JSON] = [
                id: [.string(id), "news", "c \"1\"", "g", 1, JSON(now), JSON(now + 86_400_000)],
                plain: [
                    .string(plain), "inbox", .null, .null, 0, JSON(now), .null, .null, .null, .null, .null,
                    JSON(now + 3_600_000),
                ],
            ]
            for row in rows { #expect(row == expected[row.arrayValue?.first?.stringValue ?? ""]) }
            #expect(rows.count == 2)
        }
    }

    @Test func `outline and counts reject invalid arguments and other accounts`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            #expect(try await outline(device, upTo: "7-7")["type"] == "cannotCalculateChanges")
            #expect(try await outline(device, upTo: "x")["type"] == "cannotCalculateChanges")
            for after in ["", "x1.2", "d1", "d1.2.3", "d1.x"] {
                #expect(
                    try await outline(device, upTo: state, after: .string(after))["type"] == "invalidArguments",
                    "\(after)"
                )
            }
            // A row may begin with nulls.
            _ = try await server.send(to: ["person": "ann"], ["title": "T", "category": "c"])
            let rows = try await device.call(
                "outline",
                ["upToState": .string(try await device.state()), "properties": ["groupKey", "expiresAt", "category"]]
            )
            #expect(rows["list"] == [[.null, .null, "c"]])
            let wrong = try await device.call("outline", ["upToState": .string(state), "properties": ["title"]])
            #expect(wrong["type"] == "invalidArguments")
            #expect(try await device.call("counts", ["filter": [:]])["type"] == "invalidArguments")
            let bo = try await server.device(of: "bo")
            let answers = try await device.calls([
                ["InboxMessage/counts", ["accountId": .string(bo.account)], "0"],
                [
                    "InboxMessage/outline", ["accountId": .string(bo.account), "upToState": "0-0", "properties": []],
                    "1",
                ],
            ])
            #expect(answers.map { $0.arrayValue?[1]["type"] } == ["accountNotFound", "accountNotFound"])
        }
    }

    @Test func `changes name updatedProperties when only personal dates differ`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let all = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            func properties(since state: String) async throws -> JSON? {
                try await device.call("changes", ["sinceState": .string(state)])["updatedProperties"]
            }
            let personal = JSON(MessageField.personal.map(\.rawValue))
            let start = try await device.state()
            #expect(try await properties(since: start) == .null)
            for message in [id, all] { try await device.update(message, ["readAt": "2026-05-01T08:00:00Z"]) }
            #expect(try await properties(since: start) == personal)
            let read = try await device.state()
            for message in [id, all] {
                let before = try await device.state()
                _ = try await server.rest("PUT", "/v1/messages/\(message)", ["message": ["title": "New"]])
                #expect(try await properties(since: before) == .null)
                // Edited, then read: the device doesn't have the edit yet.
                try await device.update(message, ["archivedAt": "2026-05-01T08:00:00Z"])
                #expect(try await properties(since: before) == .null)
                #expect(try await properties(since: read) == .null)
                let after = try await device.state()
                try await device.update(message, ["archivedAt": .null])
                #expect(try await properties(since: after) == personal)
            }
            #expect(try await properties(since: start) == .null)
        }
    }

    @Test func `markAllRead reads what the surface listed at the state, and nothing later`() async throws {
        try await withServer { server in
            let names = ["unread", "seen", "read", "archived", "snoozed", "deleted", "news"]
            var ids: [String: String] = [:]
            for name in names {
                let surface: JSON = name == "news" ? "news" : "inbox"
                ids[name] = try await server.send(to: ["person": "ann"], ["title": .string(name), "surface": surface])
            }
            ids["all"] = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            func update(_ name: String, _ patch: JSON) async throws { try await device.update(ids[name] ?? "", patch) }
            try await update("seen", ["seenAt": "2026-05-01T08:00:00Z"])
            try await update("read", ["readAt": "2026-05-01T08:00:00Z"])
            try await update("archived", ["archivedAt": "2026-05-01T08:00:00Z"])
            try await update("snoozed", ["snoozedUntil": "2026-05-03T08:00:00Z"])
            try await update("deleted", ["deletedAt": "2026-05-01T08:00:00Z"])
            let state = try await device.state()
            ids["later"] = try await server.send(to: ["person": "ann"])
            ids["laterToAll"] = try await server.send(to: ["everyone": true])
            let at: JSON = "2026-05-01T09:00:00Z"
            let write: JSON = ["upToState": .string(state), "at": at, "surface": "inbox"]
            let batch: JSON = ["epoch": "e", "number": 1]
            let answer = try await device.call("set", ["markAllRead": write, "batch": batch])
            #expect(answer["markedAllRead"] == ["count": 3, "after": .null])
            func dates(_ name: String) async throws -> [JSON?] {
                let message = try await device.message(ids[name] ?? "")
                return [message?["readAt"], message?["seenAt"]]
            }
            #expect(try await dates("unread") == [at, at])
            #expect(try await dates("all") == [at, at])
            #expect(try await dates("seen") == [at, "2026-05-01T08:00:00Z"])
            #expect(try await dates("read") == ["2026-05-01T08:00:00Z", .null])
            for name in ["archived", "snoozed", "deleted", "news", "later", "laterToAll"] {
                #expect(try await dates(name)[0] == .null, "\(name)")
            }
            // A repeated batch gets the same response and applies nothing.
            try await update("unread", ["readAt": .null])
            #expect(try await device.call("set", ["markAllRead": write, "batch": batch]) == answer)
            #expect(try await dates("unread")[0] == .null)
            let everything: JSON = ["upToState": .string(try await device.state()), "at": at]
            #expect(try await device.call("set", ["markAllRead": everything])["markedAllRead"]?["count"] == 4)
        }
    }

    @Test(arguments: [true, false])
    func `markAllRead reads a broadcast that is first acted on between two parts`(knowsState: Bool) async throws {
        try await withServer { server in
            let toAll = try await server.send(to: ["everyone": true], ["title": "All"])
            let messages = (0..<1_001).map { number -> JSON in
                ["to": ["person": "ann"], "message": ["title": .string("\(number)")]]
            }
            for part in [messages.prefix(1_000), messages.suffix(1)] {
                #expect(try await server.rest("POST", "/v1/messages", .array(Array(part))).status == 201)
            }
            let device = try await server.device(of: "ann")
            let state = knowsState ? try await device.state() : "9-9"
            var after = JSON.null
            var count = 0
            repeat {
                let write: JSON = ["upToState": .string(state), "at": "2026-05-01T09:00:00Z", "after": after]
                let result = try await device.call("set", ["markAllRead": write])["markedAllRead"]
                count += result?["count"]?.intValue ?? 0
                after = result?["after"] ?? .null
                try await device.update(toAll, ["seenAt": "2026-05-01T08:00:00Z"])
            } while after != .null
            #expect(count == 1_002)
            #expect(try await device.message(toAll)?["readAt"] == "2026-05-01T09:00:00Z")
        }
    }

    @Test func `markAllRead with an unknown state reads what was visible at its time`()
        async throws
    {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let snoozed = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.update(snoozed, ["snoozedUntil": "2026-05-01T08:30:00Z"])
            clock.advance(by: 7_200)
            let later = try await server.send(to: ["person": "ann"])
            let write: JSON = ["upToState": "9-9", "at": "2026-05-01T09:00:00Z"]
            #expect(try await device.call("set", ["markAllRead": write])["markedAllRead"]?["count"] == 1)
            #expect(try await device.message(snoozed)?["readAt"] == "2026-05-01T09:00:00Z")
            #expect(try await device.message(later)?["readAt"] == .null)
        }
    }

    @Test func `markAllRead of many messages continues in parts of 1000`() async throws {
        try await withServer { server in
            let count = 2_300
            for start in stride(from: 0, to: count, by: 1_000) {
                let messages = (start..<min(start + 1_000, count)).map { number -> JSON in
                    ["to": ["person": "ann"], "message": ["title": .string("\(number)")]]
                }
                #expect(try await server.rest("POST", "/v1/messages", .array(messages)).status == 201)
            }
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            var after = JSON.null
            var parts: [Int] = []
            repeat {
                let write: JSON = ["upToState": .string(state), "at": "2026-05-01T09:00:00Z", "after": after]
                let result = try await device.call("set", ["markAllRead": write])["markedAllRead"]
                parts.append(result?["count"]?.intValue ?? -1)
                after = result?["after"] ?? .null
            } while after != .null
            #expect(parts == [1_000, 1_000, 300])
            let counts = try await device.call("counts")["list"]?.arrayValue?.first
            #expect(counts?["unread"] == 0 && counts?["total"] == JSON(count))
            #expect(
                try await device.call("set", ["markAllRead": ["upToState": "1-0", "at": "x"]])["type"]
                    == "invalidArguments"
            )
            let wrong: JSON = ["upToState": .string(state), "at": "2026-05-01T09:00:00Z", "after": "nowhere"]
            #expect(try await device.call("set", ["markAllRead": wrong])["type"] == "invalidArguments")
        }
    }
}
