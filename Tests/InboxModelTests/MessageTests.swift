import Foundation
import InboxModel
import Testing

/// A message's status and dates.
@Suite(.timeLimit(.minutes(5))) struct MessageTests {
    private let time = Date(timeIntervalSince1970: 1000)

    @Test func `a message's status is deleted before read, and read before unread`() {
        var message = Samples.bare
        #expect(message.status == .unread)
        #expect(message.isUnread)
        message.seenAt = time
        #expect(message.status == .unread)
        message.readAt = time
        #expect(message.status == .read)
        #expect(!message.isUnread)
        message.deletedAt = time
        #expect(message.status == .deleted)
        message.readAt = nil
        #expect(message.status == .deleted)
        #expect(message.isUnread)
    }

    @Test func `a message expires at its expiry date`() {
        var message = Samples.bare
        #expect(!message.isExpired(at: .distantFuture))
        message.expiresAt = time
        #expect(!message.isExpired(at: time.addingTimeInterval(-0.001)))
        #expect(message.isExpired(at: time))
    }

    @Test func `a snooze ends at its date`() {
        var message = Samples.bare
        #expect(!message.isSnoozed(at: time))
        message.snoozedUntil = time
        #expect(message.isSnoozed(at: time.addingTimeInterval(-0.001)))
        #expect(!message.isSnoozed(at: time))
    }

    @Test func `status names are Zeta's`() {
        #expect(MessageStatus.allCases.map(\.rawValue) == ["UNREAD", "READ", "DELETED"])
    }
}
