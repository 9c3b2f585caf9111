import Foundation

/// The comparison of texts in a search, which ignores case, accents and width.
package enum SearchText {
    /// Returns the form in which texts are compared. It is the same in every locale, so that all devices find the same
    /// records.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}
