import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// Requests as a whole (RFC 8620 §3), and the references between their calls.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    @Test func `a malformed request is rejected as a whole`() async throws {
        let cases: [(String, String)] = [
            ("{", "notJSON"), ("\"\\ud800\"", "notJSON"), ("[]", "notRequest"), ("{}", "notRequest"),
            (#"{"using":[],"methodCalls":{}}"#, "notRequest"),
            (#"{"using":[],"methodCalls":[["a",{}]]}"#, "notRequest"),
            (#"{"using":["urn:unknown"],"methodCalls":[]}"#, "unknownCapability"),
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (body, type) in cases {
                let answer = try await server.request(
                    "POST",
                    "/jmap/api",
                    body: Array(body.utf8),
                    headers: device.authorization
                )
                #expect(answer.status == 400, "\(body)")
                #expect(answer.header("Content-Type") == "application/problem+json", "\(body)")
                #expect(answer.json.type == "urn:ietf:params:jmap:error:\(type)", "\(body)")
            }
        }
    }

    @Test func `a wrong content type, too many calls and a too large body are rejected`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let plain = device.authorization.merging(["Content-Type": "text/plain"]) { $1 }
            let body: JSON = ["using": [], "methodCalls": []]
            #expect(
                try await server.request("POST", "/jmap/api", body: body.utf8, headers: plain).json.type
                    == "urn:ietf:params:jmap:error:notJSON"
            )

            let call: JSON = ["Core/echo", [:], "0"]
            let most = Array(repeating: call, count: 32)
            #expect(try await device.calls(most).count == 32)
            let many = try await device.post(["using": [], "methodCalls": .array(most + [call])])
            #expect(many.json.type == "urn:ietf:params:jmap:error:limit")
            #expect(many.json["limit"] == "maxCallsInRequest")

            let large = try await server.request(
                "POST",
                "/jmap/api",
                body: Array(repeating: 0x20, count: 10_000_001),
                headers: device.authorization
            )
            #expect(large.status == 400)
            #expect(large.json["limit"] == "maxSizeRequest")
        }
    }

    @Test func `a body in another charset than UTF-8 is refused over REST and JMAP`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let key = ["Authorization": "Bearer \(TestServer.adminKey)"]
            let id = try await server.send(to: ["person": "ann"])
            let (json, patch) = ("application/json", "application/merge-patch+json")
            let message: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
            let call: JSON = ["using": ["urn:ietf:params:jmap:core"], "methodCalls": []]
            let targets: [(String, String, String, JSON, [String: String], refusal: Int)] = [
                ("POST", "/v1/messages", json, message, key, 415), ("PUT", "/v1/surfaces/a", json, [:], key, 415),
                ("PATCH", "/v1/messages/\(id)", patch, ["message": ["title": "y"]], key, 415),
                ("POST", "/jmap/api", json, call, device.authorization, 400),
            ]
            for (method, path, type, body, headers, refusal) in targets {
                for (charset, isRead) in [
                    ("", true), ("; charset=utf-8", true), (";Charset=\"UTF-8\"", true), ("; charset=utf8", true),
                    ("; charset=iso-8859-1", false), ("; charset=utf-16", false),
                    ("; charset=utf-8; charset=latin1", false), ("; charset=", false),
                ] {
                    let typed = headers.merging(["Content-Type": type + charset]) { $1 }
                    let answer = try await server.request(method, path, body: body.utf8, headers: typed)
                    #expect(isRead ? answer.status < 300 : answer.status == refusal, "\(path) \(charset)")
                    #expect(isRead || answer.json["detail"]?.stringValue?.contains("UTF-8") == true, "\(path)")
                }
            }
        }
    }

    @Test func `a compressed body is 415 over REST and JMAP, which names the encoding`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let key = ["Authorization": "Bearer \(TestServer.adminKey)"]
            let patch = ["Content-Type": "application/merge-patch+json"].merging(key) { $1 }
            let message = try await server.send(to: ["person": "ann"])
            let targets = [
                ("POST", "/v1/messages", key), ("PUT", "/v1/surfaces/a", key), ("POST", "/v1/import/zeta", key),
                ("PATCH", "/v1/messages/\(message)", patch), ("POST", "/v1/people/ann/tokens", key),
                ("POST", "/jmap/api", device.authorization),
                ("POST", "/jmap/upload/\(device.account)", device.authorization),
            ]
            for (method, path, headers) in targets {
                for encoding in ["gzip", "identity, br", "X-GZIP"] {
                    let encoded = headers.merging(["Content-Encoding": encoding]) { $1 }
                    let answer = try await server.request(method, path, body: [0x1F, 0x8B, 8, 0], headers: encoded)
                    #expect(answer.status == 415, "\(path) \(encoding)")
                    #expect(answer.json["detail"]?.stringValue?.contains("Content-Encoding") == true, "\(path)")
                    #expect(answer.header("Accept-Encoding") == "identity", "\(path)")
                }
            }
            let body: JSON = ["to": ["person": "ann"], "message": ["title": "T"]]
            let plain = try await server.rest("POST", "/v1/messages", body, headers: ["Content-Encoding": "Identity"])
            #expect(plain.status == 201)
        }
    }

    @Test func `calls are answered in order, and createdIds are returned`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let echo: JSON = ["n": 12_345_678_901_234_567, "deep": [[.null, true, "ü\u{0}"]]]
            let answer = try await device.post([
                "using": JSON([CoreCapability.uri]),
                "methodCalls": [["Core/echo", echo, "b"], ["Foo/get", [:], "a"], ["Core/echo", [:], "b"]],
                "createdIds": ["k": "m1"],
            ])
            let json = answer.json
            #expect(
                json["methodResponses"] == [
                    ["Core/echo", echo, "b"], ["error", ["type": "unknownMethod"], "a"], ["Core/echo", [:], "b"],
                ]
            )
            #expect(json["createdIds"] == ["k": "m1"])
            #expect(json["sessionState"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func `a method needs its capability in using`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let calls: [JSON] = [
                ["Core/echo", [:], "0"], ["InboxMessage/get", ["accountId": .string(device.account), "ids": []], "1"],
            ]
            let none = try await device.calls(calls, using: [])
            #expect(none.map { $0.arrayValue?[1].type } == ["unknownMethod", "unknownMethod"])
            let core = try await device.calls(calls, using: [CoreCapability.uri])
            #expect(core.map { $0.arrayValue?[0] } == ["Core/echo", "error"])
        }
    }

    @Test func `another's account is accountNotFound, a missing one invalidArguments`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let ann = try await server.device(of: "ann")
            let bob = try await server.device(of: "bob")
            for account in [ann.account, "unknown"] {
                let arguments: [(String, JSON)] = [
                    ("get", [:]), ("changes", ["sinceState": "0-0"]), ("query", [:]),
                    ("set", ["update": .object(JSONObject([(id, ["readAt": "2026-05-01T08:00:00Z"])]))]),
                ]
                for (method, arguments) in arguments {
                    var object = arguments.objectValue!
                    object.add("accountId", .string(account))
                    let answers = try await bob.calls([[.string("InboxMessage/\(method)"), .object(object), "0"]])
                    #expect(answers == [["error", ["type": "accountNotFound"], "0"]], "\(method)")
                }
            }
            let missing = try await bob.calls([["InboxMessage/get", [:], "0"]])
            #expect(missing[0].arrayValue?[1].type == "invalidArguments")
            // Another person's message is unknown in a person's own account too.
            #expect(try await bob.call("get", ["ids": [.string(id)]])["notFound"] == [.string(id)])
            #expect(try await bob.update(id, ["readAt": .null])["notUpdated"]?[id]?.type == "notFound")
            #expect(try await ann.message(id)?["readAt"] == .null)
        }
    }

    @Test func `a query and a get work in one request by reference`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            let account = JSON.string(device.account)
            let answers = try await device.calls([
                ["InboxMessage/query", ["accountId": account], "q"],
                [
                    "InboxMessage/get",
                    ["accountId": account, "#ids": ["resultOf": "q", "name": "InboxMessage/query", "path": "/ids"]],
                    "g",
                ],
                [
                    "InboxMessage/get",
                    [
                        "accountId": account,
                        "#ids": ["resultOf": "g", "name": "InboxMessage/get", "path": "/list/*/id"],
                    ],
                    "h",
                ],
            ])
            #expect(answers.count == 3)
            for answer in answers[1...] {
                let list = try #require(answer.arrayValue?[1]["list"]?.arrayValue)
                #expect(list.map { $0["id"]?.stringValue } == ids.reversed())
            }
        }
    }

    @Test func `a bad reference fails only its own call`() async throws {
        let cases: [String] = [
            #"{"resultOf":"x","name":"InboxMessage/query","path":"/ids"}"#,
            #"{"resultOf":"q","name":"InboxMessage/get","path":"/ids"}"#,
            #"{"resultOf":"q","name":"InboxMessage/query","path":"/nothing"}"#,
            #"{"resultOf":"q","name":"InboxMessage/query","path":"ids"}"#,
            #"{"resultOf":"e","name":"InboxMessage/query","path":"/ids"}"#,
            #"{"resultOf":"g","name":"InboxMessage/get","path":"/ids"}"#,
            #"{"resultOf":"q"}"#, #""q""#,
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let account = JSON.string(device.account)
            for reference in cases {
                let answers = try await device.calls([
                    ["InboxMessage/query", ["accountId": account], "q"],
                    ["InboxMessage/query", ["accountId": "other"], "e"],
                    [
                        "InboxMessage/get", ["accountId": account, "#ids": try JSON(parsing: Array(reference.utf8))],
                        "g",
                    ],
                    ["Core/echo", [:], "c"],
                ])
                #expect(answers[2].arrayValue?[1].type == "invalidResultReference", "\(reference)")
                #expect(answers[3] == ["Core/echo", [:], "c"], "\(reference)")
                let both = try await device.calls([
                    ["InboxMessage/query", ["accountId": account], "q"],
                    [
                        "InboxMessage/get",
                        [
                            "accountId": account, "ids": [],
                            "#ids": ["resultOf": "q", "name": "InboxMessage/query", "path": "/ids"],
                        ], "g",
                    ],
                ])
                #expect(both[1].arrayValue?[1].type == "invalidArguments", "\(reference)")
            }
        }
    }
}
