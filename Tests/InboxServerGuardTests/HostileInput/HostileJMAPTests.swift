import Foundation
import Groundwork
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// JMAP requests that are valid JSON but wrong: rejected in their place, and without effect.
@Suite(.timeLimit(.minutes(10))) struct HostileJMAPTests {
    /// The arguments of one call; `ANN`, `BOB`, `HERS`, `HIS` and `ALL` stand for the accounts of two people and their
    /// messages.
    struct Case: Sendable {
        let name: String
        let method: String
        let arguments: String
        let type: String

        init(_ name: String, _ method: String, _ arguments: String, _ type: String = "invalidArguments") {
            (self.name, self.method, self.arguments, self.type) = (name, method, arguments, type)
        }
    }

    private static func ids(_ count: Int) -> String {
        "[" + (0..<count).map { "\"m\($0)\"" }.joined(separator: ",") + "]"
    }
    private static func records(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":{}" }.joined(separator: ",") + "}"
    }
    private static let long = String(repeating: "a", count: 256)

    static let accounts: [Case] = [
        ("InboxMessage/get", #""ids":["HIS"]"#), ("InboxMessage/get", #""ids":null"#),
        ("InboxMessage/changes", #""sinceState":"0-0""#), ("InboxMessage/query", #""limit":1"#),
        ("InboxMessage/set", #""update":{"HIS":{"readAt":"2026-05-01T08:00:00Z"}}"#),
        ("InboxMessage/set", #""destroy":["HIS"]"#),
        ("InboxEvent/set", #""create":{"k":{"uid":"u","message":"HIS","type":"clicked"}}"#),
    ].flatMap { method, rest in
        [("another person's", "BOB"), ("unknown", "a0000000000000000000000000"), ("of another case", "ANNUP")].map {
            Case("account \($0.0)", method, #"{"accountId":"\#($0.1)",\#(rest)}"#, "accountNotFound")
        }
    }

    private static let reading: [Case] =
        [
            Case("no account", "InboxMessage/get", #"{"ids":[]}"#),
            Case("account null", "InboxMessage/get", #"{"accountId":null}"#),
            Case("account a number", "InboxMessage/get", #"{"accountId":1}"#),
            Case("account empty", "InboxMessage/get", #"{"accountId":""}"#),
            Case("account too long", "InboxMessage/get", #"{"accountId":"\#(long)"}"#),
            Case("account with a slash", "InboxMessage/get", #"{"accountId":"a/b"}"#),
            Case("unknown argument", "InboxMessage/get", #"{"accountId":"ANN","id":[]}"#),
            Case("ids a text", "InboxMessage/get", #"{"accountId":"ANN","ids":"HERS"}"#),
            Case("ids an object", "InboxMessage/get", #"{"accountId":"ANN","ids":{}}"#),
            Case("id empty", "InboxMessage/get", #"{"accountId":"ANN","ids":[""]}"#),
            Case("id too long", "InboxMessage/get", #"{"accountId":"ANN","ids":["\#(long)"]}"#),
            Case("id with a quote", "InboxMessage/get", #"{"accountId":"ANN","ids":["' OR 1=1 --"]}"#),
            Case("id a number", "InboxMessage/get", #"{"accountId":"ANN","ids":[1]}"#),
            Case("one id more", "InboxMessage/get", #"{"accountId":"ANN","ids":\#(ids(1_001))}"#, "requestTooLarge"),
            Case("unknown property", "InboxMessage/get", #"{"accountId":"ANN","properties":["owner"]}"#),
            Case("property a number", "InboxMessage/get", #"{"accountId":"ANN","properties":[1]}"#),
            Case("no state", "InboxMessage/changes", #"{"accountId":"ANN"}"#),
            Case("state a number", "InboxMessage/changes", #"{"accountId":"ANN","sinceState":1}"#),
        ]

    private static let states: [Case] =
        [
            "", "1", "1-", "-1-0", "0-0-0", "00-0", "+1-0", " 0-0", "0-0 ", "0x1-0", "9-9", "99999999999999999999-0",
            "0-99999999999999999999", "٠-٠", "0-0-0-0-0", "9-9-0-0", "0-0-9-9", "1e0-0",
        ].map {
            Case(
                "state \($0)",
                "InboxMessage/changes",
                #"{"accountId":"ANN","sinceState":"\#($0)"}"#,
                "cannotCalculateChanges"
            )
        }

    private static let maxChanges: [Case] =
        [
            "0", "-1", "1.5", "9007199254740992", "1e999", "\"1\"", "true",
        ].map {
            Case(
                "maxChanges \($0)",
                "InboxMessage/changes",
                #"{"accountId":"ANN","sinceState":"0-0","maxChanges":\#($0)}"#
            )
        }

    private static let writing: [Case] =
        [
            Case("limit negative", "InboxMessage/query", #"{"accountId":"ANN","limit":-1}"#),
            Case("limit past every number", "InboxMessage/query", #"{"accountId":"ANN","limit":1e999}"#),
            Case("position with a part", "InboxMessage/query", #"{"accountId":"ANN","position":0.5}"#),
            Case("position past 2^53", "InboxMessage/query", #"{"accountId":"ANN","position":9007199254740993}"#),
            Case("calculateTotal a text", "InboxMessage/query", #"{"accountId":"ANN","calculateTotal":"yes"}"#),
            Case("filter an array", "InboxMessage/query", #"{"accountId":"ANN","filter":[]}"#),
            Case("filter a text", "InboxMessage/query", #"{"accountId":"ANN","filter":"x"}"#),
            Case("sort an object", "InboxMessage/query", #"{"accountId":"ANN","sort":{}}"#),
            Case(
                "sort by what isn't",
                "InboxMessage/query",
                #"{"accountId":"ANN","sort":[{"property":"1; DROP TABLE person"}]}"#,
                "unsupportedSort"
            ),
            Case(
                "filter by what isn't",
                "InboxMessage/query",
                #"{"accountId":"ANN","filter":{"property":"1; DROP TABLE person","op":"equal","value":1}}"#,
                "unsupportedFilter"
            ),
            Case(
                "one record more",
                "InboxMessage/set",
                #"{"accountId":"ANN","destroy":\#(ids(1_001))}"#,
                "requestTooLarge"
            ),
            Case(
                "one update more",
                "InboxMessage/set",
                #"{"accountId":"ANN","update":\#(records(1_001))}"#,
                "requestTooLarge"
            ),
            Case(
                "records too many in all",
                "InboxMessage/set",
                #"{"accountId":"ANN","create":\#(records(500)),"update":\#(records(501))}"#,
                "requestTooLarge"
            ),
            Case(
                "one event more",
                "InboxEvent/set",
                #"{"accountId":"ANN","create":\#(records(1_001))}"#,
                "requestTooLarge"
            ),
            Case("update an array", "InboxMessage/set", #"{"accountId":"ANN","update":[]}"#),
            Case("destroy an object", "InboxMessage/set", #"{"accountId":"ANN","destroy":{}}"#),
            Case(
                "another state",
                "InboxMessage/set",
                #"{"accountId":"ANN","ifInState":"9-9","update":{"HERS":{"readAt":"2026-05-01T08:00:00Z"}}}"#,
                "stateMismatch"
            ),
            Case("batch a number", "InboxMessage/set", #"{"accountId":"ANN","batch":1}"#),
            Case(
                "batch with an epoch too long",
                "InboxMessage/set",
                #"{"accountId":"ANN","batch":{"epoch":"\#(long)","number":1}}"#
            ),
            Case(
                "batch past 2^53",
                "InboxMessage/set",
                #"{"accountId":"ANN","batch":{"epoch":"e","number":9007199254740992}}"#
            ),
            Case("unknown method", "InboxMessage/parse", #"{"accountId":"ANN"}"#, "unknownMethod"),
            Case("unknown type", "Email/get", #"{"accountId":"ANN"}"#, "unknownMethod"),
            Case("method of another case", "inboxmessage/get", #"{"accountId":"ANN"}"#, "unknownMethod"),
            Case("no method", "", #"{"accountId":"ANN"}"#, "unknownMethod"),
            Case("events can't be fetched", "InboxEvent/get", #"{"accountId":"ANN"}"#, "unknownMethod"),
            Case(
                "a reference to itself",
                "InboxMessage/get",
                ##"{"accountId":"ANN","#ids":{"resultOf":"0","name":"InboxMessage/get","path":"/ids"}}"##,
                "invalidResultReference"
            ),
            Case(
                "a reference to a later call",
                "InboxMessage/get",
                ##"{"accountId":"ANN","#ids":{"resultOf":"1","name":"InboxMessage/query","path":"/ids"}}"##,
                "invalidResultReference"
            ),
            Case(
                "a reference as a value too",
                "InboxMessage/get",
                ##"{"accountId":"ANN","ids":[],"#ids":{"resultOf":"0","name":"x","path":"/ids"}}"##,
                "invalidResultReference"
            ),
            Case(
                "a reference that is none",
                "InboxMessage/get",
                ##"{"accountId":"ANN","#ids":["HERS"]}"##,
                "invalidResultReference"
            ),
        ]

    static let arguments = reading + states + maxChanges + writing

    /// Patches of a person's own message, each rejected.
    static let patches: [(name: String, patch: String, type: String)] = notOnes + dates + noObjects

    private static let notOnes: [(name: String, patch: String, type: String)] = [
        "title", "id", "deliverAt", "expiresAt", "surface", "pinned", "readAt/x", "/readAt", "actions/0/link", "",
        "__proto__",
    ].map { ("of \($0)", "{\"\($0)\":null}", "invalidProperties") }

    private static let dates: [(name: String, patch: String, type: String)] = [
        "1", "true", "\"\"", "\"now\"", "\"2026-02-30T00:00:00Z\"", "\"2026-05-01T08:00:00+00:00\"", "[]", "{}",
        "\"2026-05-01T08:00:00Z\\u0000\"",
    ].map { ("readAt \($0)", "{\"readAt\":\($0)}", "invalidProperties") }

    private static let noObjects: [(name: String, patch: String, type: String)] = [
        ("array", "[]", "invalidPatch"), ("null", "null", "invalidPatch"), ("text", "\"x\"", "invalidPatch"),
    ]

    /// Requests that are wrong as a whole.
    static let requests: [(name: String, body: String, type: String)] = [
        ("no using", #"{"methodCalls":[]}"#, "notRequest"), ("no calls", #"{"using":[]}"#, "notRequest"),
        ("using a text", #"{"using":"x","methodCalls":[]}"#, "notRequest"),
        ("using numbers", #"{"using":[1],"methodCalls":[]}"#, "notRequest"),
        ("call an object", #"{"using":[],"methodCalls":[{}]}"#, "notRequest"),
        ("call of two", #"{"using":[],"methodCalls":[["a",{}]]}"#, "notRequest"),
        ("call of four", #"{"using":[],"methodCalls":[["a",{},"0",1]]}"#, "notRequest"),
        ("arguments an array", #"{"using":[],"methodCalls":[["a",[],"0"]]}"#, "notRequest"),
        ("call id a number", #"{"using":[],"methodCalls":[["a",{},0]]}"#, "notRequest"),
        ("createdIds an array", #"{"using":[],"methodCalls":[],"createdIds":[]}"#, "notRequest"),
        ("createdIds with numbers", #"{"using":[],"methodCalls":[],"createdIds":{"a":1}}"#, "notRequest"),
        ("a number", "1", "notRequest"), ("null", "null", "notRequest"), ("an array", "[]", "notRequest"),
        ("unknown capability", #"{"using":["urn:x"],"methodCalls":[]}"#, "unknownCapability"),
        ("mail", #"{"using":["urn:ietf:params:jmap:mail"],"methodCalls":[]}"#, "unknownCapability"),
        (
            "33 calls",
            #"{"using":[],"methodCalls":[\#(Array(repeating: #"["Core/echo",{},"0"]"#, count: 33).joined(separator: ","))]}"#,
            "limit"
        ),
    ]

    @Test func `a call with hostile arguments is rejected with its error type`() async throws {
        let cases: [Case] = Self.accounts + Self.arguments
        try await withUnchangedServer { _, ann, bob, messages in
            for hostile in cases {
                var text = hostile.arguments.replacing("ANNUP", with: ann.account.uppercased())
                for (name, value) in [
                    ("ANN", ann.account), ("BOB", bob.account), ("HERS", messages[0]), ("HIS", messages[1]),
                ] {
                    text = text.replacing("\"\(name)\"", with: "\"\(value)\"")
                }
                let answers = try await ann.calls([[.string(hostile.method), try JSON(parsing: Array(text.utf8)), "0"]])
                AttemptCounter.add()
                #expect(answers.first?.arrayValue?[0] == "error", "\(hostile.name), \(hostile.method)")
                #expect(answers.first?.arrayValue?[1].type == hostile.type, "\(hostile.name), \(hostile.method)")
            }
        }
    }

    @Test func `a hostile patch is rejected`() async throws {
        try await withUnchangedServer { _, ann, _, messages in
            for id in [messages[0], messages[2]] {
                for (name, patch, type) in Self.patches {
                    let answer = try await ann.update(id, try JSON(parsing: Array(patch.utf8)))
                    AttemptCounter.add()
                    #expect(answer["notUpdated"]?[id]?.type == type, "\(name)")
                }
            }
            for id in [
                messages[1], "m0000000000000", "0", "M" + messages[0].dropFirst(), messages[0] + "0", "m\u{0}", "",
            ] {
                let patch: JSON = ["readAt": "2026-05-01T08:00:00Z"]
                AttemptCounter.add()
                #expect(try await ann.update(id, patch)["notUpdated"]?[id]?.type == "notFound", "\(id)")
            }
        }
    }

    @Test func `a malformed request is rejected as a whole`() async throws {
        try await withUnchangedServer { server, ann, _, _ in
            for (name, body, type) in Self.requests {
                let answer = try await server.request(
                    "POST",
                    "/jmap/api",
                    body: Array(body.utf8),
                    headers: ann.authorization
                )
                AttemptCounter.add()
                #expect(answer.status == 400, "\(name)")
                #expect(answer.json.type == "urn:ietf:params:jmap:error:\(type)", "\(name)")
            }
        }
    }

    /// Each call returns ten times the size of the one before it.
    @Test func `multiplying references are rejected before they fill the memory`() async throws {
        try await withUnchangedServer { _, ann, _, _ in
            var calls: [JSON] = [["Core/echo", ["a": .string(String(repeating: "x", count: 400))], "0"]]
            for number in 1..<16 {
                let reference: JSON = ["resultOf": .string("\(number - 1)"), "name": "Core/echo", "path": ""]
                let names = (0..<10).map { ("#a\($0)", reference) }
                calls.append(["Core/echo", .object(JSONObject(names)), .string("\(number)")])
            }
            let answer = try await ann.post(["using": ["urn:ietf:params:jmap:core"], "methodCalls": .array(calls)])
            AttemptCounter.add()
            #expect(answer.status == 200)
            #expect(answer.bytes.count < 3 * ReferencedResponses.maxSize)
            let answers = answer.json["methodResponses"]?.arrayValue ?? []
            #expect(answers.count == 16)
            #expect(answers.prefix(5).allSatisfy { $0.arrayValue?.first == "Core/echo" })
            #expect(answers.contains { $0.arrayValue?[1].type == "requestTooLarge" })
        }
    }

    @Test func `each reference of a circle is rejected`() async throws {
        try await withUnchangedServer { _, ann, _, _ in
            func call(_ id: String, to other: String) -> JSON {
                let reference: JSON = ["resultOf": .string(other), "name": "InboxMessage/get", "path": "/list/*/id"]
                return ["InboxMessage/get", ["accountId": .string(ann.account), "#ids": reference], .string(id)]
            }
            let answers = try await ann.calls([call("a", to: "b"), call("b", to: "c"), call("c", to: "a")])
            AttemptCounter.add(answers.count)
            #expect(answers.map { $0.arrayValue?[1].type } == Array(repeating: "invalidResultReference", count: 3))
        }
    }
}
