public import Foundation
public import InboxModel
import Replica

extension MessageSearch {
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
