import Foundation
import InboxServer

/// A certificate authority for tests, and the certificates that it signs for this machine, created by openssl.
struct TestAuthority {
    let folder: URL

    var root: URL { folder.appending(path: "ca.pem") }

    static func make(in folder: URL) async throws -> TestAuthority {
        try await openssl(
            folder,
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            "ca.key",
            "-out",
            "ca.pem",
            "-subj",
            "/CN=Test CA",
            "-days",
            "2"
        )
        return TestAuthority(folder: folder)
    }

    /// Signs a certificate for localhost and 127.0.0.1.
    func certificate(_ name: String) async throws -> ServerCertificate {
        try await Self.openssl(
            folder,
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            "\(name).key",
            "-out",
            "\(name).csr",
            "-subj",
            "/CN=\(name)"
        )
        try Data("subjectAltName=DNS:localhost,IP:127.0.0.1".utf8).write(to: folder.appending(path: "\(name).ext"))
        try await Self.openssl(
            folder,
            "x509",
            "-req",
            "-in",
            "\(name).csr",
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-out",
            "\(name).pem",
            "-days",
            "2",
            "-extfile",
            "\(name).ext"
        )
        return ServerCertificate(
            certificate: folder.appending(path: "\(name).pem"),
            key: folder.appending(path: "\(name).key")
        )
    }

    private static func openssl(_ folder: URL, _ arguments: String...) async throws {
        let result = try await Program.run(["openssl"] + arguments, in: folder)
        guard result.status == 0 else { throw UnexpectedResponse(answer: result.output) }
    }
}
