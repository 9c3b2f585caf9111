import Groundwork
import InboxCards
package import InboxModel

extension Message {
    /// The maximum number of characters of a name that is the beginning of a text.
    private static let nameLimit = 80
    /// The number of bytes at the beginning of a text that are searched for a name.
    private static let searchLimit = 4_096

    /// The name of the message on a page: its title, or the beginning of its text. Empty if it has neither.
    package var pageName: String {
        title.hasVisibleCharacters ? title : Self.shortName(body)
    }

    /// Returns the first line of a text that has a visible character, shortened. Empty if there is none.
    static func shortName(_ text: String) -> String {
        let start = text.beginning(maxLength: searchLimit)
        // Without the ellipsis of a text that was cut.
        let lines = start.prefix(text.utf8.count > searchLimit ? start.count - 1 : .max)
            .split(whereSeparator: \.isNewline).lazy.map { String($0.drop(while: \.isWhitespace)) }
        guard let line = lines.first(where: \.hasVisibleCharacters) else { return "" }
        return line.count > nameLimit ? String(line.prefix(nameLimit - 1)) + "…" : line
    }
}

extension PageFrame {
    /// Returns the name of a message: ``InboxModel/Message/pageName``, or the word "message" if that is empty.
    func name(of message: Message) -> String {
        let name = message.pageName
        return name.isEmpty ? texts[.message] : name
    }
}
