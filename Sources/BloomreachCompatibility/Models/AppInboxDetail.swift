import InboxAdapters
import InboxCards
import InboxModel
import InboxClient

/// A message on its own screen, as it is shown.
public struct AppInboxDetail: Hashable, Sendable {
    /// A button of a message.
    public struct Button: Hashable, Sendable {
        /// The look.
        public var look: AppInboxButtonLook
        /// The action that a tap tracks.
        public let action: MessageItemAction
        let link: MessageAction
    }

    /// The picture, or the placeholder.
    public var picture: AppInboxPicture
    /// The time, relative to now.
    public var receivedTime: AppInboxLabel
    /// The whole title.
    public var title: AppInboxLabel
    /// The whole text.
    public var content: AppInboxLabel
    /// The button for the message's own link, or for the main action of a message that was imported from Bloomreach;
    /// nil if it has none.
    public var mainButton: Button?
    /// The buttons for the other actions with a target, in the sender's order. An action that opens the app has none,
    /// nor has one whose link must not be opened.
    public var buttons: [Button]

    init(
        _ message: Message,
        of inbox: Inbox?,
        in context: CardContext,
        _ appearance: AppInboxDetailAppearance,
        texts: AppInboxTexts
    ) {
        picture = AppInboxPicture(message.media, appearance.image, of: inbox)
        let time = context.relativeTime.text(message.deliverAt, now: context.now)
        receivedTime = AppInboxLabel(time, appearance.receivedTime)
        let title = message.title.isEmpty ? texts[.defaultTitle] : message.title
        self.title = AppInboxLabel(title, appearance.title)
        content = AppInboxLabel(message.body, appearance.content)
        var actions = message.actions
        mainButton = Self.mainAction(of: message, removedFrom: &actions, texts).flatMap {
            Button($0, appearance, texts)
        }
        buttons = actions.compactMap { Button($0, appearance, texts) }
    }

    /// Returns the message's own link as an action. A message without one has the main action of an import, which is
    /// removed from the others, and has the app's text in place of the import's.
    private static func mainAction(
        of message: Message,
        removedFrom actions: inout [MessageAction],
        _ texts: AppInboxTexts
    ) -> MessageAction? {
        if let link = message.link, !link.isEmpty {
            return MessageAction(id: link, text: texts[.mainActionTitle], link: link)
        }
        guard let index = actions.firstIndex(where: { $0.id == BloomreachMessage.mainActionID }) else { return nil }
        var main = actions.remove(at: index)
        if main.text == BloomreachMessage.mainActionLabel { main.text = texts[.mainActionTitle] }
        return main
    }
}

extension AppInboxDetail.Button {
    /// Returns nil for an action that opens no link.
    init?(_ link: MessageAction, _ appearance: AppInboxDetailAppearance, _ texts: AppInboxTexts) {
        let action = MessageItemAction(link)
        guard action.type == .browser || action.type == .deeplink, !link.link.isEmpty else { return nil }
        (self.action, self.link) = (action, link)
        look = AppInboxButtonLook(link.text.isEmpty ? texts[.mainActionTitle] : link.text, appearance.button)
    }
}
