import Foundation
import Groundwork
import Testing

/// The output of `inbox token inspect`, without a server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TokenInspectTests {
    /// A token with an invalid signature of 64 bytes.
    private func unsigned(_ header: String, _ claims: String) -> String {
        func part(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return [Data(header.utf8), Data(claims.utf8), Data(count: 64)].map(part).joined(separator: ".")
    }

    private static let secret = "0123456789abcdef0123456789abcdef"

    /// A token that `openssl` signs with the secret.
    private func signed(_ claims: String, in world: World, kid: String = "a") async throws -> String {
        let parts = unsigned(#"{"alg":"HS256","kid":"\#(kid)"}"#, claims).split(separator: ".").prefix(2)
        let text = parts.joined(separator: ".")
        let shell = try #require(ExternalProgram.find("sh"))
        let command = "printf %s '\(text)' | openssl dgst -sha256 -hmac '\(Self.secret)' -binary | openssl base64 -A"
        let signature = try await ExternalProgram.run(shell, ["-ec", command], in: world.folder)
        return text + "." + signature.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func withKey(_ body: (World, _ inspect: [String]) async throws -> Void) async throws {
        try await World.with { world in
            try Data(Self.secret.utf8).write(to: world.folder.appending(path: "a.key"))
            try await body(world, ["token", "inspect", "--jwt-secret", "a.key"])
        }
    }

    @Test func `a valid token is explained, with exit code 0`() async throws {
        try await withKey { world, inspect in
            let exp = Int(Date().timeIntervalSince1970) + 7_200
            let token = try await signed(#"{"sub":"alice","exp":\#(exp),"iat":\#(exp - 7_200),"aud":"x"}"#, in: world)
            let text = try await world.run(inspect, input: "Bearer \(token)\n").output
            for part in ["HS256", "alice", "\(exp)", "in 2 h", "32 bytes", "The server would accept it: alice, until"] {
                #expect(text.contains(part), "\(part)\n\(text)")
            }
            #expect(!text.contains("no iat"))
            let json = try JSON(parsing: try await world.run(inspect + ["--json"], input: token).output.utf8)
            #expect(json["taken"] == true && json["signatureChecked"] == true && json["person"] == "alice")
            #expect(json["claims"]?["exp"]?.intValue == exp && json["reason"] == nil)
            let other = try await world.run(inspect + ["--audience", "y"], input: token, status: 1).output
            #expect(other.contains("(wrong-audience)") && other.contains("--jwt-audience"))
            _ = try await world.run(inspect + ["--jwt-audience", "x"], input: token)
        }
    }

    @Test func `an invalid token has its reason and advice, with exit code 1`() async throws {
        try await withKey { world, inspect in
            let exp = Int(Date().timeIntervalSince1970) + 7_200
            let good = #"{"sub":"alice","exp":\#(exp)}"#
            let cases: [(token: String, reason: String)] = [
                (try await signed(#"{"sub":"alice","exp":\#(exp - 20_000)}"#, in: world), "expired"),
                (try await signed(good, in: world, kid: "b"), "unknown-key"),
                (unsigned(#"{"alg":"HS256","kid":"a"}"#, good), "bad-signature"),
                (unsigned(#"{"alg":"ES256","kid":"a"}"#, good), "wrong-algorithm"),
                (try await signed(#"{"sub":"alice","exp":1e300,"nbf":1e300}"#, in: world), "not-yet-valid"),
                ("sk_0123456789", "not-a-jwt"),
            ]
            for (token, reason) in cases {
                let text = try await world.run(inspect, input: token, status: 1).output
                #expect(text.contains("✗ The server would reject it (\(reason)): "), "\(text)")
                let json = try JSON(
                    parsing: try await world.run(inspect + ["--json"], input: token, status: 1).output.utf8
                )
                #expect(json["taken"] == false && json["reason"]?.stringValue == reason)
                let isChecked = ["expired", "bad-signature", "not-yet-valid"].contains(reason)
                #expect(json["signatureChecked"] == .bool(isChecked), "\(reason)")
                #expect(json["advice"]?.stringValue?.hasSuffix(".") == true)
            }
        }
    }

    @Test func `without keys a token is explained and its signature reported as unchecked`() async throws {
        try await World.with { world in
            let inspect = ["token", "inspect"]
            let exp = Int(Date().timeIntervalSince1970) + 600
            let token = unsigned(#"{"alg":"EdDSA"}"#, #"{"sub":"al\u001bice","exp":\#(exp)}"#)
            let text = try await world.run(inspect, input: token, status: 1).output
            #expect(text.contains("The signature wasn't checked") && text.contains("--jwt-key"))
            #expect(!text.contains("\u{1B}") && text.contains("in 10 min"))
            let past = unsigned(#"{"alg":"EdDSA"}"#, #"{"sub":"alice","exp":1}"#)
            #expect(try await world.run(inspect, input: past, status: 1).output.contains("expired at 1970"))
            #expect(try await world.run(inspect, input: " \n", status: 1).errors.contains("no token"))
            let wrong = try await world.run(inspect + ["--issuer", "a"], input: token, status: 64)
            #expect(wrong.errors.contains("need a --jwt-key"))
            let missing = try await world.run(inspect + ["--jwt-key", "none"], input: token, status: 1)
            #expect(missing.errors.contains("can't be read"))
            // A token of the server itself.
            try await world.startServer()
            let own = try await world.run(inspect, input: try await world.token(for: "alice"), status: 1).output
            #expect(own.contains("a server issued this token itself"))
            // With keys of the app, too: the server first checks whether a token is its own.
            for keys in [["a"], ["a", "b"]] {
                for key in keys {
                    try Data(key.appending("123456789abcdef0123456789abcdef").utf8)
                        .write(to: world.folder.appending(path: "\(key).key"))
                }
                let options = keys.flatMap { ["--jwt-secret", "\($0).key"] }
                let token = try await world.token(for: "alice")
                let text = try await world.run(inspect + options, input: token, status: 1).output
                #expect(text.contains("a server issued this token itself") && !text.contains("reject"), "\(text)")
            }
        }
    }
}
