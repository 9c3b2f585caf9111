import Foundation
import Groundwork
import Testing

@testable import InboxServer

@Suite struct BroadcastTests {
    @Test(arguments: [1, 1_000])
    func isOneRow_whateverTheNumberOfPeople(_ people: Int) async throws {
        try await withServer { server in
            let names = (0..<people).map { "p\($0)" }
            try await server.send(to: ["people": JSON(names)])
            let storage = try Storage(file: server.file)
            func rows() async throws -> Int {
                try await storage.read { db in
                    let tables = ["person", "message", "delivery", "due", "batch"]
                    return try tables.reduce(0) { try $0 + (db.value("SELECT count(*) FROM \($1)") ?? 0) }
                }
            }
            let before = try await rows()
            let id = try await server.send(to: ["everyone": true])
            // The message, and its entry in the due-queue.
            #expect(try await rows() == before + 2)
            let last = try await server.device(of: names[people - 1])
            #expect(try await last.ids().first == id)
            try await last.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            #expect(try await rows() == before + 3)
        }
    }

    @Test func newPeople_seeTheLiveOnes_untilTheyExpire() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: ["everyone": true])
            clock.advance(by: 89 * 86_400)
            #expect(try await server.device(of: "late").ids() == [id])
            clock.advance(by: 86_400)
            let device = try await server.device(of: "later")
            #expect(try await eventually { try await device.ids() == [] })
        }
    }

    @Test func moreThanAThousandLiveOnes_areRefused_untilOneExpires() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let expiresAt: JSON = number == 0 ? "2026-05-01T09:00:00Z" : "2026-06-01T09:00:00Z"
                        let deliverAt: JSON = number % 2 == 0 ? .null : "2026-05-01T08:30:00Z"
                        try await server.send(
                            to: ["everyone": true],
                            ["title": "x", "expiresAt": expiresAt, "deliverAt": deliverAt]
                        )
                    }
                }
                try await group.waitForAll()
            }
            let body: JSON = ["to": ["everyone": true], "message": ["title": "x"]]
            let refused = try await server.rest("POST", "/v1/messages", body)
            #expect(refused.status == 409)
            #expect(refused.json["detail"]?.stringValue?.contains("1000") == true)
            clock.advance(by: 3_600)
            #expect(try await eventually { try await server.rest("POST", "/v1/messages", body).status == 201 })
        }
    }
}
