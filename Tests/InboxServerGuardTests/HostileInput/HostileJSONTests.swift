import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Bodies that aren't JSON or aren't UTF-8: rejected as a whole by both APIs, and without effect.
@Suite(.timeLimit(.minutes(10))) struct HostileJSONTests {
    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        init(_ name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// Bytes in the place of a string's content.
        static func string(_ name: String, _ bytes: [UInt8]) -> Case {
            Case(name, bytes: Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8))
        }

        static func value(_ name: String, _ text: String) -> Case { Case(name, #"{"a":\#(text)}"#) }
    }

    private static let plain = #"{"to":{"person":"ann"},"message":{"title":"x"}}"#
    private static func wide(_ order: String.Encoding) -> [UInt8] { plain.data(using: order).map(Array.init) ?? [] }

    static let cases: [Case] = [
        Case("empty", ""), Case("white space", " \n\t\r "), Case("nothing but NUL", bytes: [0]),
        Case("byte order mark", bytes: [0xEF, 0xBB, 0xBF] + Array(plain.utf8)),
        Case("UTF-16, little end first", bytes: wide(.utf16LittleEndian)),
        Case("UTF-16, big end first", bytes: wide(.utf16BigEndian)),
        Case("UTF-16 with a mark", bytes: [0xFF, 0xFE] + wide(.utf16LittleEndian)),
        Case("UTF-32", bytes: wide(.utf32LittleEndian)),
        .string("byte that is never UTF-8", [0xFF]), .string("continuation alone", [0x80]),
        .string("overlong NUL", [0xC0, 0x80]), .string("overlong slash", [0xE0, 0x80, 0xAF]),
        .string("cut short", [0xE2, 0x82]), .string("surrogate in UTF-8", [0xED, 0xA0, 0x80]),
        .string("past the last code point", [0xF4, 0x90, 0x80, 0x80]),
        .string("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
        .string("raw NUL", [0]), .string("raw line feed", [0x0A]), .string("raw tab", [0x09]),
        .string("raw escape", [0x1B]),
        .value("lone high surrogate", #""\ud800""#), .value("lone low surrogate", #""\udc00""#),
        .value("surrogates the wrong way round", #""\udc00\ud800""#),
        .value("high surrogate and a letter", #""\ud800a""#),
        .value("high surrogate and another escape", #""\ud800\n""#), .value("two high surrogates", #""\ud800\ud800""#),
        .value("unknown escape", #""\x41""#), .value("escape that isn't hexadecimal", #""\u12g4""#),
        .value("escape cut short", #""\u12""#), .value("escaped quote at the end", #""\""#),
        .value("single quotes", "'x'"), .value("bare word", "x"), .value("True", "True"), .value("NULL", "NULL"),
        .value("word cut short", "tru"), .value("NaN", "NaN"), .value("Infinity", "Infinity"),
        .value("minus Infinity", "-Infinity"), .value("leading zero", "01"), .value("leading zero, negative", "-01"),
        .value("plus", "+1"), .value("point first", ".5"), .value("point last", "1."), .value("exponent missing", "1e"),
        .value("exponent's sign alone", "1e+"), .value("hexadecimal", "0x10"), .value("minus alone", "-"),
        .value("two minuses", "--1"), .value("digits with separators", "1_000"), .value("nothing", ""),
        Case("comma last, array", "[1,]"), Case("comma last, object", #"{"a":1,}"#), Case("comma first", "[,1]"),
        Case("comma missing", "[1 2]"), Case("colon missing", #"{"a" 1}"#), Case("name without quotes", "{a:1}"),
        Case("name that is a number", "{1:1}"), Case("comment", "{} // x"), Case("comment within", "{/**/}"),
        Case("array open", "[1"), Case("object open", #"{"a":1"#), Case("string open", #""a"#),
        Case("closed twice", "{}}"),
        Case("closed wrongly", "[1}"), Case("two documents", "{}{}"), Case("words after the end", "{} x"),
        Case("NUL after the end", bytes: Array("{}".utf8) + [0]),
        Case("name twice", #"{"a":1,"a":2}"#), Case("name twice, one escaped", #"{"a":1,"\u0061":2}"#),
        Case("name twice, deep", #"{"x":[{"a":1,"a":1}]}"#),
        Case("no-break space", "\u{A0}{}"), Case("form feed", "\u{C}{}"), Case("line separator", "{}\u{2028}"),
        Case("arrays, 100 deep", String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
        Case("arrays, 100,000 deep", String(repeating: "[", count: 100_000)),
        Case("objects, 100,000 deep", String(repeating: #"{"a":"#, count: 100_000)),
        Case("arrays and objects, deep", String(repeating: #"[{"a":"#, count: 50_000)),
    ]

    @Test func `invalid JSON is 400 from the REST API`() async throws {
        try await withUnchangedServer { server, _, _, _ in
            for hostile in Self.cases {
                for (method, path) in [
                    ("POST", "/v1/messages"), ("POST", "/v1/webhooks"), ("POST", "/v1/people/ann/tokens"),
                ]
                where path == "/v1/messages" || (1...4_096).contains(hostile.bytes.count) {
                    let answer = try await server.request(
                        method,
                        path,
                        body: hostile.bytes,
                        headers: ["Authorization": "Bearer \(TestServer.adminKey)"]
                    )
                    AttemptCounter.add()
                    let name = Comment(rawValue: "\(hostile.name), \(path)")
                    #expect(answer.status == 400, name)
                    #expect(answer.header("Content-Type") == "application/problem+json", name)
                    #expect(answer.json.type == "about:blank", name)
                    #expect(answer.json["pointer"] == nil, name)
                }
            }
        }
    }

    @Test func `invalid JSON is notJSON from the JMAP API`() async throws {
        try await withUnchangedServer { server, ann, _, _ in
            for hostile in Self.cases {
                let answer = try await server.request(
                    "POST",
                    "/jmap/api",
                    body: hostile.bytes,
                    headers: ann.authorization
                )
                AttemptCounter.add()
                #expect(answer.status == 400, Comment(rawValue: hostile.name))
                #expect(answer.json.type == "urn:ietf:params:jmap:error:notJSON", Comment(rawValue: hostile.name))
            }
        }
    }
}
