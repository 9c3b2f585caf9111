import Foundation

/// The language and the region of a BCP 47 language tag.
///
/// Regions are limited to real ones, so the number of identifiers is bounded: Foundation caches every locale that was
/// ever requested.
package struct LanguageTag: Hashable {
    /// The language in lower case: `de`.
    package let language: String
    /// The region in upper case: `AT`. Nil if there is none or it is unknown.
    package let region: String?

    /// Parses a tag with `-` or `_` between its parts. Returns nil if the tag is invalid.
    ///
    /// Scripts, variants and extensions are ignored. The former code of Hebrew is replaced by the current one.
    package init?(_ tag: String) {
        let bytes = tag.utf8.prefix(Self.maxByteCount + 1)
        guard bytes.count <= Self.maxByteCount else { return nil }
        let parts = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) }),
            let first = parts.first, (2...3).contains(first.count), first.allSatisfy(\.isLetter)
        else { return nil }
        let code = String(decoding: first, as: UTF8.self).lowercased()
        language = Self.formerCodes[code] ?? code
        // A part of one character begins the extensions, in which two letters have other meanings.
        region =
            parts.dropFirst().prefix { $0.count > 1 }.lazy
            .map { String(decoding: $0, as: UTF8.self).uppercased() }
            .first(where: Self.regions.contains)
    }

    /// The tag reduced to language and region.
    package var identifier: String { region.map { "\(language)-\($0)" } ?? language }

    private static let maxByteCount = 100
    private static let formerCodes = ["iw": "he"]
    private static let regions = Set(Locale.Region.isoRegions.map(\.identifier))
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    fileprivate var isLetterOrDigit: Bool {
        isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
