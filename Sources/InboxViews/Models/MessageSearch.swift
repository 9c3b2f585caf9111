public import Foundation
public import InboxModel
import Replica

/// The search of a screen: each word of the text has to be in the title or the body, whatever its case and accents.
public enum MessageSearch {
    /// The maximum number of words that are looked for. Later ones are left out.
    public static let maximumWordCount = 8

    /// The words of a text.
    public static func words(of text: String) -> [String] {
        Array(text.split(whereSeparator: \.isWhitespace).map(String.init).prefix(maximumWordCount))
    }

    /// Returns the condition of the messages with each word of a text: of all messages if it has none.
    public static func predicate(_ text: String) -> Predicate<Message> {
        let words = words(of: text)
        return #Predicate { message in
            words.allSatisfy { word in
                message.title.localizedStandardContains(word) || message.body.localizedStandardContains(word)
            }
        }
    }
}
