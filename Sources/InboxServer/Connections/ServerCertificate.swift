public import Foundation

/// The files with which a server speaks TLS.
///
/// They are read at the start, and again when their content changes: a renewed certificate needs no restart.
public struct ServerCertificate: Hashable, Sendable {
    /// PEM: the server's certificate, and after it those that lead to a root which clients trust.
    public var certificate: URL
    /// PEM: the certificate's private key, without a passphrase.
    public var key: URL

    /// Names the files.
    public init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }
}
