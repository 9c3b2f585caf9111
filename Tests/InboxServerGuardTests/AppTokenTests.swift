import Crypto
import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Tokens signed by the app's own backend.
@Suite(.timeLimit(.minutes(10))) struct AppTokenTests {
    /// The manual clock's start, 2026-05-01T08:00:00Z.
    private static let now = 1_777_622_400

    private static func token(
        _ header: JSON,
        _ claims: JSON = ["sub": "ann", "exp": .number(JSONNumber(now + 600))],
        sign: (Data) throws -> Data
    ) rethrows -> String {
        let text = Base64URL.encode(header.data) + "." + Base64URL.encode(claims.data)
        return text + "." + Base64URL.encode(try sign(Data(text.utf8)))
    }

    private static func hs256(_ secret: String, kid: String?, _ claims: JSON? = nil, alg: String = "HS256") -> String {
        var header = JSONObject([("alg", .string(alg)), ("typ", "JWT")])
        header["kid"] = kid.map(JSON.string)
        let claims = claims ?? ["sub": "ann", "exp": .number(JSONNumber(now + 600))]
        return token(.object(header), claims) { text in
            Data(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: Data(secret.utf8))))
        }
    }

    private static let secret = "0123456789abcdef0123456789abcdef"

    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).status
    }

    /// Runs a test with a server that accepts the tokens of some key files: files ending in `.key` are secrets, others
    /// public keys.
    private func withKeys(
        _ files: [String: String],
        clock: ManualClock = ManualClock(),
        issuer: String? = nil,
        audience: String? = nil,
        _ body: (TestServer, URL) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            for (name, content) in files { try Data(content.utf8).write(to: folder.appending(path: name)) }
            let all = files.keys.sorted().map { folder.appending(path: $0) }
            let secrets = all.filter { $0.pathExtension == "key" }
            let keys = all.filter { !secrets.contains($0) }
            try await withServer(clock: clock) { configuration in
                configuration.appTokens = AppTokenSettings(
                    keys: keys,
                    secrets: secrets,
                    issuer: issuer,
                    audience: audience
                )
            } _: { server in
                try await body(server, folder)
            }
        }
    }

    @Test func `a token is accepted only with its key's own algorithm`() async throws {
        let (es, ed) = (P256.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let es384 = P384.Signing.PrivateKey()
        let point = es384.publicKey.x963Representation
        let x963 = es.publicKey.x963Representation
        let jwks: JSON = [
            "keys": [
                [
                    "kty": "EC", "crv": "P-256", "kid": "es-jwk", "use": "sig", "alg": "ES256",
                    "x": .string(Base64URL.encode(x963[1..<33])), "y": .string(Base64URL.encode(x963[33...])),
                ],
                [
                    "kty": "OKP", "crv": "Ed25519", "kid": "ed-jwk",
                    "x": .string(Base64URL.encode(ed.publicKey.rawRepresentation)),
                ],
                [
                    "kty": "EC", "crv": "P-384", "kid": "es384-jwk",
                    "x": .string(Base64URL.encode(point[1..<49])), "y": .string(Base64URL.encode(point[49...])),
                ],
            ]
        ]
        let files = [
            "es.pem": es.publicKey.pemRepresentation, "es384.pem": es384.publicKey.pemRepresentation,
            "set.json": jwks.description, "hs.key": Self.secret + "\n",
        ]
        try await withKeys(files) { (server, _) async throws in
            for kid in ["es", "es-jwk"] {
                let token = try Self.token(["alg": "ES256", "kid": .string(kid)]) { text in
                    try es.signature(for: text).rawRepresentation
                }
                #expect(try await status(token, server) == 200, "\(kid)")
            }
            let edToken = try Self.token(["alg": "EdDSA", "kid": "ed-jwk"]) { try ed.signature(for: $0) }
            #expect(try await status(edToken, server) == 200)
            for kid in ["es384", "es384-jwk"] {
                let token = try Self.token(["alg": "ES384", "kid": .string(kid)]) { text in
                    try es384.signature(for: text).rawRepresentation
                }
                #expect(try await status(token, server) == 200, "\(kid)")
            }
            #expect(try await status(Self.hs256(Self.secret, kid: "hs"), server) == 200)
            #expect(try await status(try await server.token(for: "ann"), server) == 200, "the server's own are valid")

            // A public key isn't a secret: accepted as one, it would let anyone sign tokens.
            let pem = es.publicKey.pemRepresentation
            let confused: [String] = [
                Self.hs256(pem, kid: "es"), Self.hs256(pem, kid: "es", alg: "ES256"),
                Self.hs256(Self.secret, kid: "es"),
                Self.hs256(Self.secret, kid: "hs", alg: "HS512"),
                Self.hs256(Self.secret, kid: "hs", alg: "none"),
                Self.hs256(Self.secret, kid: "unknown"), Self.hs256(Self.secret, kid: nil),
                try Self.token(["alg": "EdDSA", "kid": "es"]) { try ed.signature(for: $0) },
                try Self.token(["alg": "ES256", "kid": "es"]) { try es.signature(for: $0).derRepresentation },
                Self.token(["alg": "none", "kid": "es"]) { _ in Data() },
                Self.token(["alg": "ES256", "kid": "es"]) { _ in Data() },
                Self.token(["alg": "ES256", "kid": 1]) { _ in Data() },
            ]
            for (number, token) in confused.enumerated() {
                #expect(try await status(token, server) == 401, "number \(number)")
            }
        }
    }

    @Test func `public keys in openssl's format are read`() async throws {
        try await withFolder { folder in
            let kinds: [(String, [String], String)] = [
                ("ec", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "ES256"), ("ed", ["ed25519"], "EdDSA"),
                ("ec384", ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "ES384"),
                ("rsa", ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "RS256"),
            ]
            for (name, options, algorithm) in kinds {
                _ = try await Program.run(["openssl", "genpkey", "-algorithm"] + options + ["-out", name], in: folder)
                let made = try await Program.run(["openssl", "pkey", "-in", name, "-pubout"], in: folder)
                let file = AppKeyFile(file: folder.appending(path: "\(name).1.pem"), bytes: Array(made.output.utf8))
                #expect(try await file.keys().map(\.id) == ["\(name).1"])
                #expect(try await file.keys().map(\.algorithm) == [algorithm])
            }
        }
    }

    @Test func `exp, nbf and iat are checked with a minute of leeway`() async throws {
        let clock = ManualClock()
        let now = Self.now
        let cases: [(JSON, Int)] = [
            (["sub": "ann", "exp": JSON(now - 59)], 200), (["sub": "ann", "exp": JSON(now - 60)], 401),
            (["sub": "ann"], 401), (["sub": "ann", "exp": "2027"], 401), (["exp": JSON(now + 60)], 401),
            (["sub": "ann", "exp": JSON(now + 600), "nbf": JSON(now + 60)], 200),
            (["sub": "ann", "exp": JSON(now + 600), "nbf": JSON(now + 61)], 401),
            (["sub": "ann", "exp": JSON(now + 600), "iat": JSON(now + 60)], 200),
            (["sub": "ann", "exp": JSON(now + 600), "iat": JSON(now + 61)], 401),
            (["sub": "ann", "exp": JSON(now + 600), "iat": "now"], 401),
            (["sub": "", "exp": JSON(now + 600)], 401), (["sub": "a\nb", "exp": JSON(now + 600)], 401),
        ]
        try await withKeys(["a.key": Self.secret], clock: clock) { (server, _) async throws in
            for (claims, expected) in cases {
                let token = Self.hs256(Self.secret, kid: "a", claims)
                #expect(try await status(token, server) == expected, "\(claims)")
            }
            // With a single key, `kid` is optional.
            #expect(try await status(Self.hs256(Self.secret, kid: nil), server) == 200)
        }
    }

    @Test func `issuer and audience are checked where they are configured`() async throws {
        let exp = JSON(Self.now + 600)
        let cases: [(JSON, Int)] = [
            (["sub": "ann", "exp": exp, "iss": "app", "aud": "inbox"], 200),
            (["sub": "ann", "exp": exp, "iss": "app", "aud": ["x", "inbox"]], 200),
            (["sub": "ann", "exp": exp, "iss": "app", "aud": ["x"]], 401),
            (["sub": "ann", "exp": exp, "iss": "app"], 401),
            (["sub": "ann", "exp": exp, "iss": "other", "aud": "inbox"], 401),
            (["sub": "ann", "exp": exp, "aud": "inbox"], 401),
        ]
        try await withKeys(["a.key": Self.secret], issuer: "app", audience: "inbox") { (server, _) async throws in
            for (claims, expected) in cases {
                #expect(try await status(Self.hs256(Self.secret, kid: "a", claims), server) == expected, "\(claims)")
            }
            #expect(try await status(try await server.token(for: "ann"), server) == 200, "the server's own are valid")
        }
    }

    @Test func `after a key is replaced, its earlier tokens are rejected`() async throws {
        let clock = ManualClock()
        let other = "another secret of thirty-two bytes, or more"
        try await withKeys(["a.key": Self.secret], clock: clock) { server, folder in
            let (old, new) = (Self.hs256(Self.secret, kid: "a"), Self.hs256(other, kid: "a"))
            #expect(try await status(old, server) == 200)
            #expect(try await status(new, server) == 401)

            // An unreadable file changes nothing.
            try Data("short".utf8).write(to: folder.appending(path: "a.key"))
            try await Self.advancePastReload(clock)
            #expect(try await status(old, server) == 200)

            try Data(other.utf8).write(to: folder.appending(path: "a.key"))
            #expect(
                try await eventually {
                    clock.advance(by: FileReloader.interval)
                    return try await status(old, server) == 401
                }
            )
            #expect(
                try await status(Self.hs256(other, kid: "a", ["sub": "ann", "exp": JSON(Self.now + 90_000)]), server)
                    == 200
            )
        }
    }

    private static func advancePastReload(_ clock: ManualClock) async throws {
        for _ in 0..<3 {
            clock.advance(by: FileReloader.interval)
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `a file without a usable key is rejected at startup with the reason`() async throws {
        let es = P256.Signing.PrivateKey()
        let p521 = P521.Signing.PrivateKey().publicKey.pemRepresentation
        let ec = es.publicKey.pemRepresentation
        let zeros = Base64URL.encode(Data(count: 32))
        let cases: [(String, String)] = [
            ("short", "--jwt-secret"), (es.pemRepresentation, "private key"), (p521, "unsupported type"),
            (ec + "\n" + ec, "isn't a single PEM"),
            ("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----", "isn't a single PEM"),
            ("{", "isn't valid JSON"), ("{}", "neither keys nor kty"), (#"{"keys":[]}"#, "without keys"),
            (#"{"keys":[{"kty":"oct","k":"AA"}]}"#, "without a kid"),
            (#"{"keys":[{"kty":"oct","kid":"a","k":"AA"}]}"#, "--jwt-secret"),
            (#"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}]}"#, "2048 bits or more"),
            (#"{"keys":[{"kty":"RSA","kid":"a","n":"+/","e":"AQAB"}]}"#, "missing or invalid n"),
            (#"{"keys":[{"kty":"EC","crv":"P-521","kid":"a","x":"AA","y":"AA"}]}"#, "unsupported type"),
            (#"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"AA","y":"AA"}]}"#, "missing or invalid x"),
            (#"{"kty":"EC","crv":"P-256","kid":"a","x":"\#(zeros)","y":"\#(zeros)"}"#, "aren't a point on P-256"),
            (#"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"AA","y":"AA","d":"AA"}]}"#, "private part"),
            (#"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA","use":"enc"}"#, "isn't for signing"),
        ]
        for (content, reason) in cases {
            let file = AppKeyFile(file: URL(filePath: "/keys/a.pem"), bytes: Array(content.utf8))
            let error = await #expect(throws: ServerSetupError.self, "\(reason)") { try await file.keys() }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "") has no: \(reason)")
            #expect(error?.description.contains("/keys/a.pem") == true)
        }
        try await withFolder { folder in
            for name in ["a.key", "a.pem"] { try Data(Self.secret.utf8).write(to: folder.appending(path: name)) }
            let twice = AppTokenSettings(secrets: ["a.key", "a.pem"].map { folder.appending(path: $0) })
            await #expect(throws: ServerSetupError.self) { try await AppTokens(twice) }
            let missing = AppTokenSettings(keys: [folder.appending(path: "none")])
            await #expect(throws: ServerSetupError.self) { try await AppTokens(missing) }
        }
    }
}
