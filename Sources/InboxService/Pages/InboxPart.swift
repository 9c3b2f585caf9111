package import InboxModel

/// The part of an inbox that a page shows.
package struct InboxPart: Hashable, Sendable {
    /// The surface, or nil for the default one.
    package var surface: String?
    /// The tab.
    package var tab: InboxTab
    /// The words that the messages have. All messages match a search without words.
    package var search: MessageSearch
    /// The place after which the part begins, or nil for the newest message.
    package var after: DeliveryPlace?
    /// The maximum number of messages, or nil for the surface's capacity.
    package var limit: Int?

    /// The number of messages on a page if the surface's settings have no capacity.
    static let defaultLimit = 30
    /// The maximum number of messages on a page. Further messages are on another page.
    package static let maxLimit = 200

    package init(
        surface: String? = nil,
        tab: InboxTab = .inbox,
        search: MessageSearch = MessageSearch(""),
        after: DeliveryPlace? = nil,
        limit: Int? = nil
    ) {
        (self.surface, self.tab, self.search, self.after, self.limit) = (surface, tab, search, after, limit)
    }

    /// Returns the part that shows more messages: a longer list up to ``maxLimit``, then the page that follows. A
    /// search isn't repeated for a longer list: its further results are on the page that follows.
    ///
    /// - Parameter step: The number of messages to add.
    func next(after last: DeliveryPlace, shown: Int, step: Int) -> InboxPart {
        var next = self
        if shown + step <= Self.maxLimit, search.isEmpty {
            next.limit = shown + step
        } else {
            next.after = last
            next.limit = nil
        }
        return next
    }
}

/// A page of an inbox: a surface's messages of a tab.
package struct InboxPage: Sendable {
    /// The messages in display order: the newest first, and in the inbox the pinned ones before them.
    package let messages: [Message]
    /// The number of unread messages on the surface.
    package let unread: CountedUnread
    /// The number of archived messages on the surface.
    package let archived: BoundedCount
    /// The number of snoozed messages on the surface.
    package let snoozed: BoundedCount
    /// The surface's settings.
    package let settings: InboxSettings
    /// The part that shows more, or nil at the end.
    package let next: InboxPart?
    /// Whether the page ends because it has examined as many messages as a page may. More may follow.
    package let isCut: Bool
    /// The state of the inbox that the page shows, up to which "mark all as read" applies.
    package let state: PersonState
}
