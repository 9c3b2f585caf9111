import AdobeCompatibility
import InboxModel
import Screens
import Testing

/// The comparison of a list with the one before.
@Suite(.timeLimit(.minutes(5))) struct ChangedMessagesTests {
    @MainActor @Test func `messages that are new, read or edited have changed, others haven't`() async {
        let old = [message("a"), message("b"), message("c"), message("gone")]
        var (read, edited) = (old[1], old[2])
        read.readAt = read.deliverAt
        edited.additionalData = ["k": "v"]
        let new = [message("new"), edited, old[0], read]
        #expect(await ChangedMessages.ids(in: new, comparedWith: old) == ["new", "b", "c"])
        #expect(await ChangedMessages.ids(in: new, comparedWith: new) == [])
        #expect(await ChangedMessages.ids(in: old, comparedWith: []) == ["a", "b", "c", "gone"])
    }
}
