import ArgumentParser
import Foundation
import InboxServer

/// The options for the server's TLS certificate.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Serve HTTPS with this certificate and its chain (PEM).", valueName: "file"),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key (PEM).", valueName: "file"), completion: .file())
    var tlsKey: String?

    func validate() throws {
        try PathArgument.check(tlsCertificate, of: "--tls-certificate")
        try PathArgument.check(tlsKey, of: "--tls-key")
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key require each other. Give both, or neither.")
        }
    }

    var certificate: ServerCertificate? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return ServerCertificate(
            certificate: URL(fileURLWithPath: tlsCertificate),
            key: URL(fileURLWithPath: tlsKey)
        )
    }
}
