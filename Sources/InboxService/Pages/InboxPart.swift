package import InboxModel

/// The part of an inbox that a page shows.
package struct InboxPart: Hashable, Sendable {
    /// The surface, or nil for the default one.
    package var surface: String?
    /// The place after which the part begins, or nil for the newest message.
    package var after: DeliveryPlace?
    /// The maximum number of messages, or nil for the surface's capacity.
    package var limit: Int?

    /// The number of messages on a page if the surface's settings have no capacity.
    static let defaultLimit = 30
    /// The maximum number of messages on a page. Further messages are on another page.
    package static let maxLimit = 200

    package init(surface: String? = nil, after: DeliveryPlace? = nil, limit: Int? = nil) {
        (self.surface, self.after, self.limit) = (surface, after, limit)
    }

    /// Returns the part that shows more messages: a longer list up to ``maxLimit``, then the page that follows.
    ///
    /// - Parameter step: The number of messages to add.
    func next(after last: DeliveryPlace, shown: Int, step: Int) -> InboxPart {
        var next = self
        if shown + step <= Self.maxLimit {
            next.limit = shown + step
        } else {
            next.after = last
            next.limit = nil
        }
        return next
    }
}

/// A page of an inbox: a surface's messages that are neither archived nor snoozed nor deleted.
package struct InboxPage: Sendable {
    /// The messages in display order: pinned ones first, then the newest.
    package let messages: [Message]
    /// The number of unread messages on the surface.
    package let unread: CountedUnread
    /// The surface's settings.
    package let settings: InboxSettings
    /// The part that shows more, or nil at the end.
    package let next: InboxPart?
    /// The message that was just archived or dismissed and can be restored.
    package let undoable: Message?
}
