import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Invalid send requests, each with its status and pointer. None has an effect.
@Suite(.timeLimit(.minutes(10))) struct WrongInputTests {
    struct Case: Sendable {
        let body: String
        /// Nil where the body as a whole is unreadable.
        let pointer: String?

        init(_ body: String, _ pointer: String?) {
            self.body = body
            self.pointer = pointer
        }

        /// A message to a person that is valid except for one field.
        static func field(_ name: String, _ value: String, at pointer: String? = nil) -> Case {
            Case(
                #"{"to":{"person":"ann"},"message":{"title":"x","\#(name)":\#(value)}}"#,
                pointer ?? "/message/\(name)"
            )
        }

        static func to(_ to: String, _ pointer: String) -> Case {
            Case(#"{"to":\#(to),"message":{"title":"x"}}"#, pointer)
        }
    }

    static let cases: [Case] = [
        Case("", nil), Case("{", nil), Case("[]", ""), Case("\"x\"", ""), Case("{}", "/to"),
        Case(#"{"to":{"person":"ann"}}"#, "/message"),
        Case(#"{"to":{"person":"ann"},"to":{"person":"bob"},"message":{"title":"x"}}"#, nil),
        Case(#"{"to":{"person":"ann"},"message":{"title":"x"},"extra":1}"#, "/extra"),
        Case(#"{"to":{"person":"ann"},"message":{}}"#, "/message"),
        Case(#"{"to":{"person":"ann"},"message":[]}"#, "/message"),
        Case(#"{"to":{"person":"ann"},"message":{"title":""}}"#, "/message"),
        .to("{}", "/to"), .to(#"{"person":"a","everyone":true}"#, "/to"), .to(#"{"group":"a"}"#, "/to/group"),
        .to(#"{"person":""}"#, "/to/person"), .to(#"{"person":7}"#, "/to/person"),
        .to(#"{"person":null}"#, "/to/person"),
        .to(#"{"person":"a\u0000b"}"#, "/to/person"),
        .to(#"{"person":"\#(String(repeating: "é", count: 129))"}"#, "/to/person"),
        .to(#"{"people":[]}"#, "/to/people"), .to(#"{"people":"a"}"#, "/to/people"),
        .to(#"{"people":["a",1]}"#, "/to/people/1"),
        .to(#"{"people":[\#((0...10_000).map { "\"\($0)\"" }.joined(separator: ","))]}"#, "/to/people"),
        .to(#"{"everyone":false}"#, "/to/everyone"), .to(#"{"everyone":1}"#, "/to/everyone"),
        .to(#"{"everyone":true,"newPeople":1}"#, "/to/newPeople"), .to(#"{"newPeople":false}"#, "/to"),
        .to(#"{"person":"a","newPeople":false}"#, "/to/newPeople"),
        .field("titel", #""x""#), .field("id", #""x""#), .field("readAt", #""2026-05-01T08:00:00Z""#),
        .field("body", "1"), .field("pinned", #""yes""#), .field("priority", "1.5"), .field("priority", "1001"),
        .field("deliverAt", #""tomorrow""#), .field("deliverAt", #""2026-02-30T00:00:00Z""#),
        .field("expiresAt", #""2026-05-01T08:00:00Z""#), .field("expiresAt", #""2026-05-01T09:00:00+01:00""#),
        .field("media", #"{"alt":"x"}"#, at: "/message/media"),
        .field("media", #"{"url":"javascript:alert(1)"}"#, at: "/message/media/url"),
        .field("actions", #"[{"text":"x","link":"javascript:alert(1)"}]"#, at: "/message/actions/0/link"),
        .field("actions", #"[{"text":"x","link":"JaVaScRiPt:alert(1)"}]"#, at: "/message/actions/0/link"),
        .field("actions", #"[{"text":"x","link":" javascript:alert(1)"}]"#, at: "/message/actions/0/link"),
        .field("actions", #"[{"text":"x","link":"data:text/html,x"}]"#, at: "/message/actions/0/link"),
        .field("actions", #"[{"text":""}]"#, at: "/message/actions/0/text"),
        .field("actions", #"[{"text":"x"},{"text":"y","url":"https://a.example"}]"#, at: "/message/actions/1/url"),
        .field("additionalData", #"{"a/b":1}"#, at: "/message/additionalData/a~1b"),
        Case(
            #"{"to":{"person":"ann"},"message":{"title":"\#(String(repeating: "x", count: 1_001))"}}"#,
            "/message/title"
        ),
        Case(String(repeating: "[", count: 100), nil),
    ]

    @Test func `an invalid send is rejected with its pointer and changes nothing`() async throws {
        try await withServer { server in
            for wrong in Self.cases {
                let answer = try await server.request(
                    "POST",
                    "/v1/messages",
                    body: Array(wrong.body.utf8),
                    headers: ["Authorization": "Bearer \(TestServer.adminKey)", "Idempotency-Key": "k"]
                )
                let name = Comment(rawValue: String(wrong.body.prefix(100)))
                #expect(answer.status == 400, name)
                #expect(answer.header("Content-Type") == "application/problem+json", name)
                let problem = answer.json
                #expect(problem["status"] == 400, name)
                #expect(problem["title"]?.stringValue != nil, name)
                #expect(problem["detail"]?.stringValue != nil, name)
                #expect(problem["pointer"]?.stringValue == wrong.pointer, name)
            }
            try await Self.expectNothingStored(server)
        }
    }

    @Test func `a wrong path, method, type, size and key have their status`() async throws {
        try await withServer { server in
            let body: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
            #expect(try await server.rest("GET", "/v1/nothing").status == 404)
            #expect(try await server.request("GET", "/").status == 404)
            let method = try await server.rest("DELETE", "/v1/messages")
            #expect(method.status == 405)
            #expect(method.header("Allow") == "GET, POST")
            #expect(
                try await server.rest("POST", "/v1/messages", body, headers: ["Content-Type": "text/plain"]).status
                    == 415
            )
            #expect(
                try await server.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "a b"]).status == 400
            )
            let large: JSON = [
                "to": ["person": "ann"], "message": ["body": .string(String(repeating: "x", count: 17 << 20))],
            ]
            #expect(try await server.rest("POST", "/v1/messages", large).status == 413)
            for key in ["Bearer wrong", "Basic \(TestServer.adminKey)", "Bearer", TestServer.adminKey] {
                let answer = try await server.rest("POST", "/v1/messages", body, headers: ["Authorization": key])
                #expect(answer.status == 401)
                #expect(answer.header("WWW-Authenticate") != nil)
            }
            for expiresIn in ["59", "2592001", #""60""#, "60.5"] {
                let body = try JSON(parsing: Array(#"{"expiresIn":\#(expiresIn)}"#.utf8))
                let answer = try await server.rest("POST", "/v1/people/ann/tokens", body)
                #expect(answer.status == 400)
                #expect(answer.json["pointer"] == "/expiresIn")
            }
            for (person, reason) in [
                ("a%00b", "The URL's path must not contain U+0000."),
                ("a%FFb", "The URL's path must be UTF-8 where it has percent escapes."),
            ] {
                let answer = try await server.rest("POST", "/v1/people/\(person)/tokens")
                #expect(answer.status == 400 && answer.json["detail"]?.stringValue == reason, "\(answer.json)")
            }
            try await Self.expectNothingStored(server)
        }
    }

    @Test(arguments: [
        ("%4", "malformed"), ("%", "malformed"), ("a%zz", "malformed"), ("%ff", "UTF-8"), ("%C3", "UTF-8"),
    ])
    func `a percent escape is refused with its own reason`(escape: String, reason: String) throws {
        let problem = try #require(throws: Problem.self) {
            try QueryParameters(form: "prefix=\(escape)", allowed: ["prefix"])
        }
        let detail = try #require(problem.json["detail"]?.stringValue)
        #expect(detail.contains(reason) && detail.contains("The parameter prefix"), "\(detail)")
    }

    private static func expectNothingStored(_ server: TestServer) async throws {
        let storage = try await server.storage()
        for table in ["person", "message", "delivery", "due", "idempotency"] {
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM \(table)") } == 0, "\(table)")
        }
    }
}
