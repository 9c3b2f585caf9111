import Eventually
import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// Points that RFC 8620 leaves open, as the authors of JMAP have clarified them: one test each.
@Suite(.timeLimit(.minutes(10))) struct ClarificationsTests {
    private func post(_ text: String, _ device: Device, type: String = "application/json") async throws -> Answer {
        try await device.server.request(
            "POST",
            "/jmap/api",
            body: Array(text.utf8),
            headers: device.authorization.merging(["Content-Type": type]) { $1 }
        )
    }

    /// The arguments of the response to a call, without an added `accountId`.
    private func call(_ name: String, _ arguments: JSON, _ device: Device) async throws -> JSON {
        try await device.calls([[.string(name), arguments, "0"]]).first?.arrayValue?[1] ?? .null
    }

    @Test func `JSON that isn't a request is HTTP 400 notRequest`() async throws {
        let cases: [String] = [
            "[]", "{}", "7", "null", "\"x\"", #"{"using":[],"methodCalls":{}}"#, #"{"using":[],"methodCalls":"x"}"#,
            #"{"using":[],"methodCalls":[{}]}"#, #"{"methodCalls":[]}"#,
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for body in cases {
                let answer = try await post(body, device)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.json.type == "urn:ietf:params:jmap:error:notRequest", "\(body)")
            }
        }
    }

    @Test func `a wrong content type is 4xx`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let request = #"{"using":[],"methodCalls":[]}"#
            for type in ["text/plain", "application/json+x", "application/x-www-form-urlencoded"] {
                #expect((400..<500).contains(try await post(request, device, type: type).status))
            }
            #expect(try await post(request, device, type: "Application/JSON; charset=utf-8").status == 200)
        }
    }

    @Test func `an unknown capability is an HTTP error, also next to known ones`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for using in [["urn:x"], [CoreCapability.uri, "urn:x"], ["urn:ietf:params:jmap:mail"]] {
                let answer = try await device.post(["using": JSON(using), "methodCalls": []])
                #expect(answer.status == 400)
                #expect(answer.json.type == "urn:ietf:params:jmap:error:unknownCapability")
            }
        }
    }

    @Test func `an empty using is processed, and each call is an unknown method`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let calls: [JSON] = [
                ["Core/echo", [:], "a"], ["InboxMessage/get", ["ids": []], "b"], ["Nothing", [:], "c"],
            ]
            let answers = try await device.calls(calls, using: [])
            #expect(answers.map { $0.arrayValue?[1].type } == Array(repeating: "unknownMethod", count: 3))
            #expect(answers.map { $0.arrayValue?[2] } == ["a", "b", "c"])
        }
    }

    /// Arguments that are valid except for the missing account.
    private static let methods: [(name: String, arguments: JSON)] = [
        ("get", ["ids": []]), ("changes", ["sinceState": "0-0"]), ("query", [:]),
        ("queryChanges", ["sinceQueryState": "0-0"]), ("set", [:]), ("copy", ["fromAccountId": "x", "create": [:]]),
    ]

    @Test func `a missing accountId is invalidArguments, another's is accountNotFound`() async throws {
        try await withServer { server in
            let other = try await server.device(of: "bob")
            let device = try await server.device(of: "ann")
            for (name, arguments) in Self.methods {
                let name = "InboxMessage/" + name
                #expect(try await call(name, arguments, device).type == "invalidArguments", "\(name)")
                for account in ["unknown", other.account] {
                    var arguments = arguments.objectValue ?? JSONObject()
                    arguments["accountId"] = .string(account)
                    #expect(try await call(name, .object(arguments), device).type == "accountNotFound", "\(name)")
                }
            }
        }
    }

    @Test func `an ifInState that doesn't match is stateMismatch, also if malformed`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for state: JSON in ["nonsense", "", "7-7"] {
                #expect(try await device.call("set", ["ifInState": state, "update": [:]]).type == "stateMismatch")
            }
        }
    }

    @Test func `a malformed sinceState or maxChanges is an error`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for state: JSON in ["nonsense", "", "7-7", 7, .null] {
                let types = ["cannotCalculateChanges", "invalidArguments"]
                #expect(types.contains(try await device.call("changes", ["sinceState": state]).type ?? ""))
                #expect(types.contains(try await device.call("queryChanges", ["sinceQueryState": state]).type ?? ""))
            }
            for maxChanges: JSON in [0, -1] {
                let arguments: JSON = ["sinceState": "0-0", "maxChanges": maxChanges]
                #expect(try await device.call("changes", arguments).type == "invalidArguments")
            }
        }
    }

    @Test func `get returns nothing for no ids, all for null, and only requested properties`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Hi", "body": "there"])
            let device = try await server.device(of: "ann")
            #expect(try await device.call("get", ["ids": []])["list"] == [])
            #expect(try await device.call("get", ["ids": .null])["list"]?.arrayValue?.count == 1)
            #expect(try await device.call("get")["list"]?.arrayValue?.count == 1)
            let answer = try await device.call("get", ["ids": .null, "properties": ["title"]])
            #expect(answer["list"] == [["id": .string(id), "title": "Hi"]])
        }
    }

    @Test func `a null filter and sort equal absent ones`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            #expect(try await device.ids(["filter": .null, "sort": .null]) == [id])
            let changes = try await device.call(
                "queryChanges",
                ["sinceQueryState": "0-0", "filter": .null, "sort": .null, "upToId": .null, "maxChanges": .null]
            )
            #expect(changes["added"] == [["id": .string(id), "index": 0]])
        }
    }

    @Test func `calls are answered in order under their ids, with the session's state`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let session = try await server.request("GET", "/.well-known/jmap", headers: device.authorization).json
            let request: JSON = [
                "using": [.string(CoreCapability.uri)],
                "methodCalls": [
                    ["Core/echo", ["n": 1], "z"], ["Nothing", [:], "a"], ["Core/echo", ["n": 2], "z"],
                    ["Core/echo", ["n": 3], ""],
                ],
            ]
            let answer = try await device.post(request).json
            let responses = answer["methodResponses"]?.arrayValue ?? []
            #expect(responses.map { $0.arrayValue?[0] } == ["Core/echo", "error", "Core/echo", "Core/echo"])
            #expect(responses.map { $0.arrayValue?[2] } == ["z", "a", "z", ""])
            #expect(answer["sessionState"] == session["state"])
            #expect(try await device.post(["using": [], "methodCalls": []]).json["sessionState"] == session["state"])
        }
    }

    @Test func `a bad result reference is invalidResultReference`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (of, name, path) in [
                ("unknown", "Core/echo", "/ids"), ("0", "InboxMessage/query", "/ids"), ("0", "Core/echo", "/nothing"),
            ] {
                let answers = try await device.calls([
                    ["Core/echo", ["ids": []], "0"],
                    [
                        "InboxMessage/get",
                        [
                            "accountId": .string(device.account),
                            "#ids": ["resultOf": .string(of), "name": .string(name), "path": .string(path)],
                        ], "1",
                    ],
                ])
                #expect(answers[1].arrayValue?[1].type == "invalidResultReference")
            }
        }
    }

    /// RFC 8620, section 3.7: of several responses with one id, the first one counts.
    @Test func `a result reference means the first response with its id`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"])
            func get(_ name: String, _ path: String, _ callID: String) -> JSON {
                let reference: JSON = ["resultOf": "a", "name": .string(name), "path": .string(path)]
                return [
                    "InboxMessage/get", ["accountId": .string(device.account), "#ids": reference], .string(callID),
                ]
            }
            let answers = try await device.calls([
                ["Core/echo", ["ids": [.string(id)], "other": []], "a"],
                ["InboxMessage/query", ["accountId": .string(device.account)], "a"],
                get("Core/echo", "/ids", "1"), get("InboxMessage/query", "/ids", "2"), get("Core/echo", "/other", "3"),
            ])
            #expect(
                answers.map { $0.arrayValue?[0] } == [
                    "Core/echo", "InboxMessage/query", "InboxMessage/get", "error", "InboxMessage/get",
                ]
            )
            #expect(answers[2].arrayValue?[1]["list"]?.arrayValue?.map { $0["id"] } == [.string(id)])
            #expect(answers[3].arrayValue?[1].type == "invalidResultReference")
            #expect(answers[4].arrayValue?[1]["list"] == [])
        }
    }

    @Test func `copy within an account is invalid, from another is fromAccountNotFound`() async throws {
        try await withServer { server in
            let other = try await server.device(of: "bob").account
            let device = try await server.device(of: "ann")
            for (name, rest) in [("InboxMessage/copy", ("create", [:] as JSON)), ("Blob/copy", ("blobIds", []))] {
                func copy(_ from: String, _ to: String) async throws -> String? {
                    let arguments = JSONObject([("fromAccountId", .string(from)), ("accountId", .string(to)), rest])
                    return try await call(name, .object(arguments), device).type
                }
                #expect(try await copy(device.account, device.account) == "invalidArguments")
                #expect(try await copy(other, device.account) == "fromAccountNotFound")
                #expect(try await copy(device.account, other) == "accountNotFound")
                #expect(try await call(name, ["accountId": .string(device.account)], device).type == "invalidArguments")
            }
        }
    }

    @Test func `uploads aren't sniffed, downloads have the requested type, unknown ones are 404`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let upload = try await server.request(
                "POST",
                "/jmap/upload/\(device.account)",
                body: Array("<html><script>".utf8),
                headers: device.authorization.merging(["Content-Type": "text/plain"]) { $1 }
            ).json
            #expect(upload["type"]?.stringValue?.hasPrefix("text/plain") == true)
            let id = try #require(upload["blobId"]?.stringValue)
            #expect(Identifier.isValid(id))
            let path = "/jmap/download/\(device.account)/"
            let download = try await server.request("GET", path + id + "/a?type=x%2Fy", headers: device.authorization)
            #expect(download.header("Content-Type") == "x/y")
            let unknown = try await server.request("GET", path + "b/a?type=x%2Fy", headers: device.authorization)
            #expect(unknown.status == 404)
        }
    }

    @Test func `push subscriptions are forbidden, with a pointer to eventSourceUrl`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (name, arguments) in [
                ("get", ["ids": .null] as JSON),
                ("set", ["create": ["k": ["deviceClientId": "d", "url": "https://push.example", "types": .null]]]),
            ] {
                let error = try await call("PushSubscription/" + name, arguments, device)
                #expect(error.type == "forbidden")
                #expect(error["description"]?.stringValue?.contains("eventSourceUrl") == true)
            }
        }
    }

    @Test func `text sorts by the given collation, unicode-casemap by default`() async throws {
        try await withServer { server in
            var ids: [String] = []
            for title: JSON in ["B", "É", "e", "a"] {
                ids.append(try await server.send(to: ["person": "ann"], ["title": title]))
            }
            let device = try await server.device(of: "ann")
            let session = try await server.request("GET", "/.well-known/jmap", headers: device.authorization).json
            let offered = session["capabilities"]?[CoreCapability.uri]?["collationAlgorithms"]?.strings ?? []
            #expect(offered.contains("i;unicode-casemap"))
            func sorted(_ collation: JSON) async throws -> [String] {
                try await device.ids(["sort": [["property": "title", "collation": collation]]])
            }
            for collation in offered { #expect(try await sorted(.string(collation)).count == 4) }
            let byDefault = try await sorted(.null)
            #expect(byDefault == [ids[3], ids[0], ids[2], ids[1]])
            #expect(try await sorted("i;unicode-casemap") == byDefault)
        }
    }

    @Test func `totals match the results of the same state`() async throws {
        try await withServer { server in
            for number in 0..<7 { try await server.send(to: number % 2 == 0 ? ["person": "ann"] : ["everyone": true]) }
            let device = try await server.device(of: "ann")
            let all = try await device.call("query", ["calculateTotal": true])
            let window = try await device.call("query", ["calculateTotal": true, "position": 3, "limit": 2])
            let sorted = try await device.call("query", ["calculateTotal": true, "sort": [["property": "title"]]])
            #expect(all["total"] == JSON(all["ids"]?.arrayValue?.count ?? -1))
            #expect(window["total"] == all["total"])
            #expect(sorted["total"] == all["total"])
            #expect(window["queryState"] == all["queryState"])
        }
    }

    @Test func `whole numbers survive an echo`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let numbers = "[0,-1,9007199254740991,-9007199254740991,12345678901234567890]"
            let body = #"{"using":["\#(CoreCapability.uri)"],"methodCalls":[["Core/echo",{"n":\#(numbers)},"0"]]}"#
            let answer = try await post(body, device)
            #expect(String(decoding: answer.bytes, as: UTF8.self).contains(#"{"n":\#(numbers)}"#))
        }
    }

    @Test func `the event source sends changes, filters types and closes after a state`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let (all, status) = await EventStream.open(device, "types=*&closeafter=state&ping=0")
            let (others, otherStatus) = await EventStream.open(device, "types=Email&closeafter=state&ping=0")
            defer { others.close() }
            #expect(status == 200)
            #expect(otherStatus == 200)
            #expect(try await eventually { server.watchers.count == 2 })
            try await server.send(to: ["person": "ann"])
            let event = try #require(await all.next())
            #expect(event.name == "state")
            #expect(try JSON(parsing: Array(event.data.utf8))["@type"] == "StateChange")
            #expect(await all.next() == nil)
            // The other stream received nothing and is still open.
            #expect(try await eventually { server.watchers.count == 1 })
        }
    }
}
