import Foundation
import Groundwork
import Hummingbird
import InboxModel
import JMAP
import Logging
import Testing

@testable import InboxServer
@testable import InboxService

/// `#` and a creation id where an id is expected (RFC 8620 §3.3, §5.3).
@Suite(.timeLimit(.minutes(10))) struct CreationReferenceTests {
    private let date: JSON = "2026-05-01T09:00:00Z"

    /// The responses to calls of a request whose `createdIds` come from an earlier request.
    private func calls(_ calls: [(String, JSON)], _ createdIDs: JSON, _ device: Device) async throws -> [JSON] {
        let invocations = calls.map { name, arguments in
            var object = arguments.objectValue ?? JSONObject()
            object.add("accountId", .string(device.account))
            return [.string("InboxMessage/" + name), .object(object), "0"] as JSON
        }
        let answer = try await device.post([
            "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)],
            "methodCalls": .array(invocations), "createdIds": createdIDs,
        ])
        #expect(answer.json["createdIds"] == createdIDs)
        return answer.json["methodResponses"]?.arrayValue?.compactMap { $0.arrayValue?[1] } ?? []
    }

    @Test func `a creation reference resolves to its id in get, update and destroy`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            let answers = try await calls(
                [
                    ("get", ["ids": ["#k", .string(ids[1])], "properties": []]),
                    ("set", ["update": ["#k": ["readAt": date]], "destroy": ["#n"]]),
                    ("get", ["ids": ["#k", "#n"], "properties": ["readAt"]]),
                ],
                ["k": .string(ids[0]), "n": .string(ids[1])],
                device
            )
            #expect(answers[0]["list"] == .array(ids.map { ["id": .string($0)] }))
            #expect(answers[1]["updated"] == .object(JSONObject([(ids[0], .null)])))
            #expect(answers[1]["destroyed"] == [.string(ids[1])])
            #expect(answers[2]["list"] == [["id": .string(ids[0]), "readAt": date]])
            #expect(answers[2]["notFound"] == [.string(ids[1])])
        }
    }

    @Test func `an unknown creation reference is notFound under its own name`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let answers = try await calls(
                [
                    ("get", ["ids": ["#k"]]),
                    ("set", ["update": ["#k": ["readAt": date]], "destroy": ["#n"]]),
                    ("set", ["destroy": ["#a b"]]),
                ],
                [:],
                device
            )
            #expect(answers[0]["notFound"] == ["#k"])
            #expect(answers[1]["notUpdated"]?["#k"]?.type == "notFound")
            #expect(answers[1]["notDestroyed"]?["#n"]?.type == "notFound")
            #expect(answers[2].type == "invalidArguments")
        }
    }

    @Test func `updating one record by id and by reference is an invalid argument`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let update = JSON.object(JSONObject([(id, ["readAt": date]), ("#k", ["seenAt": date])]))
            let answers = try await calls([("set", ["update": update])], ["k": .string(id)], device)
            #expect(answers[0].type == "invalidArguments")
            #expect(try await device.message(id)?["readAt"] == .null)
        }
    }

    @Test func `a repeated batch gets the same response though its reference has changed`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["person": "ann"])]
            let device = try await server.device(of: "ann")
            let set: JSON = ["update": ["#k": ["readAt": date]], "batch": ["epoch": "e", "number": 1]]
            let first = try await calls([("set", set)], ["k": .string(ids[0])], device)
            #expect(try await calls([("set", set)], ["k": .string(ids[1])], device) == first)
            #expect(try await calls([("set", set)], [:], device) == first)
            #expect(try await device.message(ids[1])?["readAt"] == .null)
        }
    }

    /// Calls after a creation can refer to it, and the response contains all created ids.
    @Test func `later calls can refer to what an earlier call created`() async throws {
        try await withFolder { folder in
            let storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
            let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system, committed: { _ in })
            let people = People(storage: storage, writer: writer, states: LatestStates(broadcast: 0))
            let methods = [
                "Thing/set": JMAPMethod(capability: CoreCapability.uri) { call in
                    MethodResult([UInt8]("{}".utf8), createdIDs: ["k": "t\(call.arguments.count)"])
                },
                "Thing/get": JMAPMethod(capability: CoreCapability.uri) { call in
                    let arguments = try GetArguments(reading: call.reader, createdIDs: call.createdIDs)
                    return MethodResult((["list": JSON(arguments.ids ?? [])] as JSON).utf8)
                },
            ]
            let endpoint = JMAPEndpoint(people: people, methods: methods, core: CoreCapability(), clock: ManualClock())
            let request: JSON = [
                "using": [.string(CoreCapability.uri)],
                "methodCalls": [
                    ["Thing/get", ["accountId": "a", "ids": ["#k", "#n"]], "0"], ["Thing/set", [:], "1"],
                    ["Thing/get", ["accountId": "a", "ids": ["#k", "#n"]], "2"], ["Thing/set", ["again": true], "3"],
                ],
                "createdIds": ["n": "t9"],
            ]
            let token = Tokens.Verified(person: "ann", issuedAt: nil, expiresAt: .distantFuture)
            let person = try await people.person(of: token)
            let bytes = try await endpoint.respond(
                to: request.utf8,
                reading: .unlimited(person, storage),
                logger: Logger(label: "test")
            )
            let answer = try JSON(parsing: Array(bytes.readableBytesView))
            let lists = answer["methodResponses"]?.arrayValue?.map { $0.arrayValue?[1]["list"] }
            #expect(lists == [["#k", "t9"], nil, ["t0", "t9"], nil])
            #expect(answer["createdIds"] == ["k": "t1", "n": "t9"])
        }
    }
}
