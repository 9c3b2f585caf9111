package import Foundation

/// Which hosts are this machine itself, as they are written: the one rule for tokens, cookies and webhooks.
///
/// Nothing is looked up: a name that somebody's DNS leads to 127.0.0.1 isn't this machine.
package enum Loopback {
    /// Whether a host is `localhost` (RFC 6761 §6.3), four decimal numbers that begin with 127 (RFC 1122 §3.2.1.3), or
    /// `::1` (RFC 4291 §2.5.3), with brackets or without.
    package static func contains(host: String) -> Bool {
        let name = host.lowercased()
        if ["localhost", "localhost.", "::1", "[::1]"].contains(name) { return true }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && name.hasPrefix("127.") && parts.allSatisfy(isByte)
    }

    private static func isByte(_ part: Substring.UTF8View) -> Bool {
        (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) } && UInt8(Substring(part)) != nil
    }
}

extension URL {
    /// Whether a token or key may be sent there: over https, or over http to this machine itself.
    package var maySeeSecrets: Bool {
        switch scheme?.lowercased() {
        case "https": host().map { !$0.isEmpty } ?? false
        case "http": host().map { Loopback.contains(host: $0) } ?? false
        default: false
        }
    }
}
