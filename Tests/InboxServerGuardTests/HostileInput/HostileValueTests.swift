import Foundation
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

/// Values beyond the limits of a sender, most of them by one: rejected with their pointer, and without effect.
@Suite(.timeLimit(.minutes(10))) struct HostileValueTests {
    struct Case: Sendable {
        let name: String
        let body: String
        let pointer: String

        init(_ name: String, _ body: String, _ pointer: String) {
            (self.name, self.body, self.pointer) = (name, body, pointer)
        }

        /// A message to ann with one more field.
        static func field(_ name: String, _ field: String, _ value: String, at pointer: String? = nil) -> Case {
            Case(
                "\(field): \(name)",
                #"{"to":{"person":"ann"},"message":{"\#(field == "title" ? "body" : "title")":"x","\#(field)":\#(value)}}"#,
                pointer ?? "/message/\(field)"
            )
        }

        static func to(_ name: String, _ to: String, _ pointer: String) -> Case {
            Case("to: \(name)", #"{"to":\#(to),"message":{"title":"x"}}"#, pointer)
        }
    }

    private static func text(_ bytes: Int) -> String { "\"" + String(repeating: "x", count: bytes) + "\"" }
    private static func web(_ bytes: Int) -> String {
        "\"https://a.example/" + String(repeating: "x", count: bytes - 18) + "\""
    }
    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }
    private static func pairs(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ",") + "}"
    }

    static let numbers: [Case] = [
        ("past every double", "1e999"), ("below every double", "-1e999"), ("2^53 + 1", "9007199254740993"),
        ("2^63", "9223372036854775808"), ("400 digits", String(repeating: "9", count: 400)),
        ("a part", "0.5"), ("the smallest part", "1e-400"), ("1,001", "1001"), ("-1,001", "-1001"),
        ("1,001 as 1.001e3", "1.001e3"), ("exponent past every number", "1e99999999999999999999"),
        ("text", "\"1\""), ("true", "true"), ("array", "[1]"),
    ].map { .field($0.0, "priority", $0.1) }

    static let dates: [Case] =
        [
            ("a day", "2026-06-01"), ("with an offset", "2026-06-01T00:00:00+00:00"),
            ("with -00:00", "2026-06-01T00:00:00-00:00"),
            ("small t", "2026-06-01t00:00:00Z"), ("small z", "2026-06-01T00:00:00z"),
            ("a space", "2026-06-01 00:00:00Z"),
            ("February 30", "2026-02-30T00:00:00Z"), ("February 29, no leap year", "2027-02-29T00:00:00Z"),
            ("month 13", "2026-13-01T00:00:00Z"), ("month 0", "2026-00-01T00:00:00Z"),
            ("day 0", "2026-06-00T00:00:00Z"),
            ("24 o'clock", "2026-06-01T24:00:00Z"), ("minute 60", "2026-06-01T00:60:00Z"),
            ("second 61", "2026-06-01T00:00:61Z"),
            ("fraction empty", "2026-06-01T00:00:00.Z"), ("fraction with a comma", "2026-06-01T00:00:00,5Z"),
            ("year of five digits", "12026-06-01T00:00:00Z"), ("year of three digits", "026-06-01T00:00:00Z"),
            ("negative year", "-026-06-01T00:00:00Z"), ("Arabic digits", "٢٠٢٦-06-01T00:00:00Z"), ("empty", ""),
            ("NUL at the end", "2026-06-01T00:00:00Z\\u0000"), ("space first", " 2026-06-01T00:00:00Z"),
            ("a number in text", "1780272000"),
        ].map { .field($0.0, "deliverAt", "\"\($0.1)\"") }

    private static let moreDates: [Case] = [
        .field("a number", "deliverAt", "1780272000"),
        .field("past, though deliverAt isn't", "expiresAt", "\"0000-01-01T00:00:00Z\""),
    ]

    static let limits: [Case] = [
        .field("one byte more", "title", text(1_001)), .field("one byte more", "body", text(65_537)),
        .field("one byte more", "html", text(524_289)), .field("one byte more", "category", text(257)),
        .field("empty", "category", text(0)), .field("one byte more", "surface", text(257)),
        .field("empty", "surface", text(0)), .field("one byte more", "groupKey", text(257)),
        .field("one byte more", "templateId", text(257)), .field("one byte more", "consentCategory", text(257)),
        .field("one byte more", "campaignId", text(257)),
        .field("one more", "actions", list(11) { _ in #"{"text":"x"}"# }),
        .field("label one byte more", "actions", "[{\"text\":\(text(201))}]", at: "/message/actions/0/text"),
        .field("id one byte more", "actions", "[{\"text\":\"x\",\"id\":\(text(257))}]", at: "/message/actions/0/id"),
        .field(
            "value one byte more",
            "actions",
            "[{\"text\":\"x\",\"value\":\(text(4_097))}]",
            at: "/message/actions/0/value"
        ),
        .field(
            "link one byte more",
            "actions",
            "[{\"text\":\"x\",\"link\":\(web(4_097))}]",
            at: "/message/actions/0/link"
        ),
        .field("id twice", "actions", #"[{"text":"x","id":"a"},{"text":"y","id":"a"}]"#, at: "/message/actions/1/id"),
        .field("address one byte more", "media", "{\"url\":\(web(4_097))}", at: "/message/media/url"),
        .field(
            "words one byte more",
            "media",
            "{\"url\":\(web(100)),\"alt\":\(text(1_001))}",
            at: "/message/media/alt"
        ),
        .field("one pair more", "additionalData", pairs(101)),
        .field("name one byte more", "additionalData", "{\(text(257)):\"v\"}"),
        .field("value one byte more", "additionalData", "{\"k\":\(text(8_193))}", at: "/message/additionalData/k"),
        .to("one byte more", "{\"person\":\(text(257))}", "/to/person"),
        .to("one person more", "{\"people\":\(list(10_001) { "\"p\($0)\"" })}", "/to/people"),
        .to("control character", #"{"person":"a\u001fb"}"#, "/to/person"),
        .to("delete", #"{"person":"a\u007fb"}"#, "/to/person"),
        .to("C1 control", #"{"person":"a\u0085b"}"#, "/to/person"),
        .to("line break", #"{"person":"ann\r\nX-Other: 1"}"#, "/to/person"),
        .to("everyone and a person", #"{"everyone":true,"person":"ann"}"#, "/to"),
        .to("everyone, as text", #"{"everyone":"true"}"#, "/to/everyone"), .to("array", #"["ann"]"#, "/to"),
        Case("array, one message more", list(1_001) { _ in #"{"to":{"person":"a"},"message":{"title":"x"}}"# }, ""),
        Case("array, empty", "[]", ""),
        Case(
            "array, its last wrong",
            #"[{"to":{"person":"a"},"message":{"title":"x"}},{"to":{"person":"a"}}]"#,
            "/1/message"
        ),
        Case("array in an array", #"[[{"to":{"person":"a"},"message":{"title":"x"}}]]"#, "/0"),
        Case("name with a slash and a tilde", #"{"a/b~c":1}"#, "/a~1b~0c"), Case("empty name", #"{"":1}"#, "/"),
        Case("name with a NUL", #"{"to\u0000":1}"#, "/to\u{0}"), Case("__proto__", #"{"__proto__":{}}"#, "/__proto__"),
    ]

    static let links: [Case] = [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\\tscript:alert(1)", "java\\nscript:alert(1)",
        "\\u0000javascript:x",
        "\\u0001javascript:x", " javascript:x", "javascript:x ", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "blob:x",
        "view-source:https://a.example", "filesystem:x", "content://x", "about:blank", "//a.example", "/path",
        "a.example", "https://",
        "https:///x", "http://\\u202e", "https://a.example/\\u0000", "https://a.example/\\r\\nSet-Cookie: a=b",
    ].map { .field($0, "actions", "[{\"text\":\"x\",\"link\":\"\($0)\"}]", at: "/message/actions/0/link") }

    @Test func `a value past its limit is rejected with its pointer`() async throws {
        let cases: [Case] = Self.numbers + Self.dates + Self.moreDates + Self.limits + Self.links
        try await withUnchangedServer { server, _, _, messages in
            for hostile in cases {
                let answer = try await server.request(
                    "POST",
                    "/v1/messages",
                    body: Array(hostile.body.utf8),
                    headers: ["Authorization": "Bearer \(TestServer.adminKey)", "Idempotency-Key": "k"]
                )
                AttemptCounter.add()
                let name = Comment(rawValue: hostile.name)
                #expect(answer.status == 400, name)
                #expect(answer.header("Content-Type") == "application/problem+json", name)
                #expect(answer.json["pointer"]?.stringValue == hostile.pointer, name)
                // The response doesn't repeat the request's content.
                #expect(answer.bytes.count < 1_024, name)
            }
            for hostile in cases where hostile.pointer.hasPrefix("/message") {
                guard let message = try JSON(parsing: Array(hostile.body.utf8))["message"] else { continue }
                let answer = try await server.rest("PUT", "/v1/messages/\(messages[0])", ["message": message])
                AttemptCounter.add()
                #expect(answer.status == 400, "edit, \(hostile.name)")
                #expect(answer.json["pointer"]?.stringValue == hostile.pointer, "edit, \(hostile.name)")
            }
        }
    }

    @Test func `values at the limits are accepted`() async throws {
        try await withServer { server in
            let accepted: [Case] = [
                .field("", "title", Self.text(1_000)), .field("", "body", Self.text(65_536)),
                .field("", "html", Self.text(524_288)), .field("", "category", Self.text(256)),
                .field("", "priority", "1000"), .field("", "priority", "-1e3"), .field("", "priority", "-0"),
                .field("", "priority", "10.0"), .field("", "actions", Self.list(10) { _ in #"{"text":"x"}"# }),
                .field("", "actions", "[{\"text\":\(Self.text(200)),\"link\":\(Self.web(4_096))}]"),
                .field("", "additionalData", Self.pairs(100)),
                .field("", "additionalData", "{\(Self.text(256)):\(Self.text(8_192))}"),
                .field("", "deliverAt", "\"2028-02-29T23:59:60Z\""),
                .field("", "deliverAt", "\"0000-01-01T00:00:00Z\""),
                .field("", "body", #""\u0000\ud83d\ude00\u2028""#), .to("", "{\"person\":\(Self.text(256))}", ""),
                .to("", "{\"people\":\(Self.list(10_000) { "\"p\($0)\"" })}", ""),
            ]
            for right in accepted {
                let answer = try await server.request(
                    "POST",
                    "/v1/messages",
                    body: Array(right.body.utf8),
                    headers: ["Authorization": "Bearer \(TestServer.adminKey)"]
                )
                #expect(answer.status == 201, "\(right.body.prefix(80))")
            }
        }
    }
}
