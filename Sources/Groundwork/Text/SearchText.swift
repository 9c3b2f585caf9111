import Foundation

/// The comparison of texts in a search, which ignores case, accents and width.
package enum SearchText {
    /// Returns the form in which texts are compared. It is the same in every locale, so that devices and the server
    /// find the same records.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }

    /// Returns whether a text contains another one. Both are compared by their bytes.
    package static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { start in
            text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
