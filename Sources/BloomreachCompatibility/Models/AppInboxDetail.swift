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
    /// The button for the message's own link; nil if it has none.
    public var mainButton: Button?
    /// The buttons for the actions with a target, in the sender's order. An action that opens the app has none, nor has
    /// one whose link must not be opened.
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
        mainButton = message.link.flatMap { link in
            Button(MessageAction(id: link, text: texts[.mainActionTitle], link: link), appearance, texts)
        }
        buttons = message.actions.compactMap { Button($0, appearance, texts) }
    }
}

extension AppInboxDetail.Button {
    /// Returns nil for an action that opens no link.
    init?(_ link: MessageAction, _ appearance: AppInboxDetailAppearance, _ texts: AppInboxTexts) {
        let action = MessageItemAction(link)
        guard action.type == .browser || action.type == .deeplink else { return nil }
        (self.action, self.link) = (action, link)
        look = AppInboxButtonLook(link.text.isEmpty ? texts[.mainActionTitle] : link.text, appearance.button)
    }
}
