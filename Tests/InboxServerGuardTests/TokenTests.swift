import Crypto
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        let answer = try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"])
        if answer.status == 401 { #expect(answer.header("WWW-Authenticate")?.hasPrefix("Bearer") == true) }
        return answer.status
    }

    @Test func `a token is valid for its lifetime and a minute`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let answer = try await server.rest("POST", "/v1/people/ann/tokens", ["expiresIn": 600])
            #expect(answer.status == 201)
            #expect(answer.json["expiresAt"] == "2026-05-01T08:10:00Z")
            let token = try #require(answer.json["token"]?.stringValue)
            #expect(try await status(token, server) == 200)
            clock.advance(by: 659)
            #expect(try await status(token, server) == 200)
            clock.advance(by: 2)
            #expect(try await status(token, server) == 401)
        }
    }

    @Test func `the default lifetime of a token is a day`() async throws {
        try await withServer { server in
            let answer = try await server.rest("POST", "/v1/people/ann/tokens")
            #expect(answer.json["expiresAt"] == "2026-05-02T08:00:00Z")
        }
    }

    @Test func `tokens are valid after a restart`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: ManualClock())
            let token = try await first.token(for: "ann")
            try await first.stop()
            let second = try await TestServer.start(file: file, clock: ManualClock())
            #expect(try await status(token, second) == 200)
            try await second.stop()
        }
    }

    @Test func `forged tokens are rejected`() async throws {
        try await withServer { server in
            let token = try await server.token(for: "ann")
            let parts = token.split(separator: ".").map(String.init)
            let key = try await server.storage().readTables { db -> Data? in
                try db.value("SELECT value FROM setting WHERE name = 'tokenKey'")
            }
            let own = SymmetricKey(data: try #require(key))
            let header = Self.encoded(#"{"alg":"HS256","typ":"JWT"}"#)
            let exp = 1_777_700_000
            // The control: this token is accepted.
            #expect(try await status(Self.signed(header, #"{"sub":"ann","exp":\#(exp)}"#, own), server) == 200)

            let forged: [String] = [
                "", "x", "a.b.c", String(token.dropLast(10)), "\(token).\(parts[2])",
                "\(parts[0]).\(Self.encoded(#"{"sub":"bob","exp":\#(exp)}"#)).\(parts[2])",
                "\(parts[0]).\(parts[1]).",
                "\(Self.encoded(#"{"alg":"none"}"#)).\(parts[1]).",
                "\(Self.encoded(#"{"alg":"none"}"#)).\(parts[1]).\(parts[2])",
                Self.signed(Self.encoded(#"{"alg":"none"}"#), #"{"sub":"ann","exp":\#(exp)}"#, own),
                Self.signed(Self.encoded(#"{"alg":"HS512"}"#), #"{"sub":"ann","exp":\#(exp)}"#, own),
                Self.signed(header, #"{"sub":"ann","exp":\#(exp)}"#, SymmetricKey(size: .bits256)),
                Self.signed(header, #"{"sub":"ann"}"#, own),
                Self.signed(header, #"{"exp":\#(exp)}"#, own),
                Self.signed(header, #"{"sub":"","exp":\#(exp)}"#, own),
                Self.signed(header, #"{"sub":"ann","exp":1}"#, own),
                Self.signed(header, #"{"sub":"ann","exp":\#(exp),"nbf":1777699000}"#, own),
                Self.signed(header, #"["ann"]"#, own),
                TestServer.adminKey,
            ]
            for token in forged { #expect(try await status(token, server) == 401, "\(token.prefix(40))") }
        }
    }

    @Test func `a device's token cannot send, and an API key cannot read an inbox`() async throws {
        try await withServer { server in
            let token = try await server.token(for: "ann")
            let answer = try await server.rest(
                "POST",
                "/v1/messages",
                ["to": ["person": "ann"], "message": ["title": "x"]],
                headers: ["Authorization": "Bearer \(token)"]
            )
            #expect(answer.status == 401)
            #expect(try await server.rest("GET", "/.well-known/jmap").status == 401)
        }
    }

    @Test func `the first API key is created once and isn't stored in plain text`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: ManualClock(), adminKey: nil)
            let key = try #require(first.ready.newAdminKey)
            let headers = ["Authorization": "Bearer \(key)"]
            #expect(try await first.rest("POST", "/v1/people/ann/tokens", headers: headers).status == 201)
            try await first.stop()
            let second = try await TestServer.start(file: file, clock: ManualClock(), adminKey: nil)
            #expect(second.ready.newAdminKey == nil)
            #expect(try await second.rest("POST", "/v1/people/ann/tokens", headers: headers).status == 201)
            try await second.stop()
            guard !TestDatabase.isPostgreSQL else { return }
            let stored = try Data(contentsOf: file)
            #expect(stored.range(of: Data(key.utf8)) == nil)
        }
    }

    private static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=",
            with: ""
        )
    }

    private static func signed(_ header: String, _ payload: String, _ key: SymmetricKey) -> String {
        let text = "\(header).\(encoded(payload))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        let signature = Data(code).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "\(text).\(signature)"
    }
}
