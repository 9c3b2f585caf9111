import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct BatchTests {
    private let date: JSON = "2026-05-01T09:00:00Z"

    @Test func `a read batch, then unread elsewhere, then the batch again, stays unread`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let phone = try await server.device(of: "ann")
            let tablet = try await server.device(of: "ann")
            let batch: JSON = ["epoch": "e1", "number": 1]
            let first = try await phone.update(id, ["readAt": date], batch: batch)
            try await tablet.update(id, ["readAt": .null])
            let state = try await phone.state()
            let again = try await phone.update(id, ["readAt": date], batch: batch)
            #expect(again == first)
            #expect(try await phone.message(id)?["readAt"] == .null)
            #expect(try await phone.state() == state)
        }
    }

    @Test func `markAllRead with an old batch number is confirmed and applies nothing`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let phone = try await server.device(of: "ann")
            try await phone.update(id, ["archivedAt": date], batch: ["epoch": "e1", "number": 5])
            try await phone.update(id, ["archivedAt": .null])
            let write: JSON = ["upToState": .string(try await phone.state()), "at": date]
            let batch: JSON = ["epoch": "e1", "number": 4]
            let answer = try await phone.call("set", ["markAllRead": write, "batch": batch])
            #expect(answer["markedAllRead"] == ["count": 0, "after": .null])
            #expect(try await phone.message(id)?["readAt"] == .null)
        }
    }

    @Test func `a batch repeated after a restart gets the same response`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            var server = try await TestServer.start(file: file, clock: ManualClock())
            let id = try await server.send(to: ["person": "ann"])
            let batch: JSON = ["epoch": "e1", "number": 7]
            let first = try await server.device(of: "ann").update(id, ["readAt": date], batch: batch)
            try await server.stop()
            server = try await TestServer.start(file: file, clock: ManualClock())
            let device = try await server.device(of: "ann")
            try await device.update(id, ["readAt": .null])
            #expect(try await device.update(id, ["readAt": date], batch: batch) == first)
            #expect(try await device.message(id)?["readAt"] == .null)
            try await server.stop()
        }
    }

    #if PostgreSQL
        @Test(.onlyPostgreSQL)
        func `a batch that arrives at both servers is applied once, with one answer`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let there = phone.moved(to: other)
                for number in 1...20 {
                    let id = try await one.send(to: ["person": "ann"])
                    let batch: JSON = ["epoch": "e1", "number": JSON(number)]
                    let before = try await phone.state()
                    async let first = phone.update(id, ["readAt": date], batch: batch)
                    async let second = there.update(id, ["readAt": date], batch: batch)
                    let answers = try await [first, second]
                    #expect(answers[0] == answers[1])
                    #expect(try await phone.message(id)?["readAt"] == date)
                    // One change, whose state is that of both answers.
                    let changes = try await there.changes(since: before)
                    #expect(changes.updated == [id] && answers[0]["newState"]?.stringValue == changes.state)
                    // An answer that was lost: the device asks once more, after a change elsewhere.
                    try await there.update(id, ["readAt": .null])
                    #expect(try await phone.update(id, ["readAt": date], batch: batch) == answers[0])
                    #expect(try await there.message(id)?["readAt"] == .null)
                }
            }
        }
    #endif

    @Test(arguments: [(0.0, isKept: true), (0.001, isKept: false)])
    func `a batch is remembered for 30 days exactly`(after seconds: Double, isKept: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let clock = ManualClock()
            var server = try await TestServer.start(file: file, clock: clock)
            let id = try await server.send(to: ["person": "ann"])
            let batch: JSON = ["epoch": "e1", "number": 7]
            let first = try await server.device(of: "ann").update(id, ["readAt": date], batch: batch)
            try await server.device(of: "ann").update(id, ["readAt": .null])
            try await server.stop()
            clock.advance(by: 30 * 86_400 + seconds)
            // Rows past their retention are deleted at the start, and each hour.
            server = try await TestServer.start(file: file, clock: clock)
            let device = try await server.device(of: "ann")
            let again = try await device.update(id, ["readAt": date], batch: batch)
            #expect((again == first) == isKept)
            #expect(try await device.message(id)?["readAt"] == (isKept ? JSON.null : date))
            try await server.stop()
        }
    }

    @Test func `batch numbers order writes per person and epoch: a lower one applies nothing`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["people": ["ann", "bob"]])
            let ann = try await server.device(of: "ann")
            try await ann.update(id, ["readAt": date], batch: ["epoch": "e1", "number": 5])
            let lower = try await ann.update(id, ["readAt": .null], batch: ["epoch": "e1", "number": 4])
            #expect(lower["updated"] == .object(JSONObject([(id, .null)])))
            #expect(try await ann.message(id)?["readAt"] == date)
            try await ann.update(id, ["seenAt": date], batch: ["epoch": "e1", "number": 9])
            try await ann.update(id, ["archivedAt": date], batch: ["epoch": "e2", "number": 5])
            let message = try #require(try await ann.message(id))
            #expect(message["seenAt"] == date)
            #expect(message["archivedAt"] == date)
            let bob = try await server.device(of: "bob")
            try await bob.update(id, ["readAt": date], batch: ["epoch": "e1", "number": 5])
            #expect(try await bob.message(id)?["readAt"] == date)
        }
    }

    @Test func `a batch that failed as a whole isn't remembered`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let update = JSON.object(JSONObject([(id, ["readAt": date])]))
            let batch: JSON = ["epoch": "e1", "number": 1]
            let refused = try await device.call("set", ["ifInState": "9-9", "update": update, "batch": batch])
            #expect(refused.type == "stateMismatch")
            #expect(try await device.call("set", ["update": update, "batch": batch])["updated"] != .null)
        }
    }

    @Test func `a malformed batch is an invalid argument`() async throws {
        let cases: [String] = [
            #"{}"#, #"{"epoch":"e"}"#, #"{"epoch":"e","number":0}"#, #"{"epoch":"e f","number":1}"#, #""e""#,
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for batch in cases {
                #expect(
                    try await device.call("set", ["batch": try JSON(parsing: Array(batch.utf8))]).type
                        == "invalidArguments",
                    "\(batch)"
                )
            }
        }
    }
}
