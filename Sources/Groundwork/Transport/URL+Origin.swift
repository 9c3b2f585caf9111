package import Foundation

extension URL {
    /// Whether both URLs have the same scheme, host and port. A missing port is the scheme's default (RFC 6454, section
    /// 5).
    package func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }
}
