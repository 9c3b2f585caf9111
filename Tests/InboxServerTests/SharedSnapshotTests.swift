import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// Calls of one request that are answered from one snapshot of the database.
@Suite(.timeLimit(.minutes(10))) struct SharedSnapshotTests {
    private func call(_ name: String, _ arguments: [(String, JSON)], of device: Device, id: String) -> JSON {
        let all = JSONObject([("accountId", .string(device.account))] + arguments)
        return [.string("InboxMessage/" + name), .object(all), .string(id)]
    }

    private func reference(to id: String, _ method: String = "query") -> (String, JSON) {
        ("#ids", ["resultOf": .string(id), "name": .string("InboxMessage/" + method), "path": "/ids"])
    }

    @Test func `calls of one request are answered like single ones, despite failures`() async throws {
        try await withServer { server in
            for number in 0..<5 {
                _ = try await server.send(to: ["person": "ann"], ["title": .string("Hello \(number)")])
            }
            let device = try await server.device(of: "ann")
            let ids = try await device.ids()
            let limit = ("limit", 2 as JSON)
            // Each with its like without a reference.
            let calls: [(together: (String, [(String, JSON)]), alone: (String, [(String, JSON)]))] = [
                (("query", [limit]), ("query", [limit])),
                (("get", [reference(to: "0")]), ("get", [("ids", JSON(Array(ids.prefix(2))))])),
                (("query", [("filter", ["nothing": 1])]), ("query", [("filter", ["nothing": 1])])),
                (("query", [("anchor", "nope")]), ("query", [("anchor", "nope")])),
                (("get", [("ids", ["nope"])]), ("get", [("ids", ["nope"])])),
                (("get", [("ids", [])]), ("get", [("ids", [])])),
                (("get", [("ids", [""]), ("properties", ["no"])]), ("get", [("ids", [""]), ("properties", ["no"])])),
                (("query", [("position", -2)]), ("query", [("position", -2)])),
                (("get", [reference(to: "7")]), ("get", [("ids", JSON(Array(ids.suffix(2))))])),
                (("counts", []), ("counts", [])),
                (("query", [limit, ("calculateTotal", true)]), ("query", [limit, ("calculateTotal", true)])),
                (("nothing", []), ("nothing", [])),
                (("get", [("ids", .null)]), ("get", [("ids", .null)])),
            ]
            let together = try await device.calls(
                calls.enumerated().map { call($1.together.0, $1.together.1, of: device, id: "\($0)") }
            )
            #expect(together.count == calls.count)
            for (index, answer) in together.enumerated() {
                let alone = calls[index].alone
                let expected = try await device.calls([call(alone.0, alone.1, of: device, id: "\(index)")])
                #expect(answer == expected.first, "call \(index)")
            }
            #expect(together[1].arrayValue?[1]["list"]?.arrayValue?.count == 2)
            let failed = try await device.calls([
                call("query", [("filter", ["nothing": 1])], of: device, id: "0"),
                call("get", [reference(to: "0")], of: device, id: "1"),
            ])
            #expect(failed.map { $0.arrayValue?[1].type } == ["invalidArguments", "invalidResultReference"])
        }
    }

    @Test func `a list's ids and its messages have one state while others send`() async throws {
        let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        try await withServer { server in
            for _ in 0..<20 { _ = try await server.send(to: ["person": "ann"]) }
            let device = try await server.device(of: "ann")
            let sent = Locked<(count: Int, error: (any Error)?)>((0, nil))
            let sending = Task {
                do {
                    while !Task.isCancelled {
                        _ = try await server.send(to: ["person": "ann"])
                        sent.withLock { $0.count += 1 }
                    }
                } catch { sent.withLock { $0.error = error } }
            }
            defer { sending.cancel() }
            var states: Set<JSON> = []
            for limit in stride(from: 1, through: 150, by: isLong ? 1 : 3) {
                let answers = try await device.calls([
                    call("query", [("limit", JSON(limit))], of: device, id: "0"),
                    call("get", [reference(to: "0")], of: device, id: "1"),
                ])
                let (list, messages) = (answers[0].arrayValue?[1], answers[1].arrayValue?[1])
                try #require(list?["queryState"] != nil)
                #expect(list?["queryState"] == messages?["state"])
                #expect(messages?["notFound"] == [])
                if let state = list?["queryState"] { states.insert(state) }
            }
            #expect(states.count > (isLong ? 10 : 3), "others have sent meanwhile: \(sent.withLock { $0 })")
        }
    }
}
