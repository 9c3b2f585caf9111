import Foundation

/// What matters here of a language tag (BCP 47): the language, and the region where it is a real one.
///
/// Whatever is read, there are only so many identifiers: Foundation keeps each locale that it was ever asked for.
package struct LanguageTag: Hashable {
    /// The language, in lower case: `de`.
    package let language: String
    /// The region, in upper case: `AT`; nil where none is said or nobody knows it.
    package let region: String?

    /// Reads a tag, with `-` or `_` between its parts; nil where it isn't one.
    ///
    /// Scripts, variants and extensions are passed over. The former code of Hebrew is taken for the present one.
    package init?(_ tag: String) {
        let bytes = tag.utf8.prefix(Self.longest + 1)
        guard bytes.count <= Self.longest else { return nil }
        let parts = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) }),
            let first = parts.first, (2...3).contains(first.count), first.allSatisfy(\.isLetter)
        else { return nil }
        let code = String(decoding: first, as: UTF8.self).lowercased()
        language = Self.formerCodes[code] ?? code
        // A part of one character begins the extensions, in which two letters mean something else.
        region =
            parts.dropFirst().prefix { $0.count > 1 }.lazy
            .map { String(decoding: $0, as: UTF8.self).uppercased() }
            .first(where: Self.regions.contains)
    }

    /// The tag without what was passed over.
    package var identifier: String { region.map { "\(language)-\($0)" } ?? language }

    private static let longest = 100
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
