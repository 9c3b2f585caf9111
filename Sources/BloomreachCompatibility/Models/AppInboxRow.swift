import InboxCards
import InboxClient
import InboxModel

/// A row of the list as it is shown.
public struct AppInboxRow: Identifiable, Hashable, Sendable {
    /// The flag of an unread message.
    public struct ReadFlag: Hashable, Sendable {
        /// Whether it is shown: not for a message that was read.
        public var isVisible: Bool
        /// The color; nil for the default one.
        public var color: AppInboxColor?
    }

    /// The message's id.
    public let id: String
    /// Whether the message is unread.
    public let isUnread: Bool
    /// The flag of an unread message.
    public var readFlag: ReadFlag
    /// The time, relative to now.
    public var receivedTime: AppInboxLabel
    /// The title, in one line.
    public var title: AppInboxLabel
    /// The text, in two lines.
    public var content: AppInboxLabel
    /// The picture; nil if the message has none.
    public var picture: AppInboxPicture?
    /// The background; nil for the default one.
    public var backgroundColor: AppInboxColor?
    /// The label for VoiceOver: the state of an unread message, the title, the text and the time.
    public var accessibilityLabel: String

    init(
        _ message: Message,
        of inbox: Inbox,
        in context: CardContext,
        _ appearance: AppInboxRowAppearance,
        texts: AppInboxTexts
    ) {
        id = message.id
        isUnread = message.isUnread
        readFlag = ReadFlag(
            isVisible: message.isUnread && appearance.readFlag.isVisible,
            color: appearance.readFlag.backgroundColor
        )
        let time = context.relativeTime.text(message.deliverAt, now: context.now)
        receivedTime = AppInboxLabel(time, lines: 1, appearance.receivedTime)
        title = AppInboxLabel(
            message.title.isEmpty ? texts[.defaultTitle] : message.title,
            lines: 1,
            appearance.title
        )
        content = AppInboxLabel(message.body, lines: 2, appearance.content)
        if let media = message.media { picture = AppInboxPicture(media, appearance.image, of: inbox) }
        backgroundColor = appearance.backgroundColor
        let state = message.isUnread ? texts.cardTexts[.unread] : nil
        let texts = [title, content, receivedTime].filter(\.isVisible).map(\.text)
        accessibilityLabel = ([state].compactMap { $0 } + texts.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
