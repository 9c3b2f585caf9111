import Foundation

/// The scheme of a link, read the way a browser would, so that no spelling of a forbidden one gets through.
package struct LinkScheme: Hashable, Sendable {
    /// In lower case, without the colon.
    package let name: String

    /// Schemes that run code or reach into the device's files: never opened, never accepted.
    package static let forbidden: Set<String> = [
        "javascript", "data", "file", "filesystem", "content", "vbscript", "blob", "about", "view-source",
    ]

    /// - Parameter link: A whole URL. White space and control characters anywhere in it make it no URL at all: browsers drop
    ///   some of them before they look at the scheme.
    package init?(of link: String) {
        if let plain = Self.plainWebScheme(of: link) {
            name = plain
            return
        }
        guard !link.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }),
            let url = URL(string: link),
            let scheme = url.scheme, !scheme.isEmpty
        else { return nil }
        name = scheme.lowercased()
        if isWeb, url.host()?.isEmpty ?? true { return nil }
    }

    /// The scheme of a web address in which every character stands for itself, as in most links: nothing has to be parsed to know that it
    /// is one. Nil for all others.
    package static func plainWebScheme(of link: String) -> String? {
        let scheme = link.hasPrefix("https://") ? "https" : link.hasPrefix("http://") ? "http" : nil
        guard let scheme else { return nil }
        let rest = link.utf8.dropFirst(scheme.utf8.count + 3)
        let host = rest.prefix { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        guard let first = host.first, isLetterOrDigit(first), rest.count > host.count else { return nil }
        guard rest[host.endIndex] == UInt8(ascii: "/") else { return nil }
        return rest[host.endIndex...].allSatisfy { isLetterOrDigit($0) || plain.contains($0) } ? scheme : nil
    }

    private static let plain = Set("-._~/?&=+,;:@!$*".utf8)

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    package var isWeb: Bool { name == "http" || name == "https" }
    package var isForbidden: Bool { Self.forbidden.contains(name) }
}
