import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ScheduleTests {
    private let later: JSON = ["title": "Later", "deliverAt": "2026-05-01T09:00:00Z"]

    @Test(arguments: [["person": "ann"], ["everyone": true]] as [JSON])
    func `a message for later is in no response before its time, and a change after`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: to, later)
            let device = try await server.device(of: "ann")
            let state = try await device.state()
            clock.advance(by: 3_599)
            #expect(try await device.ids() == [])
            #expect(try await device.message(id) == nil)
            #expect(try await device.call("get", ["ids": .null])["list"] == [])
            #expect(try await device.changes(since: state).isEmpty)
            #expect(try await device.update(id, ["readAt": .null])["notUpdated"]?[id]?.type == "notFound")
            #expect(try await device.call("query", ["calculateTotal": true])["total"] == 0)

            clock.advance(by: 1)
            #expect(try await eventually { try await device.state() != state })
            #expect(try await device.changes(since: state).created == [id])
            #expect(try await device.ids() == [id])
        }
    }

    @Test(arguments: [["person": "ann"], ["everyone": true]] as [JSON])
    func `expiry destroys a message, also one that the person acted on`(_ to: JSON) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: to, ["title": "Short", "expiresAt": "2026-05-01T09:00:00Z"])
            let ann = try await server.device(of: "ann")
            let untouched = try await ann.state()
            try await ann.update(id, ["readAt": "2026-05-01T08:30:00Z"])
            let state = try await ann.state()
            clock.advance(by: 3_600)
            #expect(try await eventually { try await ann.state() != state })
            #expect(try await ann.changes(since: state).destroyed == [id])
            #expect(try await ann.changes(since: untouched).destroyed == [id])
            // A device that never had it doesn't receive it as destroyed.
            #expect(try await ann.changes(since: "0-0").isEmpty)
            #expect(try await ann.ids() == [])
            #expect(try await ann.message(id) == nil)
        }
    }

    @Test func `deliveries and expiries due during downtime are applied at the start`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let clock = ManualClock()
            var server = try await TestServer.start(file: file, clock: clock)
            let expiring = try await server.send(
                to: ["person": "ann"],
                ["title": "Short", "expiresAt": "2026-05-01T08:30:00Z"]
            )
            let id = try await server.send(to: ["person": "ann"], later)
            // Delivered and expired while the server is down.
            try await server.send(
                to: ["everyone": true],
                ["title": "Missed", "deliverAt": "2026-05-01T08:10:00Z", "expiresAt": "2026-05-01T08:20:00Z"]
            )
            let state = try await server.device(of: "ann").state()
            try await server.stop()
            clock.advance(by: 7_200)
            server = try await TestServer.start(file: file, clock: clock)
            let device = try await server.device(of: "ann")
            let changes = try await device.changes(since: state)
            #expect(changes.created == [id])
            #expect(changes.destroyed == [expiring])
            #expect(changes.updated == [])
            #expect(try await device.ids() == [id])
            try await server.stop()
        }
    }

    @Test func `a message due earlier wakes the scheduler earlier`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await server.send(to: ["person": "ann"], later)
            let soon = try await server.send(
                to: ["person": "ann"],
                ["title": "Soon", "deliverAt": "2026-05-01T08:01:00Z"]
            )
            let device = try await server.device(of: "ann")
            clock.advance(by: 60)
            #expect(try await eventually { try await device.ids() == [soon] })
        }
    }

    @Test func `a deliverAt in the past is now`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "x", "deliverAt": "2020-01-01T00:00:00Z"])
            #expect(try await server.device(of: "ann").message(id)?["deliverAt"] == "2026-05-01T08:00:00Z")
        }
    }

    @Test func `a deleted message can be restored for 30 days, then it is destroyed`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let kept = try await server.send(to: ["person": "ann"])
            let purged = try await server.send(
                to: ["everyone": true],
                ["title": "x", "expiresAt": "2027-01-01T00:00:00Z"]
            )
            var device = try await server.device(of: "ann")
            for id in [kept, purged] { try await device.update(id, ["deletedAt": "2026-05-01T08:00:00Z"]) }
            #expect(Set(try await device.ids()) == [kept, purged])
            let state = try await device.state()
            clock.advance(by: 29 * 86_400)
            device = try await server.device(of: "ann")
            try await device.update(kept, ["deletedAt": .null])
            clock.advance(by: 86_400)
            #expect(try await eventually { try await device.ids() == [kept] })
            let changes = try await device.changes(since: state)
            #expect(changes.updated == [kept])
            #expect(changes.destroyed == [purged])
            #expect(try await server.device(of: "bob").ids() == [purged])
        }
    }
}
