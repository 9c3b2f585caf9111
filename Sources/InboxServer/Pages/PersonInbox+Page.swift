import Foundation
import Groundwork
import InboxHTML
import InboxModel
import InboxService

extension PersonInbox {
    /// Returns the page of a list: pinned messages first, then the newest.
    ///
    /// - Parameters:
    ///   - undoable: The message that was just archived or dismissed.
    ///   - counts: The cache of unread counts.
    func page(_ view: ListView, undoable: MessageID?, counts: UnreadCounts, now: Date) throws -> ListPage {
        let surface = (view.surface ?? Message.defaultSurface).normalized
        let settings = try settings(of: surface)
        let step = min(settings.capacity ?? ListView.defaultLimit, ListView.maxLimit)
        let limit = view.limit ?? step
        // One more message shows whether there is another page.
        var messages = try listed(on: surface, after: view.place, limit: limit + 1, now: now)
        var next: ListView?
        if messages.count > limit {
            messages.removeLast()
            next = messages.last.flatMap(DeliveryPlace.init)
                .map { view.next(after: $0, shown: limit, step: step) }
        }
        var pinned = 0
        for index in messages.indices where messages[index].isPinned {
            if index > pinned { messages.insert(messages.remove(at: index), at: pinned) }
            pinned += 1
        }
        return ListPage(
            messages: messages,
            unread: try counts.count(
                UnreadCounts.Key(person: person.id, surface: surface),
                at: try state(),
                now: now
            ) { try unread(on: surface, now: now) },
            settings: settings,
            view: view,
            next: next,
            undoable: try undoable.flatMap { try self.messages([$0]).first }
                .flatMap { $0.deletedAt != nil || $0.archivedAt != nil ? $0 : nil }
        )
    }
}
