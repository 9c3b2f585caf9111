import Crypto
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Files and tokens that could be mistaken for another kind.
@Suite(.timeLimit(.minutes(10))) struct KeyConfusionTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let p256 = P256.Signing.PrivateKey()
    private static let ed25519 = Curve25519.Signing.PrivateKey()

    /// The DER of an Ed25519 public key (RFC 8410 §4).
    private static var ed25519DER: Data {
        Data([0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00])
            + ed25519.publicKey.rawRepresentation
    }

    private static let jwk =
        #"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"\#(Base64URL.encode(Data(ed25519.publicKey.rawRepresentation)))"}"#

    /// An SSH public key's binary part, with a type and 32 bytes (RFC 8709 §4).
    private static var sshBlob: Data {
        Data([0, 0, 0, 11]) + Data("ssh-ed25519".utf8) + Data([0, 0, 0, 32]) + ed25519.publicKey.rawRepresentation
    }

    /// Files of at least 32 bytes that contain a key, by their names.
    private static let keys: [(name: String, content: Data)] = {
        let pem = p256.publicKey.pemRepresentation
        let blob = sshBlob.base64EncodedString()
        let bom = Data([0xEF, 0xBB, 0xBF])
        return [
            ("DER of Ed25519", ed25519DER), ("DER of P-256", p256.publicKey.derRepresentation),
            ("DER and a line break", ed25519DER + Data("\n".utf8)), ("private DER", p256.derRepresentation),
            ("base64 of DER", Data(ed25519DER.base64EncodedString().utf8)),
            (
                "base64 of DER in lines",
                Data(p256.publicKey.derRepresentation.base64EncodedString(options: .lineLength64Characters).utf8)
            ),
            ("SSH", Data("ssh-ed25519 \(blob) ann@example.com\n".utf8)),
            ("SSH of ECDSA", Data("ecdsa-sha2-nistp256 \(blob)".utf8)),
            ("SSH of a security key", Data("sk-ssh-ed25519@openssh.com \(blob)".utf8)),
            ("SSH with options", Data("restrict,command=\"ls\" ssh-rsa \(blob)".utf8)),
            ("SSH after a comment", Data("# deploy\nssh-ed25519 \(blob)".utf8)),
            ("base64 of SSH", Data(blob.utf8)),
            ("SSH2", Data("---- BEGIN SSH2 PUBLIC KEY ----\n\(blob)\n---- END SSH2 PUBLIC KEY ----".utf8)),
            (
                "OpenSSH private",
                Data("-----BEGIN OPENSSH PRIVATE KEY-----\n\(blob)\n-----END OPENSSH PRIVATE KEY-----".utf8)
            ),
            ("PuTTY", Data("PuTTY-User-Key-File-3: ssh-ed25519\n\(blob)".utf8)),
            ("PEM after a BOM", bom + Data(pem.utf8)), ("JWK after a BOM", bom + Data(jwk.utf8)),
            ("a secret after a BOM", bom + Data(secret.utf8)),
            ("UTF-16", Data([0xFF, 0xFE]) + Data(jwk.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
            ("PEM after a comment", Data("# the app's key\n\(pem)".utf8)),
            ("JWKS after a comment", Data("// the app's keys\n{\"keys\":[\(jwk)]}".utf8)),
            ("array of JWKs", Data("[\(jwk)]".utf8)), ("array of a secret", Data(#"["\#(secret)"]"#.utf8)),
            ("private PEM after text", Data("Key:\n\(p256.pemRepresentation)".utf8)),
        ]
    }()

    @Test(arguments: keys.map(\.name))
    func `a key file given as a secret is rejected with the right option`(name: String) async throws {
        let content = try #require(Self.keys.first { $0.name == name }).content
        let file = AppSecretFile(file: URL(filePath: "/keys/a.key"), bytes: Array(content))
        let error = await #expect(throws: ServerSetupError.self) { try await file.key() }
        #expect(error?.description.contains("/keys/a.key, given with --jwt-secret, ") == true)
        #expect(error?.description.contains("--jwt-key") == true, "the error names the right option")
    }

    @Test(arguments: [p256.publicKey.pemRepresentation, jwk, "{\"keys\":[\(jwk)]}", p256.pemRepresentation])
    func `a well-formed key given as a secret is rejected`(content: String) async throws {
        let file = AppSecretFile(file: URL(filePath: "/keys/a.key"), bytes: Array(content.utf8))
        let error = await #expect(throws: ServerSetupError.self) { try await file.key() }
        #expect(error?.description.contains("--jwt-key") == true)
    }

    @Test(arguments: keys.map(\.name) + ["a secret"])
    func `a file that is neither PEM nor JWKS is rejected as a key`(name: String) async throws {
        let content = Self.keys.first { $0.name == name }?.content ?? Data(Self.secret.utf8)
        let file = AppKeyFile(file: URL(filePath: "/keys/a.pem"), bytes: Array(content))
        let error = await #expect(throws: ServerSetupError.self) { try await file.keys() }
        #expect(error?.description.contains("/keys/a.pem, given with --jwt-key, ") == true)
        if name == "a secret" { #expect(error?.description.contains("--jwt-secret") == true) }
    }

    @Test func `random secrets in hexadecimal and base64 are accepted`() async throws {
        var random = SystemRandomNumberGenerator()
        for size in [32, 33, 48, 64, 100] {
            for _ in 0..<200 {
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                let hex = bytes.hexadecimal
                let base64 = Data(bytes).base64EncodedString()
                for text in [hex, base64, base64 + "\n", Base64URL.encode(Data(bytes)), "0" + hex, hex + "\r\n"] {
                    let file = AppSecretFile(file: URL(filePath: "/a.b.key"), bytes: Array(text.utf8))
                    let key = try await file.key()
                    #expect(key.id == "a.b" && key.algorithm == "HS256")
                }
            }
        }
        // A trailing line break, as shells write it, isn't part of the secret.
        for text in [Self.secret, Self.secret + "\n", Self.secret + "\r\n"] {
            let key = try await AppSecretFile(file: URL(filePath: "/a.key"), bytes: Array(text.utf8)).key()
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("x".utf8),
                using: SymmetricKey(data: Data(Self.secret.utf8))
            )
            #expect(key.isValid(Data(code), of: Data("x".utf8)))
            #expect(!key.isValid(Data(code).dropLast(), of: Data("x".utf8)))
        }
    }

    @Test(arguments: [
        (#"{"kty":"oct","kid":"a","k":"AAAA"}"#, "--jwt-secret"),
        (#"{"kty":"none","kid":"a"}"#, "unsupported type"),
        (#"{"kty":1,"kid":"a"}"#, "unsupported type"),
        (#"{"kty":"EC","crv":"Ed25519","kid":"a"}"#, "unsupported type"),
        (#"{"kty":"OKP","crv":"P-256","kid":"a","x":"AA"}"#, "unsupported type"),
        (#"{"kty":"OKP","crv":"X25519","kid":"a","x":"AA"}"#, "unsupported type"),
        (#"{"kty":"EC","crv":"secp256k1","kid":"a"}"#, "unsupported type"),
        (#"{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}"#, "2048 bits"),
        (#"{"kty":"RSA","kid":"a","n":"AQAB"}"#, "missing or invalid e"),
        (#"{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB","d":"AQAB"}"#, "private part"),
        (#"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA"}"#, "missing or invalid x"),
        (jwk.replacing("}", with: #","alg":"HS256"}"#), "wrong alg"),
        (jwk.replacing("}", with: #","alg":"none"}"#), "wrong alg"),
        (jwk.replacing("}", with: #","d":"AA"}"#), "private part"),
    ])
    func `a JWK of the wrong type is rejected with the reason`(json: String, reason: String) async throws {
        let file = AppKeyFile(file: URL(filePath: "/keys/a.json"), bytes: Array(json.utf8))
        let error = await #expect(throws: ServerSetupError.self) { try await file.keys() }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// The `n` of an RSA key's JWK.
    private static func modulus(of key: String, in folder: URL) async throws -> String {
        let output = try await Program.run(["openssl", "rsa", "-in", key, "-noout", "-modulus"], in: folder).output
        let hex = try #require(output.split(separator: "=").last).trimmingCharacters(in: .whitespacesAndNewlines)
        var (bytes, rest): (Data, Substring) = (Data(), hex[...])
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        return Base64URL.encode(bytes)
    }

    @Test func `an RSA key under 2048 bits is rejected, as PEM and as JWK`() async throws {
        try await withFolder { folder in
            for (bits, isTaken) in [(1024, false), (2040, false), (2048, true)] {
                let make = [
                    "openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)", "-out", "key",
                ]
                #expect(try await Program.run(make, in: folder).status == 0)
                let pem = try await Program.run(["openssl", "pkey", "-in", "key", "-pubout"], in: folder).output
                let n = try await Self.modulus(of: "key", in: folder)
                let jwks = [#""alg":"PS256""#, #""alg":"RS256""#, #""use":"sig""#].map {
                    #"{"kty":"RSA","kid":"a","n":"\#(n)","e":"AQAB",\#($0)}"#
                }
                for (content, algorithm) in zip([pem] + jwks, ["RS256", "PS256", "RS256", "RS256"]) {
                    let file = AppKeyFile(file: URL(filePath: "/keys/a.pem"), bytes: Array(content.utf8))
                    if isTaken {
                        #expect(try await file.keys().map(\.algorithm) == [algorithm])
                    } else {
                        let error = await #expect(throws: ServerSetupError.self) { try await file.keys() }
                        #expect(error?.description.contains("2048 bits or more") == true, "\(bits)")
                    }
                }
            }
        }
    }

    // MARK: - Tokens

    /// The manual clock's start.
    private static let exp = SignedText.now + 600

    private static func token(_ header: String, _ claims: String? = nil, sign: (Data) throws -> Data) rethrows -> String
    {
        let claims = claims ?? #"{"sub":"ann","exp":\#(exp)}"#
        let text = Base64URL.encode(Data(header.utf8)) + "." + Base64URL.encode(Data(claims.utf8))
        return text + "." + Base64URL.encode(try sign(Data(text.utf8)))
    }

    private static func hmac(_ key: Data) -> (Data) -> Data {
        { Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: key))) }
    }

    /// Runs a test with a server that accepts the tokens of a P-256 key `es`, an Ed25519 key `ed`, an RSA key `rsa`, an
    /// RSA key for PSS `pss` and a secret `hs`.
    private func withKeys(_ body: (TestServer, _ rsa: URL) async throws -> Void) async throws {
        try await withFolder { folder in
            let make = [
                "openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "private",
            ]
            #expect(try await Program.run(make, in: folder).status == 0)
            let rsa = try await Program.run(["openssl", "pkey", "-in", "private", "-pubout"], in: folder).output
            let n = try await Self.modulus(of: "private", in: folder)
            let pss = #"{"kty":"RSA","kid":"pss","alg":"PS256","n":"\#(n)","e":"AQAB"}"#
            let files = [
                "es.pem": Self.p256.publicKey.pemRepresentation, "rsa.pem": rsa, "pss.json": pss,
                "ed.json": Self.jwk.replacing(#""kid":"a""#, with: #""kid":"ed""#), "hs.key": Self.secret,
            ]
            for (name, content) in files { try Data(content.utf8).write(to: folder.appending(path: name)) }
            try await withServer { configuration in
                configuration.appTokens = AppTokenSettings(
                    keys: ["es.pem", "ed.json", "rsa.pem", "pss.json"].map { folder.appending(path: $0) },
                    secrets: [folder.appending(path: "hs.key")]
                )
            } _: { server in
                try await body(server, folder.appending(path: "private"))
            }
        }
    }

    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).status
    }

    /// Signs as openssl does, with PKCS #1 v1.5 or with PSS.
    private func signature(_ text: Data, with key: URL, pss: Bool) async throws -> Data {
        let folder = key.deletingLastPathComponent()
        try text.write(to: folder.appending(path: "text"))
        let padding = pss ? ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] : []
        let sign =
            ["openssl", "dgst", "-sha256", "-sign", key.lastPathComponent] + padding + ["-out", "signature", "text"]
        #expect(try await Program.run(sign, in: folder).status == 0)
        return try Data(contentsOf: folder.appending(path: "signature"))
    }

    @Test func `an RSA key accepts only its own algorithm`() async throws {
        try await withKeys { server, rsa in
            for (alg, kid, pss, expected) in [
                ("RS256", "rsa", false, 200), ("PS256", "pss", true, 200), ("PS256", "rsa", true, 401),
                ("RS256", "pss", false, 401), ("RS256", "rsa", true, 401), ("PS256", "pss", false, 401),
                ("RS384", "rsa", false, 401),
            ] {
                let unsigned = Self.token(#"{"alg":"\#(alg)","kid":"\#(kid)"}"#) { _ in Data() }
                let text = String(unsigned.dropLast())
                let signature = try await signature(Data(text.utf8), with: rsa, pss: pss)
                let token = text + "." + Base64URL.encode(signature)
                #expect(try await status(token, server) == expected, "\(alg) \(kid) \(pss)")
            }
        }
    }

    @Test func `a token with a confused algorithm, key or signature is rejected`() async throws {
        try await withKeys { server, rsa in
            let (es, ed) = (Self.p256, Self.ed25519)
            let pem = es.publicKey.pemRepresentation
            let secret = Data(Self.secret.utf8)
            let rsaPEM = try Data(contentsOf: rsa.deletingLastPathComponent().appending(path: "rsa.pem"))
            func signES(_ text: Data) throws -> Data { try es.signature(for: text).rawRepresentation }
            let good = try Self.token(#"{"alg":"ES256","kid":"es"}"#, sign: signES)
            #expect(try await status(good, server) == 200)
            #expect(
                try await status(Self.token(#"{"alg":"HS256","kid":"hs"}"#, sign: Self.hmac(secret)), server) == 200
            )

            var confused: [String: String] = [:]
            // Signed with public data.
            let publics: [(String, Data)] = [
                ("PEM", Data(pem.utf8)), ("PEM without a line break", Data(pem.utf8).dropLast()),
                ("DER", es.publicKey.derRepresentation), ("the point", es.publicKey.x963Representation),
                ("the RSA PEM", rsaPEM), ("an Ed25519 key", Data(ed.publicKey.rawRepresentation)),
                ("its DER", Self.ed25519DER),
                ("the JWK", Data(Self.jwk.utf8)), ("nothing", Data()),
            ]
            for (name, key) in publics {
                for kid in ["es", "ed", "rsa", "pss", "hs"] {
                    for alg in ["HS256", "ES256", "EdDSA", "RS256"] {
                        confused["HS256 with \(name) as \(kid), \(alg)"] = Self.token(
                            #"{"alg":"\#(alg)","kid":"\#(kid)"}"#,
                            sign: Self.hmac(key)
                        )
                    }
                }
            }
            for alg in ["none", "None", "NONE", "nOnE", ""] {
                for kid in ["es", "ed", "rsa", "hs", "nonesuch"] {
                    let header = #"{"alg":"\#(alg)","kid":"\#(kid)"}"#
                    confused["alg \(alg) of \(kid)"] = Self.token(header) { _ in Data() }
                    confused["alg \(alg) of \(kid), signed"] = Self.token(header, sign: Self.hmac(secret))
                }
                confused["alg \(alg) without kid"] = Self.token(#"{"alg":"\#(alg)"}"#) { _ in Data() }
            }
            // The kid of another key.
            confused["ES256 as ed"] = try Self.token(#"{"alg":"ES256","kid":"ed"}"#, sign: signES)
            confused["EdDSA as es"] = try Self.token(#"{"alg":"EdDSA","kid":"es"}"#) { try ed.signature(for: $0) }
            confused["ES256 by EdDSA"] = try Self.token(#"{"alg":"ES256","kid":"es"}"#) { try ed.signature(for: $0) }
            confused["HS256 as es"] = Self.token(#"{"alg":"HS256","kid":"es"}"#, sign: Self.hmac(secret))
            confused["no kid"] = try Self.token(#"{"alg":"ES256"}"#, sign: signES)
            confused["kid twice"] = try Self.token(#"{"alg":"ES256","kid":"hs","kid":"es"}"#, sign: signES)
            for kid in ["../es", "es.pem", "ES", "es\\u0000", " es"] {
                confused["kid \(kid)"] = try Self.token(#"{"alg":"ES256","kid":"\#(kid)"}"#, sign: signES)
            }
            // A key inside the token is ignored (RFC 7515 §4.1.2, §4.1.3).
            let own = P256.Signing.PrivateKey()
            let point = own.publicKey.x963Representation
            let jwk =
                #"{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(point[1..<33]))","y":"\#(Base64URL.encode(point[33...]))"}"#
            for header in [#""jwk":\#(jwk)"#, #""jku":"https://evil.example/keys""#, #""x5u":"https://evil.example/""#]
            {
                confused["with \(header)"] = try Self.token(#"{"alg":"ES256","kid":"es",\#(header)}"#) { text in
                    try own.signature(for: text).rawRepresentation
                }
            }
            // Critical extensions (RFC 7515 §4.1.11).
            for crit in [#"["exp"]"#, "[]", "null", #"["b64"],"b64":false"#] {
                confused["crit \(crit)"] = try Self.token(#"{"alg":"ES256","kid":"es","crit":\#(crit)}"#, sign: signES)
            }
            // Malformed signatures.
            confused["DER"] = try Self.token(#"{"alg":"ES256","kid":"es"}"#) {
                try es.signature(for: $0).derRepresentation
            }
            confused["zeros"] = Self.token(#"{"alg":"ES256","kid":"es"}"#) { _ in Data(count: 64) }
            confused["padded"] = good + "="
            confused["cut"] = String(good.dropLast(2))
            confused["longer"] = good + "AAAA"
            confused["not signed"] = good.split(separator: ".").dropLast().joined(separator: ".") + "."
            for (name, token) in confused {
                #expect(try await status(token, server) == 401, "\(name)")
            }
        }
    }

    @Test func `claims with times of any size don't trap`() async throws {
        try await withKeys { server, _ in
            func token(_ claims: String) -> String {
                Self.token(#"{"alg":"HS256","kid":"hs"}"#, claims, sign: Self.hmac(Data(Self.secret.utf8)))
            }
            let huge = ["1e19", "1e300", "1e400", "9223372036854775808", "18446744073709551616", "253402300800"]
            for exp in huge {
                let token = token(#"{"sub":"ann","exp":\#(exp)}"#)
                // The token never expires; neither the session nor the cookie's `Max-Age` overflows.
                let session = try await status(token, server)
                let browser = Browser(server)
                let signedIn = try await browser.signIn(with: token)
                #expect(session == 200 && signedIn.status == 303 || session == 401 && signedIn.status == 401, "\(exp)")
                #expect(session == 200 || exp == "1e400", "\(exp)")
                if session == 200 { #expect(signedIn.headers["set-cookie"]?.contains("Max-Age=") == true) }
            }
            let refused = huge.filter { $0 != "1e400" }.flatMap { time in
                [#"{"sub":"ann","exp":-\#(time)}"#, #"{"sub":"ann","exp":\#(Self.exp),"nbf":\#(time)}"#]
                    + [#"{"sub":"ann","exp":\#(Self.exp),"iat":\#(time)}"#]
            }
            let others = [
                #"{"sub":"ann","exp":\#(Self.exp),"nbf":"0"}"#, #"{"sub":"ann","exp":"\#(Self.exp)"}"#,
                #"{"sub":"ann","exp":null}"#, #"{"sub":"ann","exp":[\#(Self.exp)]}"#, #"{"sub":"ann","exp":true}"#,
                #"{"sub":"ann","exp":-0.0}"#, #"{"sub":"ann","exp":1e-400}"#, #"{"sub":"ann","exp":NaN}"#,
            ]
            for claims in refused + others {
                #expect(try await status(token(claims), server) == 401, "\(claims)")
                #expect(try await Browser(server).signIn(with: token(claims)).status == 401, "\(claims)")
            }
            #expect(try await server.request("GET", "/health").status == 200)
        }
    }
}
