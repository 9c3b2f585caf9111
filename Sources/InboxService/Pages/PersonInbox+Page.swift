package import Foundation
import Groundwork
import InboxModel

extension PersonInbox {
    /// Returns a page of the inbox.
    ///
    /// - Parameters:
    ///   - undoable: The message that was just archived or dismissed.
    ///   - counts: The cache of unread counts.
    package func page(
        _ part: InboxPart,
        undoable: MessageID?,
        counts: UnreadCounts,
        now: Date
    ) throws -> InboxPage {
        let surface = (part.surface ?? Message.defaultSurface).normalized
        let settings = try settings(of: surface)
        let step = min(settings.capacity ?? InboxPart.defaultLimit, InboxPart.maxLimit)
        let limit = part.limit ?? step
        // One more message shows whether there is another page.
        var messages = try listed(on: surface, after: part.after, limit: limit + 1, now: now)
        var next: InboxPart?
        if messages.count > limit {
            messages.removeLast()
            next = messages.last.flatMap(DeliveryPlace.init)
                .map { part.next(after: $0, shown: limit, step: step) }
        }
        var pinned = 0
        for index in messages.indices where messages[index].isPinned {
            if index > pinned { messages.insert(messages.remove(at: index), at: pinned) }
            pinned += 1
        }
        return InboxPage(
            messages: messages,
            unread: try counts.count(
                UnreadCounts.Key(person: person.id, surface: surface),
                at: try state(),
                now: now
            ) { try unread(on: surface, now: now) },
            settings: settings,
            next: next,
            undoable: try undoable.flatMap { try self.messages([$0]).first }
                .flatMap { $0.deletedAt != nil || $0.archivedAt != nil ? $0 : nil }
        )
    }
}
