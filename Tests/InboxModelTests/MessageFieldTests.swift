import InboxModel
import Testing

/// The fields of a message, by owner.
@Suite(.timeLimit(.minutes(5))) struct MessageFieldTests {
    @Test func `every field belongs to the server, the sender or the person`() {
        #expect(MessageField.allCases.count == 24)
        #expect(
            MessageField.personal.map(\.rawValue) == ["seenAt", "readAt", "archivedAt", "snoozedUntil", "deletedAt"]
        )
        #expect(MessageField.sendable.count == 18)
        #expect(Set([.id] + MessageField.personal + MessageField.sendable) == Set(MessageField.allCases))
    }
}
