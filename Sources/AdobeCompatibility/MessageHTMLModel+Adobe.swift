import Foundation
import HTMLCleaning
public import InboxCards
public import InboxClient
public import InboxViews

extension MessageHTMLModel {
    /// Shows the HTML of a message that was opened from a list, whose listener receives the clicks as those on cards.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - inbox: The inbox with the message.
    ///   - inboxUI: The list. It is held weakly.
    ///   - source: Where its cleaned HTML comes from; nil for the inbox, with its pictures.
    ///   - texts: The texts; nil for those in the device's language.
    public convenience init(
        _ id: String,
        in inbox: Inbox,
        inboxUI: InboxUI,
        source: MessageHTMLSource? = nil,
        texts: CardTexts? = nil
    ) {
        self.init(id, in: inbox, source: source, texts: texts)
        onClick = { [weak inboxUI] action, message in
            guard let inboxUI else { return false }
            try? await inboxUI.readActivity(of: message, in: inbox)
            guard let card = inboxUI.cards[message.id] else { return false }
            return inboxUI.listener?.onCardInteracted(card, action.url, actionURL: URL(string: action.url)) ?? false
        }
    }
}
