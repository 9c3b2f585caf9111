package import Foundation
import Groundwork
import InboxModel

extension PersonInbox {
    /// Returns a page of the inbox.
    ///
    /// - Parameter counts: The cache of the tabs' numbers.
    package func page(_ part: InboxPart, counts: UnreadCounts, now: Date) throws -> InboxPage {
        let surface = (part.surface ?? Message.defaultSurface).normalized
        let settings = try settings(of: surface)
        let step = min(settings.capacity ?? InboxPart.defaultLimit, InboxPart.maxLimit)
        let limit = part.limit ?? step
        // One more message shows whether there is another page.
        let listing = try listed(part, on: surface, limit: limit + 1, now: now)
        var (messages, next) = (listing.messages, nil as InboxPart?)
        if messages.count > limit {
            messages.removeLast()
            next = messages.last.flatMap(DeliveryPlace.init)
                .map { part.next(after: $0, shown: limit, step: step) }
        } else if let end = listing.end {
            next = InboxPart(surface: part.surface, tab: part.tab, search: part.search, after: end)
        }
        if part.tab.hasPinnedFirst, part.search.isEmpty {
            var pinned = 0
            for index in messages.indices where messages[index].isPinned {
                if index > pinned { messages.insert(messages.remove(at: index), at: pinned) }
                pinned += 1
            }
        }
        let state = try state()
        let counted = try counts.count(
            UnreadCounts.Key(person: person.id, surface: surface),
            at: state,
            now: now
        ) { try tabs(on: surface, now: now) }
        return InboxPage(
            messages: messages,
            unread: counted.unread,
            archived: counted.archived,
            snoozed: counted.snoozed,
            settings: settings,
            next: next,
            isCut: listing.end != nil && listing.messages.count <= limit,
            state: state
        )
    }
}
