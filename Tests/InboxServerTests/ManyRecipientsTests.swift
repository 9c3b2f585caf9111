import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ManyRecipientsTests {
    /// Ids that careless quoting in SQL would confuse.
    private static let names =
        ["0", "00", "1e3", "null", "true", "'", "\"", "\\", "ä", "a\u{308}", "[1]", " "] + (0..<500).map { "p\($0)" }

    @Test func `a message reaches each of many recipients, known or new`() async throws {
        try await withServer { server in
            for name in ["p7", "ä", "1e3"] { try await server.send(to: ["person": .string(name)], ["title": "before"]) }
            let devices = (try await server.device(of: "p7"), try await server.device(of: "a\u{308}"))
            let states = (try await devices.0.state(), try await devices.1.state())
            let answer = try await server.rest(
                "POST",
                "/v1/messages",
                ["to": ["people": JSON(Self.names)], "message": ["title": "Hello"]]
            )
            #expect(answer.status == 201)
            #expect(answer.json["recipients"]?.intValue == Self.names.count)
            let id = try #require(answer.json["id"]?.stringValue)
            #expect(try await devices.0.changes(since: states.0).created == [id])
            #expect(try await devices.1.changes(since: states.1).created == [id])
            for name in Self.names.prefix(13) {
                #expect(try await server.device(of: name).ids().first == id, "\(name)")
            }
            let rows: Int? = try await server.storage().readTables { db in
                try db.value(
                    "SELECT count(*) FROM delivery d JOIN person p ON p.id = d.person AND p.sequence = d.sequence"
                )
            }
            #expect(rows == Self.names.count)
        }
    }

    @Test func `a message for later reaches many recipients at its time, not before`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let device = try await server.device(of: "p7")
            let state = try await device.state()
            let id = try await server.send(
                to: ["people": JSON(Self.names)],
                ["title": "Later", "deliverAt": "2026-05-01T09:00:00Z"]
            )
            #expect(try await device.changes(since: state).isEmpty)
            clock.advance(by: 3_600)
            #expect(try await eventually { try await device.changes(since: state).created == [id] })
        }
    }
}
