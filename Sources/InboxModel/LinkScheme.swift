import Foundation

/// The scheme of a link, read the way a browser would, so that no spelling of a forbidden one gets through.
package struct LinkScheme: Hashable, Sendable {
    /// In lower case, without the colon.
    package let name: String

    /// Schemes that run code or reach into the device's files: never opened, never accepted.
    package static let forbidden: Set<String> = [
        "javascript", "data", "file", "filesystem", "content", "vbscript", "blob", "about", "view-source",
    ]

    /// - Parameter link: A whole URL. White space and control characters anywhere in it make it no URL at all: browsers
    ///   drop some of them before they look at the scheme.
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

    /// The scheme of a web address in which every character stands for itself, as in most links: nothing has to be
    /// parsed to know that it is one. Nil for all others.
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

    /// Whether it stands for itself past the host.
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
