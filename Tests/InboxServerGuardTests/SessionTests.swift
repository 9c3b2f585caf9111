import Crypto
import Eventually
import Foundation
import GRDB
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// Sessions end when they are ended, when their token expires, and with their key.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).status
    }

    private func open(_ device: Device) async throws -> EventStream {
        let before = device.server.watchers.count
        let (stream, status) = await EventStream.open(device, "types=*&closeafter=no&ping=0")
        #expect(status == 200)
        #expect(try await eventually { device.server.watchers.count == before + 1 })
        return stream
    }

    /// Runs a test with a server that accepts the tokens of the app's key `a`.
    private func withApp(clock: ManualClock = ManualClock(), _ body: (TestServer, URL) async throws -> Void)
        async throws
    {
        try await withFolder { folder in
            let key = folder.appending(path: "a.key")
            try Data(SignedText.secret.utf8).write(to: key)
            try await withServer(clock: clock) {
                $0.appTokens = AppTokenSettings(secrets: [key])
            } _: { server in
                try await body(server, key)
            }
        }
    }

    private func appToken(_ person: String, issuedAt: Int?) -> String {
        let issued = issuedAt.map { ",\"iat\":\($0)" } ?? ""
        return SignedText.token(#"{"sub":"\#(person)","exp":\#(SignedText.now + 9_000)\#(issued)}"#)
    }

    @Test func `ended tokens are rejected at once, and their streams end`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: clock)
            let (phone, other) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            // A token that the server hasn't verified yet, so it isn't cached.
            let unseen = try await server.token(for: "ann")
            let browser = try await Browser.signedIn("ann", on: server)
            let (stream, others) = (try await open(phone), try await open(other))
            defer { others.close() }

            #expect(try await server.rest("DELETE", "/v1/people/ann/tokens").status == 204)
            for token in [phone.token, unseen] { #expect(try await status(token, server) == 401) }
            #expect(try await browser.get("/inbox").status == 401)
            while await stream.next() != nil {}
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(try await status(other.token, server) == 200)
            try await server.send(to: ["person": "bob"])
            #expect(await others.next()?.name == "state")

            // The person keeps all data and signs in with a new token.
            try await server.send(to: ["person": "ann"])
            let back = try await server.device(of: "ann")
            #expect(back.account == phone.account)
            #expect(try await back.ids().count == 1)
            others.close()
            try await server.stop()

            let second = try await TestServer.start(file: file, clock: clock)
            for token in [phone.token, unseen] { #expect(try await status(token, second) == 401) }
            #expect(try await status(back.token, second) == 200)
            try await second.stop()
        }
    }

    @Test func `ended tokens of an unknown person are rejected without creating the person`() async throws {
        try await withApp { (server, _) async throws in
            let (own, app) = (try await server.token(for: "ann"), appToken("ann", issuedAt: SignedText.now))
            #expect(try await server.rest("DELETE", "/v1/people/ann/tokens").status == 204)
            #expect(try await server.rest("GET", "/v1/people/ann").status == 404, "no person is created")
            for token in [own, app] { #expect(try await status(token, server) == 401) }
            #expect(try await server.rest("GET", "/v1/people/ann").status == 404)
            #expect(try await status(try await server.token(for: "ann"), server) == 200)
        }
    }

    @Test func `a token created between two ends in one second is ended by the second`() async throws {
        try await withServer { server in
            for end in ["/v1/people/ann/tokens", "/v1/people/ann"] {
                #expect(try await server.rest("DELETE", end).status < 300)
                let token = try await server.token(for: "ann")
                #expect(try await status(token, server) == 200, "\(end)")
                #expect(try await server.rest("DELETE", end).status < 300)
                #expect(try await status(token, server) == 401, "\(end)")
                #expect(try await status(try await server.token(for: "ann"), server) == 200, "\(end)")
            }
        }
    }

    /// Whether the person is known or not: a token with a future `iat` was created before the end all the same.
    @Test(arguments: ["/v1/people/ann/tokens", "/v1/people/ann"], [true, false])
    func `an app token with a future iat doesn't survive the end`(_ end: String, isKnown: Bool) async throws {
        let clock = ManualClock()
        try await withApp(clock: clock) { (server, _) async throws in
            let now = SignedText.now
            let ahead = appToken("ann", issuedAt: now + 60)
            if isKnown { #expect(try await status(ahead, server) == 200) }
            #expect(try await server.rest("DELETE", end).status < 300)
            #expect(try await status(ahead, server) == 401)
            #expect(try await status(appToken("ann", issuedAt: nil), server) == 401)
            clock.advance(by: 60)
            for issuedAt in [now, now + 60] {
                #expect(try await status(appToken("ann", issuedAt: issuedAt), server) == 401)
            }
            clock.advance(by: 1 + TestDatabase.revocationLead)
            #expect(try await status(ahead, server) == 401)
            let next = appToken("ann", issuedAt: now + 61 + Int(TestDatabase.revocationLead))
            #expect(try await status(next, server) == 200)
        }
    }

    @Test func `signing out of the page ends only that token`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: clock)
            // Two tokens created in the same second differ.
            let phone = try await server.device(of: "ann")
            let token = try await server.token(for: "ann")
            #expect(token != phone.token)
            let browser = Browser(server)
            try await browser.signIn(with: token)
            let cookie = try #require(browser.cookie)
            let webView = Device(server: server, token: token, account: phone.account)
            let (ended, kept) = (try await open(webView), try await open(phone))
            defer { kept.close() }

            #expect(try await browser.post("/inbox/sign-out").status == 303)
            browser.cookie = cookie
            #expect(try await browser.get("/inbox").status == 401)
            #expect(try await status(token, server) == 401)
            while await ended.next() != nil {}
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(try await status(phone.token, server) == 200)
            // A second sign-out, and one without a cookie, end nothing.
            #expect(try await browser.post("/inbox/sign-out").status == 303)
            browser.cookie = nil
            #expect(try await browser.post("/inbox/sign-out").status == 303)
            kept.close()
            try await server.stop()

            let second = try await TestServer.start(file: file, clock: clock)
            #expect(try await status(token, second) == 401)
            #expect(try await status(phone.token, second) == 200)
            // The record of an ended token is deleted when the token would have expired.
            clock.advance(by: Double(Tokens.defaultLifetime) + 3_700)
            let storage = try await TestDatabase.storage(for: file)
            let isGone = try await eventually {
                try await storage.readTables { try $0.value("SELECT count(*) FROM endedToken") } == 0
            }
            #expect(isGone)
            try await second.stop()
        }
    }

    /// ECDSA has two valid signatures of each text: (r, s) and (r, n − s).
    @Test func `a signed-out token with its other ECDSA signature is rejected`() async throws {
        try await withFolder { folder in
            let key = P256.Signing.PrivateKey()
            let file = folder.appending(path: "es.pem")
            try Data(key.publicKey.pemRepresentation.utf8).write(to: file)
            try await withServer {
                $0.appTokens = AppTokenSettings(keys: [file])
            } _: { server in
                let header = Base64URL.encode(Data(#"{"alg":"ES256","kid":"es"}"#.utf8))
                let claims = #"{"sub":"ann","exp":\#(SignedText.now + 600),"iat":\#(SignedText.now)}"#
                let text = header + "." + Base64URL.encode(Data(claims.utf8))
                let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
                let other = signature.prefix(32) + Self.negated(signature.suffix(32))
                let tokens = [signature, other].map { text + "." + Base64URL.encode($0) }
                for token in tokens { #expect(try await status(token, server) == 200) }
                let browser = Browser(server)
                try await browser.signIn(with: tokens[0])
                #expect(try await browser.post("/inbox/sign-out").status == 303)
                for token in tokens { #expect(try await status(token, server) == 401) }
            }
        }
    }

    /// n − s, where n is the order of P-256 (FIPS 186-4, D.1.2.3).
    private static func negated(_ number: Data) -> Data {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        var (result, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        for (place, byte) in Array(number).enumerated().reversed() {
            let difference = Int(order[place]) - Int(byte) - borrow
            borrow = difference < 0 ? 1 : 0
            result[place] = UInt8(difference + borrow * 256)
        }
        return Data(result)
    }

    @Test func `a stream ends when its token expires`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let long = try await open(try await server.device(of: "ann"))
            defer { long.close() }
            let made = try await server.rest("POST", "/v1/people/bob/tokens", ["expiresIn": 60])
            let token = try #require(made.json["token"]?.stringValue)
            let short = try await open(Device(server: server, token: token, account: ""))
            clock.advance(by: 119)
            #expect(try await status(token, server) == 200)
            try await server.send(to: ["person": "bob"])
            #expect(await short.next()?.name == "state", "the stream is still open")
            clock.advance(by: 2)
            while await short.next() != nil {}
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(try await status(token, server) == 401)
        }
    }

    @Test func `a stream ends when the app's key is replaced`() async throws {
        let clock = ManualClock()
        try await withApp(clock: clock) { (server, key) async throws in
            let own = try await open(try await server.device(of: "ann"))
            defer { own.close() }
            let token = appToken("bob", issuedAt: SignedText.now)
            let stream = try await open(Device(server: server, token: token, account: ""))
            try Data((SignedText.secret + "new").utf8).write(to: key)
            while server.watchers.count > 1 {
                clock.advance(by: 10)
                try await Task.sleep(for: .milliseconds(20))
            }
            while await stream.next() != nil {}
            #expect(try await status(token, server) == 401)
        }
    }

    @Test func `after a rotation, the earlier key verifies until its last token has expired`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: clock)
            let former = try await server.tokenKey()
            let long: JSON = ["expiresIn": JSON(Tokens.lifetimes.upperBound)]
            let before = try await server.rest("POST", "/v1/people/ann/tokens", long).json["token"]?.stringValue ?? ""
            let answer = try await server.rest("POST", "/v1/signing-key/rotate")
            #expect(answer.status == 200)
            #expect(answer.json["rotatedAt"] == "2026-05-01T08:00:00Z")
            #expect(answer.json["formerEndsAt"] == "2026-05-31T08:01:00Z")
            #expect(try await server.tokenKey() != former)
            let after = try await server.rest("POST", "/v1/people/ann/tokens", long).json["token"]?.stringValue ?? ""
            // A token forged with the earlier key, for example from a backup.
            let forged = SignedText.token(
                #"{"sub":"ann","exp":\#(SignedText.now + 90 * 86_400)}"#,
                kid: nil,
                by: former
            )
            for token in [before, after, forged] { #expect(try await status(token, server) == 200) }
            try await server.stop()

            let second = try await TestServer.start(file: file, clock: clock)
            for token in [before, after] { #expect(try await status(token, second) == 200) }
            let stream = try await open(Device(server: second, token: forged, account: ""))
            clock.advance(by: 30 * 86_400 + 59)
            for token in [before, after, forged] { #expect(try await status(token, second) == 200) }
            clock.advance(by: 1)
            for token in [before, after, forged] { #expect(try await status(token, second) == 401) }
            while await stream.next() != nil {}
            let storage = try await TestDatabase.storage(for: file)
            clock.advance(by: 3_600)
            #expect(
                try await eventually {
                    try await storage.readTables {
                        try $0.value("SELECT count(*) FROM formerTokenKey WHERE secret IS NULL")
                    }
                        == 1
                }
            )
            #expect(try await status(try await second.token(for: "ann"), second) == 200)
            try await second.stop()
            guard !TestDatabase.isPostgreSQL else { return }
            let bytes = try Data(contentsOf: file)
            #expect(former.withUnsafeBytes { bytes.range(of: Data($0)) } == nil, "the earlier key is erased")
        }
    }

    @Test func `a rotation with endTokens ends all of the server's tokens`() async throws {
        try await withApp { (server, _) async throws in
            let device = try await server.device(of: "ann")
            let app = appToken("ann", issuedAt: SignedText.now)
            #expect(try await status(app, server) == 200)
            let stream = try await open(device)
            let kept = try await open(Device(server: server, token: app, account: device.account))
            defer { kept.close() }
            #expect(try await server.rest("POST", "/v1/signing-key/rotate").status == 200)
            let second = try await server.token(for: "ann")
            #expect(try await server.rest("POST", "/v1/signing-key/rotate", ["endTokens": true]).status == 200)
            for token in [device.token, second] { #expect(try await status(token, server) == 401) }
            while await stream.next() != nil {}
            #expect(try await eventually { server.watchers.count == 1 })
            #expect(try await status(app, server) == 200, "app tokens aren't affected")
            #expect(try await status(try await server.token(for: "ann"), server) == 200)
            let secrets: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM formerTokenKey WHERE secret IS NOT NULL")
            }
            #expect(secrets == 0)
        }
    }

    @Test func `rotations are limited, and invalid ones are rejected`() async throws {
        try await withServer { server in
            for _ in 0..<TooManySigningKeysError.limit {
                #expect(try await server.rest("POST", "/v1/signing-key/rotate").status == 200)
            }
            let refused = try await server.rest("POST", "/v1/signing-key/rotate")
            #expect(refused.status == 409)
            #expect(refused.json["type"] == "https://swift-inbox.example/problems/too-many-signing-keys")
            for body: JSON in [["endTokens": 1], ["now": true], []] {
                #expect(try await server.rest("POST", "/v1/signing-key/rotate", body).status == 400)
            }
            #expect(try await server.rest("POST", "/v1/signing-key/rotate", ["endTokens": true]).status == 200)
            #expect(try await server.rest("POST", "/v1/signing-key/rotate").status == 200)
        }
    }

    /// Requests run concurrently with the end of their token: no token from before the end works after it.
    @Test func `concurrent requests and ends leave no token valid`() async throws {
        try await withServer { server in
            for _ in 0..<10 {
                let old = try await server.device(of: "ann")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask { _ = try await self.status(old.token, server) }
                        group.addTask {
                            let (stream, _) = await EventStream.open(old, "types=*&closeafter=no&ping=0")
                            while await stream.next() != nil {}
                        }
                    }
                    group.addTask {
                        let answer = try await server.rest("DELETE", "/v1/people/ann/tokens")
                        #expect(answer.status == 204)
                    }
                    // Streams opened before it have ended, and streams opened later are closed.
                    try await group.waitForAll()
                }
                #expect(try await status(old.token, server) == 401)
                #expect(try await eventually { server.watchers.count == 0 })
            }
        }
    }
}
