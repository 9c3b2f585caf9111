import Foundation
import InboxCards
import InboxClient
import InboxModel

/// Messages of one activity are marked as read together.
extension InboxUI {
    /// Marks cards as read if another message of the same activity was read.
    func readActivities(_ list: [ContentCardUI]) {
        guard let inbox else { return }
        let read = Set(list.filter { !$0.message.isUnread }.compactMap(\.activity))
        let unread = list.filter { $0.message.isUnread && $0.activity != nil }
        let others = unread.filter { $0.activity.map(read.contains) ?? false }
        for item in others where item.card.isUnread {
            var card = item.card
            card.isUnread = false
            item.update(item.message, card)
        }
        if !others.isEmpty {
            let ids = others.map(\.id)
            Task { try? await inbox.markRead(ids) }
        }
        // Messages that aren't shown are searched once per card.
        let new = unread.filter { !$0.isActivityKnown }
        for item in new { item.isActivityKnown = true }
        let requested = new.filter { item in item.activity.map { !read.contains($0) } ?? false }
        guard !requested.isEmpty else { return }
        Task { try? await markReadByActivity(requested, in: inbox) }
    }

    /// Marks cards as read if the device has a message of the same activity that was read. The message may not be
    /// shown, or may have been dismissed.
    private func markReadByActivity(_ cards: [ContentCardUI], in inbox: Inbox) async throws {
        let (key, activities) = (Message.activityKey, Array(Set(cards.compactMap(\.activity))))
        let possible = try await inbox.idsPossibly(inAdditionalData: key, of: activities)
        let query = Query(
            where: #Predicate<Message> {
                possible.contains($0.id) && $0.readAt != nil
                    && activities.contains($0.additionalData[key, default: ""])
            }
        )
        var read: Set<String> = []
        for filter in [MessageFilter.active, .deleted] where read.count < activities.count {
            read.formUnion(try await inbox.fetch(query, in: filter).compactMap(\.activity))
        }
        let ids = cards.filter { $0.activity.map(read.contains) ?? false }.map(\.id)
        if !ids.isEmpty { try await inbox.markRead(ids) }
    }

    /// Marks the other messages of the same activity as read, whether or not they are shown.
    func readActivity(of message: Message, in inbox: Inbox) async throws {
        guard let activity = message.activity else { return }
        let key = Message.activityKey
        let possible = try await inbox.idsPossibly(inAdditionalData: key, of: [activity])
        let query = Query(
            where: #Predicate<Message> {
                possible.contains($0.id) && $0.readAt == nil && $0.additionalData[key] == activity
            }
        )
        let others = try await inbox.fetch(query, in: .active)
        if !others.isEmpty { try await inbox.markRead(others.map(\.id)) }
    }
}
