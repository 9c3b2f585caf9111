import Foundation

/// How people search: without regard to case, accents and width.
package enum SearchText {
    /// The form in which texts are compared. The same in every locale, so that all devices find the same.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}
