import Crypto
import Foundation
import Groundwork
import InboxClient
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

/// The reason why a token is rejected: always logged, and returned to the client where it helps no attacker.
@Suite(.timeLimit(.minutes(10))) struct TokenRefusalTests {
    private static let same = "Send a valid person's token as Authorization: Bearer."
    private static let (now, exp) = (SignedText.now, SignedText.now + 600)

    /// Runs a test with a server that accepts the tokens of two keys, `a` and `b`, and with its log.
    private func withLog(
        clock: ManualClock = ManualClock(),
        issuer: String? = nil,
        audience: String? = nil,
        _ body: (TestServer, RecordedLog) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let keys = ["a", "b"].map { folder.appending(path: $0 + ".key") }
            for key in keys { try Data((SignedText.secret + (key == keys[0] ? "" : "b")).utf8).write(to: key) }
            let log = RecordedLog()
            let file = folder.appending(path: "inbox.sqlite")
            let logger = log.logger
            let server = try await TestServer.start(file: file, clock: clock, logger: logger) { configuration in
                configuration.appTokens = AppTokenSettings(secrets: keys, issuer: issuer, audience: audience)
            }
            do {
                try await body(server, log)
            } catch {
                try await server.stop()
                throw error
            }
            try await server.stop()
        }
    }

    private func refusals(_ log: RecordedLog) -> [String] {
        log.lines.filter { $0.contains("token was rejected") }
    }

    private func session(_ token: String, _ server: TestServer) async throws -> Answer {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"])
    }

    /// Expects a token to be rejected with a reason, in the log and, where clients may see it, in the response.
    private func expect(
        _ reason: TokenRejection.Reason,
        _ token: String,
        _ server: TestServer,
        _ log: RecordedLog,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = refusals(log).count
        let answer = try await session(token, server)
        #expect(answer.status == 401, "\(reason)", sourceLocation: sourceLocation)
        let challenge = answer.header("WWW-Authenticate") ?? ""
        #expect(challenge.hasPrefix("Bearer realm=\"person's token\", error=\"invalid_token\""))
        let detail = answer.json["detail"]?.stringValue ?? ""
        if reason.isReturned {
            let type = "https://swift-inbox.example/problems/token-" + reason.rawValue
            #expect(answer.json["type"]?.stringValue == type, sourceLocation: sourceLocation)
            #expect(detail != Self.same, sourceLocation: sourceLocation)
            #expect(challenge.hasSuffix(", error_description=\"\(detail)\""), sourceLocation: sourceLocation)
        } else {
            #expect(answer.json["type"] == "about:blank" && detail == Self.same, sourceLocation: sourceLocation)
            #expect(!challenge.contains("error_description"), sourceLocation: sourceLocation)
        }
        let new = refusals(log).dropFirst(before)
        #expect(new.count == 1, sourceLocation: sourceLocation)
        let line = new.first ?? ""
        #expect(
            line.hasPrefix("notice ") && line.contains("\"reason\": \"\(reason.rawValue)\""),
            "\(line)",
            sourceLocation: sourceLocation
        )
        #expect(!line.contains("ann"), "\(line)", sourceLocation: sourceLocation)
        for part in token.split(separator: ".") where part.count > 8 {
            #expect(!line.contains(part), sourceLocation: sourceLocation)
        }
    }

    @Test func `each reason is logged, and returned to the client if only the claims are wrong`() async throws {
        try await withLog { (server, log) async throws in
            let (now, exp) = (Self.now, Self.exp)
            let good = #"{"sub":"ann","exp":\#(exp)}"#
            #expect(try await session(SignedText.token(good), server).status == 200)
            let own = try await server.tokenKey()
            let cases: [(TokenRejection.Reason, String)] = [
                (.malformed, "x"), (.malformed, TestServer.adminKey), (.malformed, "a.b.c"),
                (.malformed, SignedText.token(good) + ".x"),
                (.unknownKey, SignedText.token(good, kid: "c")), (.unknownKey, SignedText.token(good, kid: "ann\nx")),
                (.noKeyNamed, SignedText.token(good, kid: nil)),
                (.wrongAlgorithm, SignedText.token(good, alg: "HS512")),
                (.wrongAlgorithm, SignedText.token(good, alg: "none")),
                (.badSignature, SignedText.token(good, kid: "b")),
                (.noPerson, SignedText.token(#"{"exp":\#(exp)}"#)),
                (.invalidPerson, SignedText.token(#"{"sub":1,"exp":\#(exp)}"#)),
                (.noExpiry, SignedText.token(#"{"sub":"ann"}"#)),
                (.invalidTime, SignedText.token(#"{"sub":"ann","exp":"\#(exp)"}"#)),
                (.invalidTime, SignedText.token(#"{"sub":"ann","exp":\#(exp),"iat":true}"#)),
                (.expired, SignedText.token(#"{"sub":"ann","exp":\#(now - 60)}"#)),
                (.expired, SignedText.token(#"{"sub":"ann","exp":\#(now - 60)}"#, kid: nil, by: own)),
                (.notYetValid, SignedText.token(#"{"sub":"ann","exp":\#(exp),"nbf":\#(now + 61)}"#)),
                (.notYetValid, SignedText.token(#"{"sub":"ann","exp":\#(exp),"iat":\#(now + 61)}"#)),
                // Further errors of a token without a valid signature aren't named.
                (.badSignature, SignedText.token(#"{"sub":"ann","exp":1}"#, kid: "b")),
                (.noKeyNamed, SignedText.token(#"{"exp":1}"#, kid: nil)),
            ]
            for (reason, token) in cases { try await expect(reason, token, server, log) }
        }
    }

    /// The server's codes are those that the client knows.
    @Test func `a device receives the reason why its token is rejected`() async throws {
        try await withLog { (server, _) async throws in
            let (now, exp) = (Self.now, Self.exp)
            let cases: [(TokenRefusal.Code, String)] = [
                (.expired, #"{"sub":"ann","exp":\#(now - 60)}"#),
                (.notYetValid, #"{"sub":"ann","exp":\#(exp),"nbf":\#(now + 61)}"#),
                (.withoutSubject, #"{"exp":\#(exp)}"#), (.invalidSubject, #"{"sub":1,"exp":\#(exp)}"#),
                (.withoutExpiry, #"{"sub":"ann"}"#), (.invalidTime, #"{"sub":"ann","exp":"\#(exp)"}"#),
                (.unspecified, "{}x"),
            ]
            for (code, claims) in cases {
                try await withFolder { folder in
                    let token = code == .unspecified ? "x" : SignedText.token(claims)
                    var configuration = InboxConfiguration()
                    configuration.isLive = false
                    let inbox = try await Inbox.open(
                        server: server.url,
                        person: "ann",
                        directory: folder,
                        configuration: configuration
                    ) { token }
                    let error = await #expect(throws: InboxError.self) { try await inbox.sync() }
                    #expect(error?.code == .unauthorized && error?.tokenRefusal?.code == code)
                    #expect(error?.description.contains(": ") == (code != .unspecified), "\(error?.description ?? "")")
                    #expect(error?.tokenRefusal?.detail != nil)
                    await inbox.close()
                }
            }
            // Every reason that is returned to clients is among the cases.
            let returned = TokenRejection.Reason.allCases.filter(\.isReturned)
            #expect(returned.count == cases.count - 1)
        }
    }

    @Test func `a server without app keys logs unknown keys with advice`() async throws {
        try await withFolder { folder in
            let log = RecordedLog()
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: ManualClock(),
                logger: log.logger
            )
            let good = #"{"sub":"ann","exp":\#(Self.exp)}"#
            try await expect(.noKeyNamed, SignedText.token(good, kid: nil), server, log)
            try await expect(.noKeyNamed, SignedText.token(good, kid: nil, alg: "ES256"), server, log)
            try await expect(.unknownKey, SignedText.token(good), server, log)
            let forged = #"{"sub":"ann","exp":\#(Self.exp),"iss":"swift-inbox"}"#
            try await expect(.badSignature, SignedText.token(forged, kid: nil), server, log)
            #expect(TokenRejection.noKeyNamed(keys: 0).advice.contains("--jwt-key"))
            try await server.stop()
        }
    }

    @Test func `a wrong issuer or audience is the only reason named`() async throws {
        try await withLog(issuer: "app", audience: "inbox") { (server, log) async throws in
            let cases: [(TokenRejection.Reason, String)] = [
                (.wrongIssuer, #"{"sub":"ann","exp":1,"aud":"inbox","iss":"ann"}"#),
                (.wrongAudience, #"{"exp":\#(Self.exp),"iss":"app","aud":["ann"]}"#),
            ]
            for (reason, claims) in cases { try await expect(reason, SignedText.token(claims), server, log) }
        }
    }

    @Test func `after an erasure, an earlier token's reason is only logged`() async throws {
        let clock = ManualClock()
        try await withLog(clock: clock) { (server, log) async throws in
            let (now, exp) = (Self.now, Self.exp)
            let old = SignedText.token(#"{"sub":"ann","exp":\#(exp),"iat":\#(now)}"#)
            let undated = SignedText.token(#"{"sub":"ann","exp":\#(exp)}"#)
            for token in [old, undated] { #expect(try await session(token, server).status == 200) }
            try await server.send(to: ["person": "ann"])
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            try await expect(.issuedBeforeErasure, old, server, log)
            try await expect(.noIssueTime, undated, server, log)
            let lead = Int(TestDatabase.revocationLead)
            let new = SignedText.token(#"{"sub":"ann","exp":\#(exp),"iat":\#(now + 61 + lead)}"#)
            clock.advance(by: 1 + TestDatabase.revocationLead)
            #expect(try await session(new, server).status == 200)
            // The person is known again, and cached.
            try await expect(.issuedBeforeErasure, old, server, log)
            try await expect(.noIssueTime, undated, server, log)
            #expect(try await server.rest("DELETE", "/v1/people/ann/tokens").status == 204)
            try await expect(.revoked, new, server, log)
        }
    }

    @Test func `a token that was accepted is rejected as expired later`() async throws {
        let clock = ManualClock()
        try await withLog(clock: clock) { (server, log) async throws in
            let token = SignedText.token(#"{"sub":"ann","exp":\#(Self.exp)}"#)
            #expect(try await session(token, server).status == 200)
            clock.advance(by: 661)
            try await expect(.expired, token, server, log)
            #expect(try await session(token, server).json["detail"] == "The token expired at 2026-05-01T08:10:00Z.")
        }
    }

    @Test func `every route for people returns the reason, and so does the page`() async throws {
        try await withLog { (server, log) async throws in
            let token = SignedText.token(#"{"sub":"ann","exp":1}"#)
            let routes = [
                ("GET", "/.well-known/jmap"), ("POST", "/jmap/api"), ("GET", "/jmap/eventsource/"),
                ("POST", "/jmap/upload/a"), ("GET", "/jmap/download/a/b/c"),
            ]
            for (method, path) in routes {
                let body: [UInt8]? = method == "POST" ? Array("{}".utf8) : nil
                let headers = ["Authorization": "Bearer \(token)"]
                let answer = try await server.request(method, path, body: body, headers: headers)
                #expect(answer.json["type"] == "https://swift-inbox.example/problems/token-expired", "\(path)")
            }
            let browser = Browser(server)
            let refused = try await browser.signIn(with: token)
            #expect(refused.status == 401)
            #expect(refused.headers["www-authenticate"]?.contains("expired at 1970-01-01") == true)
            browser.cookie = "inbox=\(token)"
            for path in ["/inbox", "/inbox/events"] {
                let answer = try await browser.get(path)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.headers["www-authenticate"]?.contains("invalid_token") == true, "\(path)")
            }
            let long = try await browser.signIn(with: String(repeating: "a", count: PageAccess.maxTokenSize + 1))
            #expect(long.status == 401)
            #expect(refusals(log).last?.contains("\"reason\": \"too-long\"") == true)
            browser.cookie = nil
            #expect(try await browser.get("/inbox").headers["www-authenticate"] == "Bearer realm=\"person's token\"")
        }
    }

    @Test func `a request without a token has no reason and no log line`() async throws {
        try await withLog { (server, log) async throws in
            for headers in [[:], ["Authorization": "Basic YTpi"]] {
                let answer = try await server.request("GET", "/.well-known/jmap", headers: headers)
                #expect(answer.status == 401)
                #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"person's token\"")
            }
            #expect(refusals(log).isEmpty)
        }
    }

    @Test func `an expiry in the far future works, and one beyond a double is rejected`() async throws {
        let cases: [String] = ["1e19", "1e300", "9223372036854775807", "253402300800", "1e400"]
        try await withLog { (server, log) async throws in
            let own = try await server.tokenKey()
            for exp in cases {
                let claims = #"{"sub":"ann","exp":\#(exp)}"#
                for token in [SignedText.token(claims), SignedText.token(claims, kid: nil, by: own)] {
                    // Beyond the range of a double it isn't a time.
                    let isTaken = exp != "1e400"
                    #expect(try await session(token, server).status == (isTaken ? 200 : 401), "\(exp)")
                    let browser = Browser(server)
                    #expect(try await browser.signIn(with: token).status == (isTaken ? 303 : 401), "\(exp)")
                    #expect(try await browser.get("/inbox").status == (isTaken ? 200 : 401), "\(exp)")
                }
                for claim in ["nbf", "iat"] {
                    let token = SignedText.token(#"{"sub":"ann","exp":\#(Self.exp),"\#(claim)":\#(exp)}"#)
                    #expect(try await session(token, server).status == 401, "\(exp)")
                    let past = SignedText.token(#"{"sub":"ann","exp":\#(Self.exp),"\#(claim)":-\#(exp)}"#)
                    #expect(try await session(past, server).status == (exp == "1e400" ? 401 : 200), "\(exp)")
                }
                #expect(
                    try await session(SignedText.token(#"{"sub":"ann","exp":-\#(exp)}"#), server).status == 401,
                    "\(exp)"
                )
            }
        }
    }

    @Test func `many rejections are logged in few lines with the number left out`() async throws {
        let clock = ManualClock()
        try await withLog(clock: clock) { (server, log) async throws in
            for number in 0..<50 { #expect(try await session("a.\(number).c", server).status == 401) }
            #expect(refusals(log).count == 10)
            // They don't hide another reason.
            #expect(try await session(SignedText.token(#"{"sub":"ann","exp":1}"#), server).status == 401)
            #expect(refusals(log).count == 11)
            clock.advance(by: 60)
            for _ in 0..<2 { #expect(try await session("a.b.c", server).status == 401) }
            #expect(refusals(log).count == 12)
            #expect(refusals(log).last?.contains("\"leftOut\": \"40\"") == true)
        }
    }

    @Test func `the log's pace is a burst, then one a minute, also if the clock is set back`() {
        var pace = LogRateLimiter()
        let start = Date(timeIntervalSince1970: 1_000_000)
        #expect((0..<12).map { _ in pace.admit(at: start) } == Array(repeating: 0, count: 10) + [nil, nil])
        #expect(pace.admit(at: start - 3_600) == nil)
        #expect(pace.admit(at: start - 3_600 + 60) == 3)
        #expect(pace.admit(at: start - 3_600 + 61) == nil)
        let later = start + 86_400
        #expect((0..<11).map { _ in pace.admit(at: later) } == [1] + Array(repeating: 0, count: 9) + [nil])
    }

    @Test func `texts of rejections are valid in a header and on one line`() {
        let all: [TokenRejection] = [
            .malformed(.parts(1)), .malformed(.header), .malformed(.claims), .malformed(.signature),
            .malformed(.algorithm), .malformed(.keyID), .malformed(.extensions), .tooLong(limit: 3_800),
            .unknownKey("2026-05"), .unknownKey("a\"b\r\nc"), .unknownKey(String(repeating: "a", count: 65)),
            .noKeyNamed(keys: 0), .noKeyNamed(keys: 2), .wrongAlgorithm("\u{1B}[1m", expected: "ES256"), .badSignature,
            .wrongIssuer, .wrongAudience, .noPerson, .invalidPerson, .noExpiry, .invalidTime(.issuedAt),
            .expired(Date(timeIntervalSince1970: 1)), .notYetValid(.notBefore, Date(timeIntervalSince1970: 1)),
            .issuedBeforeErasure, .revoked, .noIssueTime, .erased,
        ]
        #expect(Set(all.map(\.reason)) == Set(TokenRejection.Reason.allCases))
        for refusal in all {
            for text in [refusal.description, refusal.advice] {
                #expect(text.hasSuffix(".") && !text.isEmpty)
                // RFC 6750 §3: %x20-21 / %x23-5B / %x5D-7E.
                #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "\(text)")
            }
        }
    }

    @Test func `Operations.md lists each reason and where it is visible`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Documentation/Operations.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## Why a token is refused").last)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        for reason in TokenRejection.Reason.allCases {
            let row = rows.filter { $0.hasPrefix("| `\(reason.rawValue)` |") }
            #expect(row.count == 1, "\(reason.rawValue)")
            let readers = reason.isReturned ? "| client, log |" : "| log |"
            #expect(row.first?.hasSuffix(readers) == true, "\(reason.rawValue)")
        }
        #expect(rows.count == TokenRejection.Reason.allCases.count)
    }
}
