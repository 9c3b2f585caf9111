import Groundwork

/// The search of an inbox, on every screen: each word of the text has to be in the title or the body, whatever its case
/// and accents.
public struct MessageSearch: Hashable, Sendable {
    /// The words, in the order of the text.
    public let words: [String]
    /// The words as they are compared.
    private let folded: [String]

    /// The maximum number of words. Further words are ignored.
    public static let maximumWordCount = 8
    /// The maximum size of a text from outside, in bytes. The page and the command-line tool refuse longer ones.
    public static let maximumSize = 500

    /// Creates the search for a text's words.
    public init(_ text: String) {
        words = Self.words(of: text)
        folded = words.map(SearchText.folded)
    }

    /// The words of a text.
    public static func words(of text: String) -> [String] {
        Array(text.split(whereSeparator: \.isWhitespace).map(String.init).prefix(maximumWordCount))
    }

    /// Whether it has no words. All messages match then.
    public var isEmpty: Bool { words.isEmpty }

    /// Returns whether a message has each word in its title or its body.
    public func matches(_ message: Message) -> Bool {
        guard !isEmpty else { return true }
        let texts = [SearchText.folded(message.title), SearchText.folded(message.body)]
        return folded.allSatisfy { word in texts.contains { SearchText.contains($0, word) } }
    }
}
