import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct TLSTests {
    /// Runs a test with a server that uses TLS.
    private func withTLS(
        clock: ManualClock = ManualClock(),
        _ body: (TestServer, TestAuthority) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let certificate = try await authority.certificate("server")
            try await withServer(clock: clock) {
                $0.certificate = certificate
            } _: { server in
                try await body(server, authority)
            }
        }
    }

    private func curl(_ authority: TestAuthority, _ arguments: String...) async throws -> Program.Result {
        let always = ["curl", "--silent", "--show-error", "--cacert", "ca.pem", "--max-time", "20"]
        return try await Program.run(always + arguments, in: authority.folder)
    }

    @Test func `everything is served over https, and the session has https URLs`() async throws {
        try await withTLS { server, authority in
            #expect(server.url.scheme == "https")
            let key = "Authorization: Bearer \(TestServer.adminKey)"
            let made = try await curl(authority, "-X", "POST", "-H", key, "\(server.url)/v1/people/ann/tokens")
            let token = try #require(try JSON(parsing: made.output.utf8)["token"]?.stringValue)
            let bearer = "Authorization: Bearer \(token)"
            let answer = try await curl(authority, "-H", bearer, "\(server.url)/.well-known/jmap")
            let session = try JSON(parsing: answer.output.utf8)
            for name in ["apiUrl", "eventSourceUrl", "uploadUrl", "downloadUrl"] {
                #expect(session[name]?.stringValue?.hasPrefix("\(server.url)/jmap/") == true, "\(name)")
            }
            let stream = try await curl(
                authority,
                "--no-buffer",
                "-H",
                bearer,
                "-H",
                "Last-Event-ID: before",
                "\(server.url)/jmap/eventsource/?types=*&closeafter=state&ping=0"
            )
            #expect(stream.status == 0)
            #expect(stream.output.contains("event: state"))
        }
    }

    @Test func `TLS below 1.2 is rejected`() async throws {
        try await withTLS { server, authority in
            let port = try #require(server.url.port)
            for (version, accepted) in [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
                let result = try await Program.run(
                    [
                        "openssl", "s_client", "-connect", "127.0.0.1:\(port)", version, "-cipher", "ALL:@SECLEVEL=0",
                        "-CAfile", "ca.pem", "-verify_return_error",
                    ],
                    in: authority.folder
                )
                #expect((result.status == 0) == accepted, "\(version): \(result.output.suffix(300))")
            }
            #expect(try await curl(authority, "http://127.0.0.1:\(port)/health").status != 0)
        }
    }

    @Test func `a renewed certificate is used without a restart, a mismatched one is not`() async throws {
        let clock = ManualClock()
        try await withTLS(clock: clock) { server, authority in
            let port = try #require(server.url.port)
            func shown() async throws -> String {
                let arguments = ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", "ca.pem"]
                return try await Program.run(arguments, in: authority.folder).output
            }
            #expect(try await shown().contains("CN = server"))
            let renewed = try await authority.certificate("renewed")
            let live = authority.folder
            // For a moment the two files don't match.
            try Data(contentsOf: renewed.key).write(to: live.appending(path: "server.key"))
            clock.advance(by: FileReloader.interval)
            #expect(try await shown().contains("CN = server"))
            try Data(contentsOf: renewed.certificate).write(to: live.appending(path: "server.pem"))
            #expect(
                try await eventually {
                    clock.advance(by: FileReloader.interval)
                    return try await shown().contains("CN = renewed")
                }
            )
        }
    }

    @Test func `certificates and keys in openssl's format are read`() async throws {
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let files = try await authority.certificate("server")
            // The curve before the key, and a textual description before the certificate.
            let curve = try await Program.run(["openssl", "ecparam", "-name", "prime256v1"], in: folder).output
            #expect(curve.hasPrefix("-----BEGIN EC PARAMETERS-----"))
            let key = try String(contentsOf: files.key, encoding: .utf8)
            try (curve + key).write(to: files.key, atomically: true, encoding: .utf8)
            let text = try await Program.run(["openssl", "x509", "-in", "server.pem", "-text"], in: folder).output
            let chain = text + "\n" + (try String(contentsOf: authority.root, encoding: .utf8))
            try chain.write(to: files.certificate, atomically: true, encoding: .utf8)
            let identity = try TLSIdentity(files)
            #expect(try await identity.reload() == false, "nothing has changed")
        }
    }

    @Test func `a mismatched or unreadable certificate file is rejected with the reason`() async throws {
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let (one, two) = (try await authority.certificate("one"), try await authority.certificate("two"))
            let missing = folder.appending(path: "missing")
            let cases: [(URL, URL, String)] = [
                (one.certificate, two.key, "isn't the key of"), (one.key, one.key, "contains no PEM certificate"),
                (one.certificate, one.certificate, "contains no PEM private key"), (missing, one.key, "can't be read"),
                (one.certificate, missing, "can't be read"),
            ]
            for (certificate, key, reason) in cases {
                let files = ServerCertificate(certificate: certificate, key: key)
                let error = #expect(throws: ServerSetupError.self, "\(reason)") { try TLSIdentity(files) }
                #expect(error?.description.contains(reason) == true, "\(error?.description ?? "") has no: \(reason)")
            }
        }
    }
}
