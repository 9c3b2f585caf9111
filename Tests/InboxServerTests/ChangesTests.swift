import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ChangesTests {
    @Test func `changes without news are empty with the same state`() async throws {
        try await withServer { server in
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            let changes = try await device.changes(since: state)
            #expect(changes.isEmpty)
            #expect(changes.state == state)
        }
    }

    @Test func `created, updated and destroyed messages are each in their list`() async throws {
        try await withServer { server in
            let read = try await server.send(to: ["person": "ann"])
            let gone = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let state = try await device.state()

            let new = try await server.send(to: ["person": "ann"])
            let newAndRead = try await server.send(to: ["person": "ann"])
            let newAndGone = try await server.send(to: ["person": "ann"])
            try await device.update(read, ["readAt": "2026-05-01T08:00:00Z"])
            try await device.update(newAndRead, ["readAt": "2026-05-01T08:00:00Z"])
            _ = try await device.call("set", ["destroy": [.string(gone), .string(newAndGone)]])

            let changes = try await device.changes(since: state)
            #expect(Set(changes.created) == [new, newAndRead])
            #expect(changes.updated == [read])
            #expect(changes.destroyed == [gone])
            #expect(changes.state == (try await device.state()))
            #expect(try await device.changes(since: changes.state).isEmpty)
            #expect(try await device.call("get", ["ids": [.string(gone)]])["notFound"] == [.string(gone)])
        }
    }

    @Test func `broadcasts are in changes, also after the person acted on them`() async throws {
        try await withServer { server in
            let known = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            let new = try await server.send(to: ["everyone": true])
            let newAndRead = try await server.send(to: ["everyone": true])
            let newAndGone = try await server.send(to: ["everyone": true])
            try await device.update(known, ["readAt": "2026-05-01T08:00:00Z"])
            try await device.update(newAndRead, ["readAt": "2026-05-01T08:00:00Z"])
            _ = try await device.call("set", ["destroy": [.string(newAndGone)]])

            let changes = try await device.changes(since: state)
            #expect(Set(changes.created) == [new, newAndRead])
            #expect(changes.created.count == 2)
            #expect(changes.updated == [known])
            #expect(changes.destroyed == [])
            // A person without actions of their own receives only the broadcasts.
            let other = try await server.device(of: "bob")
            #expect(Set(try await other.changes(since: "0-1").created) == [new, newAndRead, newAndGone])
        }
    }

    @Test func `pages of changes of any size lead to the same inbox`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let start = try await device.state()
            var ids: Set<String> = []
            for number in 0..<10 {
                ids.insert(try await server.send(to: number % 2 == 0 ? ["person": "ann"] : ["everyone": true]))
            }
            for id in ids.prefix(4) { try await device.update(id, ["seenAt": "2026-05-01T08:00:00Z"]) }
            let removed = ids.removeFirst()
            _ = try await device.call("set", ["destroy": [.string(removed)]])

            for maxChanges in [1, 2, 3, 7] {
                let changes = try await device.changes(since: start, maxChanges: maxChanges)
                #expect(changes.pages > 1, "\(maxChanges)")
                let known = Set(changes.created)
                #expect(
                    known == ids || known == ids.union([removed]) && changes.destroyed.contains(removed),
                    "\(maxChanges)"
                )
                #expect(Set(changes.updated).isSubset(of: known), "\(maxChanges)")
                #expect(changes.state == (try await device.state()), "\(maxChanges)")
                // A page has at most the requested number of changes.
                let page = try await device.call(
                    "changes",
                    ["sinceState": .string(start), "maxChanges": JSON(maxChanges)]
                )
                let count = ["created", "updated", "destroyed"].reduce(0) { $0 + (page[$1]?.arrayValue?.count ?? 0) }
                #expect(count <= maxChanges, "\(maxChanges)")
            }
        }
    }

    @Test func `a change between two pages isn't lost`() async throws {
        try await withServer { server in
            let first = try await server.send(to: ["person": "ann"])
            let second = try await server.send(to: ["person": "ann"])
            let broadcast = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            let page = try await device.call("changes", ["sinceState": "0-0", "maxChanges": 1])
            #expect(page["created"] == [.string(first)])
            #expect(page["hasMoreChanges"] == true)
            try await device.update(first, ["readAt": "2026-05-01T08:00:00Z"])
            try await device.update(broadcast, ["readAt": "2026-05-01T08:00:00Z"])
            let rest = try await device.changes(since: page["newState"]?.stringValue ?? "", maxChanges: 1)
            #expect(Set(rest.created).isSuperset(of: [second, broadcast]))
            #expect((rest.created + rest.updated).contains(first))
            #expect(rest.state == (try await device.state()))
        }
    }

    @Test func `a message destroyed between two pages is in destroyed`() async throws {
        try await withServer { server in
            let first = try await server.send(to: ["person": "ann"])
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let page = try await device.call("changes", ["sinceState": "0-0", "maxChanges": 1])
            #expect(page["created"] == [.string(first)])
            _ = try await device.call("set", ["destroy": [.string(first)]])
            let rest = try await device.changes(since: page["newState"]?.stringValue ?? "")
            #expect(rest.destroyed == [first])
        }
    }

    @Test func `a message updated before its page is created, not updated`() async throws {
        try await withServer { server in
            let first = try await server.send(to: ["person": "ann"])
            for _ in 0..<3 { try await server.send(to: ["person": "ann"]) }
            let device = try await server.device(of: "ann")
            try await device.update(first, ["readAt": "2026-05-01T08:00:00Z"])
            let changes = try await device.changes(since: "0-0", maxChanges: 1)
            #expect(changes.created.last == first)
            #expect(changes.updated == [])
        }
    }

    @Test func `changes since a malformed or future state cannot be calculated`() async throws {
        let cases: [String] = [
            "", "0", "nonsense", "0-0-0", "-1-0", "00-0", "0-+0", " 0-0", "1-0", "0-1", "99-99", "0-0-0-0", "0-0-1-0",
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for state in cases {
                #expect(
                    try await device.call("changes", ["sinceState": .string(state)]).type == "cannotCalculateChanges",
                    "\(state)"
                )
            }
        }
    }

    @Test func `wrong arguments of changes are invalid`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for arguments: JSON in [[:], ["sinceState": 1], ["sinceState": "0-0", "maxChanges": 0]] {
                #expect(try await device.call("changes", arguments).type == "invalidArguments")
            }
        }
    }
}
