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
        guard !link.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }),
            let url = URL(string: link),
            let scheme = url.scheme, !scheme.isEmpty
        else { return nil }
        name = scheme.lowercased()
        if isWeb, url.host()?.isEmpty ?? true { return nil }
    }

    package var isWeb: Bool { name == "http" || name == "https" }
    package var isForbidden: Bool { Self.forbidden.contains(name) }
}
