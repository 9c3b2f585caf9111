import Foundation

/// The scheme of a link, parsed as a browser does, so that no spelling bypasses the list of forbidden schemes.
package struct LinkScheme: Hashable, Sendable {
    /// The scheme in lower case, without the colon.
    package let name: String

    /// The schemes that run code or access the device's files. Links with them are neither accepted nor opened.
    package static let forbidden: Set<String> = [
        "javascript", "data", "file", "filesystem", "content", "vbscript", "blob", "about", "view-source",
    ]

    /// Returns nil if the link isn't a URL with a scheme.
    ///
    /// - Parameter link: A complete URL. A text that contains white space or control characters isn't one: browsers
    ///   drop some of them before they parse the scheme.
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

    /// Returns the scheme of a web address without escapes or special characters, which most links are, without parsing
    /// it as a URL. Returns nil for all other links.
    package static func plainWebScheme(of link: String) -> String? {
        var link = link
        return link.withUTF8 { bytes in
            guard let scheme = begins(bytes, "https://") ? "https" : begins(bytes, "http://") ? "http" : nil
            else { return nil }
            let start = scheme.utf8.count + 3
            var end = start
            while end < bytes.count, isLetterOrDigit(bytes[end]) || isHostMark(bytes[end]) { end += 1 }
            guard end > start, isLetterOrDigit(bytes[start]), end < bytes.count, bytes[end] == UInt8(ascii: "/") else {
                return nil
            }
            while end < bytes.count, isLetterOrDigit(bytes[end]) || isPathMark(bytes[end]) { end += 1 }
            return end == bytes.count ? scheme : nil
        }
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        for index in 0..<count where bytes[index] != prefix.utf8Start[index] { return false }
        return true
    }

    private static func isHostMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether the byte is a mark that may follow the host unescaped.
    private static func isPathMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"),
            UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }

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
