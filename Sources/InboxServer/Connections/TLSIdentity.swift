public import Foundation
import Groundwork
import InboxService
import NIOCertificateReloading
import NIOCore
import NIOSSL

/// The server's certificate and key, as currently in their files.
///
/// `TimedCertificateReloader` reads them, verifies that they belong together, and provides them to each handshake.
/// ``FileReloader`` decides when it reads them again, by the server's clock, as for the other files.
final class TLSIdentity: Sendable {
    private let files: ServerCertificate
    private let reloader: TimedCertificateReloader
    // The number of changes of the certificate or key. Accessed only in `withLock`, by the reloader's callback and by
    // `reload()`.
    private let changes: Locked<Int>

    /// - Throws: ``ServerSetupError`` if a file can't be read or is invalid, or if the two don't belong together.
    init(_ files: ServerCertificate) throws {
        let changes = Locked(0)
        let configuration = TimedCertificateReloader.Configuration(
            refreshInterval: .seconds(FileReloader.interval),
            certificateSource: TimedCertificateReloader.CertificateSource(
                location: .memory { try Self.certificate(files) },
                format: .pem
            ),
            privateKeySource: TimedCertificateReloader.PrivateKeySource(
                location: .memory { try Self.key(files) },
                format: .pem
            )
        ) {
            $0.onCertificateLoaded = { loaded in
                guard
                    loaded.previousCertificateChain != loaded.currentCertificateChain
                        || loaded.previousPrivateKey != loaded.currentPrivateKey
                else { return }
                changes.withLock { $0 += 1 }
            }
        }
        (self.files, self.changes) = (files, changes)
        reloader = TimedCertificateReloader(configuration: configuration)
        _ = try read()
    }

    /// The configuration: TLS 1.2 or later, with HTTP/1.1.
    ///
    /// - Throws: Never after ``init(_:)``, which has read both files.
    var configuration: TLSConfiguration {
        get throws {
            var configuration = try TLSConfiguration.makeServerConfiguration(certificateReloader: reloader)
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }
    }

    private static func certificate(_ files: ServerCertificate) throws -> [UInt8] {
        try SetupFile.read(files.certificate, option: "--tls-certificate")
    }

    /// Returns the key file without the curve that `openssl ecparam -genkey` writes before the key.
    private static func key(_ files: ServerCertificate) throws -> [UInt8] {
        let text = String(decoding: try SetupFile.read(files.key, option: "--tls-key"), as: UTF8.self)
        let end = "-----END EC PARAMETERS-----"
        guard text.hasPrefix("-----BEGIN EC PARAMETERS-----"), let range = text.firstRange(of: end) else {
            return Array(text.utf8)
        }
        return Array(text[range.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    }

    /// Returns an error that states the problem with the files and names the option.
    private func explained(_ error: any Error) -> ServerSetupError {
        if let error = error as? ServerSetupError { return error }
        if error as? TimedCertificateReloader.Error == .publicKeyMismatch {
            return ServerSetupError(
                """
                \(files.key.path) isn't the key of the first certificate in \(files.certificate.path). Pass a \
                certificate and a key that belong together, with the server's certificate first.
                """
            )
        }
        let chain = try? NIOSSLCertificate.fromPEMBytes(Self.certificate(files))
        guard chain?.isEmpty == false else {
            return ServerSetupError(
                """
                \(files.certificate.path) contains no PEM certificate (-----BEGIN CERTIFICATE-----). Pass the full \
                chain with --tls-certificate.
                """
            )
        }
        return ServerSetupError(
            """
            \(files.key.path) contains no PEM private key without a passphrase. Pass the certificate's key with \
            --tls-key.
            """
        )
    }
}

extension TLSIdentity: ReloadedFiles {
    var name: String { "the TLS certificate" }

    func reload() async throws -> Bool {
        try await onNewThread { [self] in try read() }
    }
}

extension TLSIdentity {
    /// Reads the certificate and the key from their files again.
    ///
    /// - Returns: Whether the certificate or key has changed.
    private func read() throws -> Bool {
        let before = changes.withLock { $0 }
        do {
            try reloader.reload()
        } catch {
            throw explained(error)
        }
        return changes.withLock { $0 } != before
    }
}

/// The files of a server's TLS certificate and key.
///
/// They are read at the start, and again when their content changes, so a renewed certificate requires no restart.
public struct ServerCertificate: Hashable, Sendable {
    /// A PEM file with the server's certificate, followed by the intermediate certificates up to a root that clients
    /// trust.
    public var certificate: URL
    /// A PEM file with the certificate's private key, without a passphrase.
    public var key: URL

    /// Creates a value from the files' URLs.
    public init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }
}
