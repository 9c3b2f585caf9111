public import Foundation
public import InboxModel

/// The context of a card: the surface's unread indicator, the reader's language and the current time.
public struct CardContext: Hashable, Sendable {
    /// The surface's unread indicator.
    public var unreadIndicator: UnreadIndicator
    /// The formatter of times, which contains the reader's ``texts``.
    public var relativeTime: RelativeTime
    /// The current time.
    public var now: Date

    /// Creates a context.
    public init(unreadIndicator: UnreadIndicator = UnreadIndicator(), relativeTime: RelativeTime, now: Date) {
        self.unreadIndicator = unreadIndicator
        self.relativeTime = relativeTime
        self.now = now
    }

    /// The texts in the reader's language.
    public var texts: CardTexts { relativeTime.texts }
}
