public import Foundation
public import InboxModel

/// What a card hangs on besides its message: how the surface marks cards, who reads them, and when.
public struct CardContext: Hashable, Sendable {
    /// How the surface marks what wasn't read.
    public var unreadIndicator: UnreadIndicator
    /// Says times in the reader's words, and has the reader's ``texts``.
    public var relativeTime: RelativeTime
    /// What time it is.
    public var now: Date

    /// A context.
    public init(unreadIndicator: UnreadIndicator = UnreadIndicator(), relativeTime: RelativeTime, now: Date) {
        self.unreadIndicator = unreadIndicator
        self.relativeTime = relativeTime
        self.now = now
    }

    /// The texts in the reader's language.
    public var texts: CardTexts { relativeTime.texts }
}
