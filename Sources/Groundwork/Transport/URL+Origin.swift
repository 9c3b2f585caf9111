package import Foundation

extension URL {
    /// Whether both have the same scheme, host and port, where a port that isn't there is the scheme's own (RFC 6454
    /// §5).
    package func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }
}
