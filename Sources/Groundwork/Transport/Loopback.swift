package import Foundation

/// The hosts that name this machine. Tokens, cookies and webhooks share this rule.
///
/// Hosts are compared as written, without DNS: a name that resolves to 127.0.0.1 isn't a loopback host.
package enum Loopback {
    /// Whether a host is `localhost` (RFC 6761, section 6.3), four decimal numbers that begin with 127 (RFC 1122,
    /// section 3.2.1.3), or `::1` (RFC 4291, section 2.5.3), with or without brackets.
    package static func contains(host: String) -> Bool {
        let name = host.lowercased()
        if ["localhost", "localhost.", "::1", "[::1]"].contains(name) { return true }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && name.hasPrefix("127.") && parts.allSatisfy(isByte)
    }

    /// Whether a host is the name `localhost` or one below it, such as `app.localhost`, with or without a final dot.
    /// Resolvers answer these with this machine (RFC 6761, section 6.3).
    package static func isLocalName(_ host: String) -> Bool {
        var name = "." + host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return name.hasSuffix(".localhost")
    }

    private static func isByte(_ part: Substring.UTF8View) -> Bool {
        (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) } && UInt8(Substring(part)) != nil
    }
}

extension URL {
    /// Whether tokens and keys may be sent to this URL: over https, or over http to this machine.
    package var allowsCredentials: Bool {
        switch scheme?.lowercased() {
        case "https": host().map { !$0.isEmpty } ?? false
        case "http": host().map { Loopback.contains(host: $0) } ?? false
        default: false
        }
    }

    /// Whether both URLs have the same scheme, host and port. A missing port is the scheme's default (RFC 6454, section
    /// 5).
    package func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }
}
