import Foundation
import Groundwork
import NIOCore
import NIOSSL

/// The certificate and key that the server shows, as their files say at the moment.
final class TLSIdentity: Sendable {
    private struct Shown: Sendable {
        var content: [[UInt8]]
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey
    }

    private let files: ServerCertificate
    // Replaced as a whole when the files change; every handshake reads it, on whichever thread.
    private let shown: Locked<Shown>

    /// - Throws: ``ServerSetupError`` where a file can't be read, isn't what it should be, or the two don't belong together.
    init(_ files: ServerCertificate) throws {
        self.files = files
        shown = Locked(try Self.read(files))
    }

    /// TLS 1.2 and later, HTTP/1.1 on top of it.
    var configuration: TLSConfiguration {
        let shown = shown.withLock { $0 }
        var configuration = Self.configuration(shown)
        configuration.sslContextCallback = { [self] _, promise in
            let shown = self.shown.withLock { $0 }
            var identity = NIOSSLContextConfigurationOverride()
            identity.certificateChain = shown.chain.map { .certificate($0) }
            identity.privateKey = .privateKey(shown.key)
            promise.succeed(identity)
        }
        return configuration
    }

    private static func configuration(_ shown: Shown) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: shown.chain.map { .certificate($0) },
            privateKey: .privateKey(shown.key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    private static func read(_ files: ServerCertificate) throws -> Shown {
        let content = [
            try SetupFile.read(files.certificate, option: "--tls-certificate"),
            try SetupFile.read(files.key, option: "--tls-key"),
        ]
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(content[0])
        } catch {
            throw ServerSetupError(
                "\(files.certificate.path) holds no PEM certificate (-----BEGIN CERTIFICATE-----). Give --tls-certificate the full chain."
            )
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: content[1], format: .pem)
        } catch {
            throw ServerSetupError(
                "\(files.key.path) holds no PEM private key without a passphrase. Give --tls-key the certificate's key."
            )
        }
        let shown = Shown(content: content, chain: chain, key: key)
        do {
            // OpenSSL compares the two when a context is made of them.
            _ = try NIOSSLContext(configuration: configuration(shown))
        } catch {
            throw ServerSetupError(
                "\(files.key.path) isn't the key of the first certificate in \(files.certificate.path). Give the two that belong together, the server's certificate first."
            )
        }
        return shown
    }
}

extension TLSIdentity: ReloadedFiles {
    var name: String { "the TLS certificate" }

    func reload() throws -> Bool {
        let read = try Self.read(files)
        return shown.withLock { shown in
            defer { shown = read }
            return shown.content != read.content
        }
    }
}
