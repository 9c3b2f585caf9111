import InboxTesting
import InboxViews
import Screens
import Testing

/// The last action of a screen, while it can be undone.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct UndoOfferTests {
    @Test func `an undo that fails is offered again, unless there is another action by then`() async throws {
        let offer = PendingUndo<String>(time: 10, clock: ManualClock())
        offer.offer("first")
        await #expect(throws: Unexpected.self) { try await offer.undo { _ in throw Unexpected("no") } }
        #expect(offer.action == "first")
        await #expect(throws: Unexpected.self) {
            try await offer.undo { _ in
                offer.offer("second")
                throw Unexpected("no")
            }
        }
        #expect(offer.action == "second")
        try await offer.undo { #expect($0 == "second") }
        #expect(offer.action == nil)
    }
}
