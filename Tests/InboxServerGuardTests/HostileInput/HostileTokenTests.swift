import Crypto
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Invalid tokens and keys: always 401, with the same text unless only the claims of a correctly signed token are
/// wrong, and without effect.
@Suite(.timeLimit(.minutes(10))) struct HostileTokenTests {
    private static let exp = 1_777_700_000

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func signed(_ header: String, _ claims: String, by key: SymmetricKey) -> String {
        let text = "\(encoded(header.utf8)).\(encoded(claims.utf8))"
        return text + "." + encoded(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    /// Headers and claims, signed with the server's own key.
    static let claims: [(name: String, header: String, claims: String)] = [
        ("alg none", #"{"alg":"none"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg NONE", #"{"alg":"NONE"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg empty", #"{"alg":""}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg missing", #"{"typ":"JWT"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg HS512", #"{"alg":"HS512"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg hs256", #"{"alg":"hs256"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg RS256", #"{"alg":"RS256"}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("alg an array", #"{"alg":["HS256"]}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("header an array", "[]", #"{"sub":"ann","exp":\#(exp)}"#),
        ("header empty", "", #"{"sub":"ann","exp":\#(exp)}"#),
        ("must understand", #"{"alg":"HS256","crit":["exp"]}"#, #"{"sub":"ann","exp":\#(exp)}"#),
        ("no exp", #"{"alg":"HS256"}"#, #"{"sub":"ann"}"#),
        ("exp null", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":null}"#),
        ("exp a text", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":"\#(exp)"}"#),
        ("exp 0", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":0}"#),
        ("exp negative", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":-1}"#),
        ("exp past", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":1777622339}"#),
        ("nbf to come", #"{"alg":"HS256"}"#, #"{"sub":"ann","exp":\#(exp),"nbf":1777622461}"#),
        ("no sub", #"{"alg":"HS256"}"#, #"{"exp":\#(exp)}"#),
        ("sub empty", #"{"alg":"HS256"}"#, #"{"sub":"","exp":\#(exp)}"#),
        ("sub a number", #"{"alg":"HS256"}"#, #"{"sub":1,"exp":\#(exp)}"#),
        ("sub an array", #"{"alg":"HS256"}"#, #"{"sub":["ann"],"exp":\#(exp)}"#),
        ("sub with NUL", #"{"alg":"HS256"}"#, #"{"sub":"ann\u0000","exp":\#(exp)}"#),
        ("sub with a line break", #"{"alg":"HS256"}"#, #"{"sub":"ann\r\nX: 1","exp":\#(exp)}"#),
        ("sub too long", #"{"alg":"HS256"}"#, #"{"sub":"\#(String(repeating: "a", count: 257))","exp":\#(exp)}"#),
        ("claims an array", #"{"alg":"HS256"}"#, #"["ann"]"#), ("claims empty", #"{"alg":"HS256"}"#, ""),
        ("claims not JSON", #"{"alg":"HS256"}"#, "sub=ann"),
    ]

    /// The problem types of tokens whose claims alone are wrong.
    private static let problemTypes = [
        "no exp": "no-expiry", "exp null": "invalid-time", "exp a text": "invalid-time", "exp 0": "expired",
        "exp negative": "expired", "exp past": "expired", "nbf to come": "not-yet-valid", "no sub": "no-person",
        "sub empty": "invalid-person", "sub a number": "invalid-person", "sub an array": "invalid-person",
        "sub with NUL": "invalid-person", "sub with a line break": "invalid-person", "sub too long": "invalid-person",
    ]

    @Test func `an invalid token is 401 on every JMAP route`() async throws {
        try await withUnchangedServer { server, ann, bob, _ in
            let key = try await server.storage().readTables { db -> Data? in
                try db.value("SELECT value FROM setting WHERE name = 'tokenKey'")
            }
            let own = SymmetricKey(data: try #require(key))
            // The control: this token is accepted.
            let right = Self.signed(#"{"alg":"HS256"}"#, #"{"sub":"ann","exp":\#(Self.exp)}"#, by: own)
            #expect(
                try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(right)"])
                    .status == 200
            )

            let parts = ann.token.split(separator: ".").map(String.init)
            let others = bob.token.split(separator: ".").map(String.init)
            var tokens = Self.claims.map { (name: $0.name, token: Self.signed($0.header, $0.claims, by: own)) }
            tokens += [
                (
                    "another key",
                    Self.signed(
                        #"{"alg":"HS256"}"#,
                        #"{"sub":"ann","exp":\#(Self.exp)}"#,
                        by: SymmetricKey(size: .bits256)
                    )
                ),
                (
                    "an empty key",
                    Self.signed(#"{"alg":"HS256"}"#, #"{"sub":"ann","exp":\#(Self.exp)}"#, by: SymmetricKey(data: [0]))
                ),
                ("no signature", "\(parts[0]).\(parts[1])."), ("two parts", "\(parts[0]).\(parts[1])"),
                ("four parts", ann.token + "." + parts[2]),
                ("another's claims", "\(parts[0]).\(others[1]).\(parts[2])"),
                ("another's signature", "\(parts[0]).\(parts[1]).\(others[2])"),
                ("cut short", String(ann.token.dropLast(4))),
                ("a letter more", ann.token + "AAAA"),
                ("signature reversed", "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"),
                ("point first", "." + ann.token), ("points alone", ".."), ("the API key", TestServer.adminKey),
                ("a large one", String(repeating: "a", count: 8_000)), ("quoted", "\"\(ann.token)\""),
                ("a list", "\(ann.token),\(ann.token)"),
            ]
            for (name, token) in tokens {
                for (method, path) in [
                    ("GET", "/.well-known/jmap"), ("POST", "/jmap/api"), ("GET", "/jmap/eventsource/"),
                ] {
                    let answer = try await server.request(
                        method,
                        path,
                        body: method == "POST" ? Array(#"{"using":[],"methodCalls":[]}"#.utf8) : nil,
                        headers: ["Authorization": "Bearer \(token)"]
                    )
                    AttemptCounter.add()
                    #expect(answer.status == 401, "\(name), \(path)")
                    let type = Self.problemTypes[name].map { "https://swift-inbox.example/problems/token-" + $0 }
                    #expect(answer.json["type"]?.stringValue == type ?? "about:blank", "\(name), \(path)")
                    let same = "Send a valid person's token as Authorization: Bearer."
                    #expect((answer.json["detail"]?.stringValue == same) == (type == nil), "\(name), \(path)")
                }
            }
        }
    }

    @Test func `a wrong API key is 401 on every REST route`() async throws {
        try await withUnchangedServer { server, ann, _, messages in
            let routes: [(String, String)] = [
                ("POST", "/v1/messages"), ("GET", "/v1/messages/\(messages[0])"),
                ("PUT", "/v1/messages/\(messages[0])"), ("PATCH", "/v1/messages/\(messages[0])"),
                ("GET", "/v1/messages"),
                ("GET", "/v1/people/ann/messages"), ("GET", "/v1/people/ann/messages/\(messages[0])"),
                ("PATCH", "/v1/people/ann/messages/\(messages[0])"),
                ("DELETE", "/v1/people/ann/messages/\(messages[0])"), ("DELETE", "/v1/surfaces/inbox"),
                ("DELETE", "/v1/messages/\(messages[0])"), ("GET", "/v1/messages/\(messages[0])/figures"),
                ("POST", "/v1/people/ann/tokens"), ("GET", "/v1/webhooks"), ("POST", "/v1/webhooks"),
                ("GET", "/v1/webhooks/w1"),
                ("PUT", "/v1/webhooks/w1"), ("DELETE", "/v1/webhooks/w1"), ("POST", "/v1/webhooks/w1/rotate"),
                ("GET", "/v1/webhooks/w1/dead-letters"), ("POST", "/v1/webhooks/w1/dead-letters/x/retry"),
                ("DELETE", "/v1/webhooks/w1/dead-letters/x"),
            ]
            let keys = [
                "", "Bearer", "Bearer ", "Bearer x", "Bearer \(ann.token)", "Basic \(TestServer.adminKey)",
                TestServer.adminKey,
                "Bearer \(TestServer.adminKey)x", "Bearer \(TestServer.adminKey.uppercased())",
                "Bearer \(TestServer.adminKey.dropLast())",
                "Bearer ' OR 1=1 --", "Bearer \(TestServer.adminKey) x", "Bearer%20\(TestServer.adminKey)",
            ]
            for (method, path) in routes {
                for key in keys {
                    let answer = try await server.rest(
                        method,
                        path,
                        method == "GET" ? nil : [:],
                        headers: ["Authorization": key]
                    )
                    AttemptCounter.add()
                    #expect(answer.status == 401, "\(method) \(path), \(key)")
                }
            }
        }
    }
}
