import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The explanation of a failed request: the reason and its solution, in words. The libraries' own descriptions name
/// their types, and files of the machine on which the program was built.
struct ConnectionFailure {
    /// The URL of the request.
    let url: URL
    /// The proxy by which it is reached; nil for none.
    let proxy: ProxySettings.Proxy?

    /// Returns the explanation, which begins with a clause and ends with a full stop.
    func text(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // A name may have several addresses. A refusal is the most specific failure: that machine was reached.
            let errors = error.connectionErrors.map(\.error)
            let refusal = errors.first { ($0 as? IOError)?.errnoCode == ECONNREFUSED }
            if let found = refusal ?? errors.first { return text(of: found) }
            return "the name \(error.host) isn't known. Check the address and the network."
        case let error as IOError: return text(errno: error.errnoCode)
        case let error as HTTPClientError: return text(client: error)
        case let error as NIOSSLError: return text(tls: error)
        case let error as BoringSSLError: return text(handshake: String(describing: error))
        case let error as NIOSSLExtraError:
            let isName = error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
            guard !isName else {
                return "the certificate of \(server) is for another name. Use a name that it has in the address."
            }
            return text(handshake: error.description)
        case let error as HTTPParserError:
            if error == .invalidEOFState || error == .closedConnection { return closed }
            return "\(server) doesn't answer with HTTP. Check the port, and whether the address begins with https://."
        default: break
        }
        #if canImport(Network)
            if let error = error as? HTTPClient.NWPOSIXError { return text(errno: error.errorCode.rawValue) }
        #endif
        return "the connection to \(peer) failed (\(type(of: error))). Check the address and the network."
    }

    /// The server, as a host and a port.
    private var server: String {
        let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        return Self.place(url.host() ?? "", port)
    }

    /// The other end of the connection: the proxy, or the server.
    private var peer: String { proxy.map { "the proxy \(Self.place($0.host, $0.port))" } ?? server }

    private static func place(_ host: String, _ port: Int) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private var closed: String {
        "\(peer) closed the connection before its answer was complete. Try again. If it happens again, check the "
            + "address, and whether it begins with http:// or https://."
    }

    private var silent: String { "\(peer) doesn't answer. Check the address, the network and firewalls." }

    private func text(errno code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "nothing listens at \(peer). Check the address, and whether the server runs."
        case ECONNRESET, ECONNABORTED, EPIPE: closed
        case ETIMEDOUT: silent
        case EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN:
            "there is no way to \(peer). Check the network and the address."
        default:
            "the connection to \(peer) failed: \(String(cString: strerror(code))). Check the address and the network."
        }
    }

    private func text(client error: HTTPClientError) -> String {
        switch error {
        case .remoteConnectionClosed, .uncleanShutdown: closed
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: silent
        case .tlsHandshakeTimeout: noTLS
        case .proxyAuthenticationRequired:
            "\(peer) requires a user name, which isn't supported. Use another proxy, or none for the server (no_proxy)."
        case .invalidProxyResponse, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            "\(peer) doesn't connect to \(server). Check the variables https_proxy, http_proxy, all_proxy and no_proxy."
        default: "the request to \(server) failed: \(error.shortDescription). Check the address."
        }
    }

    private var noTLS: String {
        "\(server) doesn't speak https. Check the port, and whether the address begins with http://."
    }

    private func text(tls error: NIOSSLError) -> String {
        switch error {
        case .uncleanShutdown: closed
        case .handshakeFailed(let reason): text(handshake: String(describing: reason))
        default: text(handshake: String(describing: error))
        }
    }

    /// Returns the failure of a TLS handshake in words, with what to do about it.
    ///
    /// - Parameter description: The library's description, which has the names of the reasons.
    private func text(handshake description: String) -> String {
        if description.contains("WRONG_VERSION_NUMBER") || description.contains("HTTP_REQUEST") { return noTLS }
        if description.contains("EOF during handshake") { return closed }
        if description.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the certificate of \(server) isn't trusted: it has expired, or this machine doesn't know the "
                + "authority that signed it. Renew it, or add the authority to the certificates of this machine."
        }
        let name = description.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/).map { " (\($0.output.1))" } ?? ""
        return "the TLS handshake with \(server) failed\(name). Check the server's certificate and TLS versions."
    }
}
