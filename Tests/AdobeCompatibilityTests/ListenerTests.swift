import AdobeCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import Screens
import Testing

/// Listeners of every kind, and what they keep in memory.
///
/// This file imports Adobe's layer alone: `InboxError` is Adobe's here.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ListenerTests {
    /// A structure that isn't of the main actor.
    private struct Count: InboxEventListening, Sendable {
        let loads = Locked(0)

        func onLoading(_ inbox: InboxUI) { loads.withLock { $0 += 1 } }
    }

    /// An object that holds what it listens to.
    private final class Owner: InboxEventListening {
        var inboxUI: InboxUI?
        var errors: [InboxError] = []

        func onError(_ inbox: InboxUI, _ error: any Error) {
            if let error = error as? InboxError { errors.append(error) }
        }
    }

    @Test(.shows(.a08, .a23)) func `a listener may be a structure, and is held by the inbox alone`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        let count = await Task.detached { Count() }.value
        screen.ui.listener = count
        await screen.refresh()
        #expect(count.loads.withLock { $0 } == 1)
        do {
            let owner = Owner()
            screen.ui.listener = owner
        }
        #expect(screen.ui.listener is Owner)
        screen.device.disconnect()
        await screen.refresh()
        await screen.refresh()
        #expect((screen.ui.listener as? Owner)?.errors.last == .dataUnavailable)
    }

    @Test func `an inbox and the listener that owns it are freed once the reference is nil`() async throws {
        let screen = try await Screen([message("a")])
        weak var (freedUI, freedOwner): (InboxUI?, Owner?)
        var cards: [ContentCardUI] = []
        do {
            let owner = Owner()
            let ui = InboxUI(surface: AdobeDevice.surface, inbox: screen.inbox, listener: owner, clock: screen.clock)
            owner.inboxUI = ui
            await ui.refreshed()
            cards = ui.state.cards
            (freedUI, freedOwner) = (ui, owner)
        }
        #expect(cards.count == 1)
        // Each holds the other, as with Adobe.
        #expect(freedUI != nil && freedOwner != nil)
        freedOwner?.inboxUI = nil
        #expect(try await eventually { freedUI == nil && freedOwner == nil })
        // A card that outlives its inbox does nothing.
        try await cards[0].interact()
        #expect(try await screen.inbox.message(id: "a")?.isUnread == true)
    }

    @Test func `an inbox that its listener owns is freed when the client's inbox is closed`() async throws {
        let screen = try await Screen([message("a")])
        weak var (freedUI, freedOwner): (InboxUI?, Owner?)
        do {
            let owner = Owner()
            let ui = InboxUI(surface: AdobeDevice.surface, inbox: screen.inbox, listener: owner, clock: screen.clock)
            owner.inboxUI = ui
            await ui.refreshed()
            (freedUI, freedOwner) = (ui, owner)
        }
        #expect(freedUI != nil)
        await screen.inbox.close()
        #expect(try await eventually { freedUI == nil && freedOwner == nil })
    }

    @Test func `with one import, an app opens an inbox and has Adobe's errors`() async {
        let refused: InboxError
        do {
            let none = try await Inbox.open(server: URL(filePath: "/nowhere"), person: "") { "token" }
            await none.close()
            refused = .inboxSchemaDataNotFound
        } catch {
            refused = .inboxCreationFailed
        }
        #expect(refused.rawValue == 4)
    }
}
