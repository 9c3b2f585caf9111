import Foundation
import HTMLCleaning

/// The text of a mail that stands only for its HTML, such as "Your program doesn't support HTML" or "View this mail in
/// your browser" with a link.
enum HTMLFallbackText {
    /// The greatest number of characters of a stub, without its links.
    private static let maxLength = 300
    /// The greatest number of characters of a stub that has a link and doesn't mention HTML.
    private static let maxLinkLength = 80
    /// The minimum ratio of the HTML's characters to the text's. So a person's short mail about HTML isn't a stub: its
    /// HTML says the same.
    private static let minFactor = 3

    /// Returns whether a mail's text only announces its HTML. A text without a letter or a digit is a stub too.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - html: The HTML of the same mail.
    static func isStub(_ text: String, besides html: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        let links = words.filter { $0.contains("://") }
        let others = words.filter { !$0.contains("://") }
        let length = others.reduce(0) { $0 + $1.count }
        guard others.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else { return true }
        let mentionsHTML = length <= maxLength && others.contains { $0.localizedCaseInsensitiveContains("html") }
        guard mentionsHTML || (!links.isEmpty && length <= maxLinkLength) else { return false }
        let drawn = HTMLText(HTMLCleaner().clean(html), width: 80)
        let shown = drawn.lines.reduce(0) { $0 + $1.count { !$0.isWhitespace } }
        return shown >= minFactor * length
    }
}
