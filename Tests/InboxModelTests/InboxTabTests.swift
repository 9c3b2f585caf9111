import Foundation
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct InboxTabTests {
    private let now = Date(timeIntervalSince1970: 1000)
    private var past: Date { now.addingTimeInterval(-1) }
    private var future: Date { now.addingTimeInterval(1) }

    private func tabs(_ change: (inout Message) -> Void) -> [InboxTab] {
        var message = Samples.bare
        change(&message)
        return InboxTab.allCases.filter { $0.contains(message, at: now) }
    }

    @Test func `a message's dates determine its tabs`() {
        #expect(tabs { _ in } == [.inbox, .unread])
        #expect(tabs { $0.readAt = past } == [.inbox])
        #expect(tabs { $0.snoozedUntil = now } == [.inbox, .unread])
        #expect(tabs { $0.snoozedUntil = future } == [.snoozed])
        #expect(tabs { $0.archivedAt = past } == [.archived])
        #expect(tabs { ($0.archivedAt, $0.snoozedUntil) = (past, future) } == [.archived])
        #expect(tabs { $0.expiresAt = now } == [])
        for date in [\Message.archivedAt, \.snoozedUntil] {
            #expect(tabs { ($0.deletedAt, $0[keyPath: date]) = (past, future) } == [])
        }
    }

    @Test func `a change removes messages from the tabs that it leaves, reading from none`() {
        func left(_ change: MessageChange) -> [InboxTab] { InboxTab.allCases.filter(change.leaves) }
        #expect(left(.markRead) == [] && left(.markUnread) == [])
        #expect(left(.archive) == [.inbox, .unread, .snoozed] && left(.unarchive) == [.archived])
        #expect(left(.snooze(until: future)) == [.inbox, .unread] && left(.unsnooze) == [.snoozed])
        #expect(left(.delete) == InboxTab.allCases)
        for tab in InboxTab.allCases { #expect(MessageChange.main(in: tab).leaves(tab)) }
    }

    @Test func `a repeated change keeps the date of the first, and a snooze has its own`() {
        for change in [MessageChange.markRead, .archive, .delete] {
            #expect(change.date(after: nil, at: now) == now && change.date(after: past, at: now) == past)
        }
        for change in [MessageChange.markUnread, .unarchive, .unsnooze, .undelete] {
            #expect(change.date(after: past, at: now) == nil)
        }
        #expect(MessageChange.snooze(until: future).date(after: past, at: now) == future)
    }
}
