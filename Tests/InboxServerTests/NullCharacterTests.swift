import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// U+0000, which a text of PostgreSQL can't contain: rejected with its location where a text has a column of its own,
/// and kept where it is a part of JSON, on both databases alike.
@Suite(.timeLimit(.minutes(10))) struct NullCharacterTests {
    /// A request over REST, and what its error names.
    struct Case: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        var body: String?
        /// The JSON pointer, or, for a URL, a part of the detail.
        let place: String

        var testDescription: String { "\(method) \(path) \(body ?? "")" }

        static func message(_ field: String, _ value: String = #""a\u0000b""#, at place: String? = nil) -> Case {
            Case(
                method: "POST",
                path: "/v1/messages",
                body: #"{"to":{"person":"ann"},"message":{"title":"x","\#(field)":\#(value)}}"#,
                place: place ?? "/message/\(field)"
            )
        }

        static func url(_ method: String, _ path: String, _ place: String) -> Case {
            Case(method: method, path: path, place: place)
        }
    }

    static let bodies: [Case] = [
        .message("surface"), .message("category"), .message("groupKey"), .message("templateId"),
        .message("campaignId"), .message("consentCategory"),
        .message(
            "additionalData",
            #"{"consent_category_tracking":"a\u0000"}"#,
            at: "/message/additionalData/consent_category_tracking"
        ),
        .message("actions", #"[{"id":"a\u0000","text":"x"}]"#, at: "/message/actions/0/id"),
        Case(
            method: "POST",
            path: "/v1/messages",
            body: #"{"to":{"person":"a\u0000"},"message":{"title":"x"}}"#,
            place: "/to/person"
        ),
        Case(
            method: "POST",
            path: "/v1/messages",
            body: #"{"to":{"people":["a\u0000"]},"message":{"title":"x"}}"#,
            place: "/to/people/0"
        ),
        Case(method: "POST", path: "/v1/keys", body: #"{"name":"a\u0000","scopes":["messages"]}"#, place: "/name"),
        Case(
            method: "POST",
            path: "/v1/webhooks",
            body: #"{"url":"https://a.example/\u0000","types":["*"]}"#,
            place: "/url"
        ),
        Case(
            method: "POST",
            path: "/v1/webhooks",
            body: #"{"url":"https://a.example/","types":["event.a\u0000"]}"#,
            place: "/types/0"
        ),
    ]

    static let addresses: [Case] = [
        .url("GET", "/v1/messages?campaign=a%00b", "parameter campaign"),
        .url("GET", "/v1/people?prefix=a%00", "parameter prefix"),
        .url("GET", "/v1/audit?person=a%00", "parameter person"),
        .url("GET", "/v1/messages/m%00", "path"), .url("GET", "/v1/surfaces/a%00", "path"),
        .url("GET", "/v1/people/a%00", "path"),
    ]

    @Test func `a name with U+0000 is rejected where it stands`() async throws {
        try await withServer { server in
            for wrong in Self.bodies {
                let body = try wrong.body.map { try JSON(parsing: Array($0.utf8)) }
                let answer = try await server.rest(wrong.method, wrong.path, body)
                #expect(answer.status == 400, "\(wrong.testDescription)")
                #expect(answer.json["pointer"]?.stringValue == wrong.place, "\(wrong.testDescription)")
                #expect(try await server.rest("GET", "/v1/people/ann").status == 404, "\(wrong.testDescription)")
            }
        }
    }

    @Test func `a URL with U+0000 is rejected, and the place is named`() async throws {
        try await withServer { server in
            for wrong in Self.addresses {
                let answer = try await server.rest(wrong.method, wrong.path)
                #expect(answer.status == 400, "\(wrong.path)")
                #expect(answer.json["detail"]?.stringValue?.contains(wrong.place) == true, "\(wrong.path)")
            }
        }
    }

    @Test func `a query for U+0000 is rejected where it stands`() async throws {
        let cases: [(String, String)] = [
            (#"{"property":"category","op":"equal","value":"a\u0000b"}"#, "/filter/value"),
            (#"{"property":"title","op":"contains","value":"a\u0000b"}"#, "/filter/value"),
            (#"{"property":"groupKey","op":"in","value":["a","b\u0000"]}"#, "/filter/value/1"),
            (#"{"property":"additionalData/a\u0000b","op":"equal","value":"x"}"#, "/filter/property"),
        ]
        try await withServer { server in
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for (filter, pointer) in cases {
                let answer = try await device.call("query", ["filter": try JSON(parsing: Array(filter.utf8))])
                #expect(answer["type"] == "invalidArguments", "\(filter)")
                #expect(answer["description"]?.stringValue?.contains(pointer) == true, "\(answer)")
            }
        }
    }

    @Test func `a sort by a name with U+0000 is rejected where it stands`() async throws {
        try await withServer { server in
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let answer = try await device.call("query", ["sort": [["property": "additionalData/a\u{0}"]]])
            #expect(answer["type"] == "invalidArguments")
            #expect(answer["description"]?.stringValue?.contains("/sort/0/property") == true, "\(answer)")
        }
    }

    @Test func `texts and data of a message keep U+0000`() async throws {
        try await withServer { server in
            let message: JSON = [
                "title": "a\u{0}b", "body": "\u{0}", "additionalData": ["k\u{0}": "v\u{0}"],
                "actions": [["id": "1", "text": "t\u{0}", "value": "\u{0}"]],
            ]
            let id = try await server.send(to: ["person": "ann"], message)
            let device = try await server.device(of: "ann")
            let answer = try await device.call("get", ["ids": [.string(id)]])
            let received = try #require(answer["list"]?.arrayValue?.first)
            for name in ["title", "body", "additionalData"] { #expect(received[name] == message[name], "\(name)") }
            #expect(received["actions"]?.arrayValue?.first?["text"] == "t\u{0}")
            // Sorted and filtered by the same texts.
            let filter: JSON = ["property": "title", "op": "notEqual", "value": "c"]
            let found = try await device.call("query", ["filter": filter, "sort": [["property": "title"]]])
            #expect(found["ids"] == [.string(id)])
        }
    }
}
