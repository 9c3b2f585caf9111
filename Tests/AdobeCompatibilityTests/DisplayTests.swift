import AdobeCompatibility
import Eventually
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// When a card counts as displayed: as soon as it appears, as Adobe's document says.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct DisplayTests {
    @Test func `a card is displayed when it appears, once per visit`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2), message("c", minutesAgo: 3)])
        await screen.refresh()
        screen.listener.removeAll()
        let (a, b) = (screen.ui.state.cards[0], screen.ui.state.cards[1])
        b.visibilityChanged(to: 0)
        a.visibilityChanged(to: 0.1)
        #expect(try await eventually { screen.listener.calls == ["displayed a"] })

        await screen.refresh()
        screen.listener.removeAll()
        a.visibilityChanged(to: 0)
        a.visibilityChanged(to: 1)
        b.visibilityChanged(to: 1)
        #expect(try await eventually { screen.listener.calls == ["displayed b"] })

        // Another visit.
        screen.ui.endVisit()
        screen.listener.removeAll()
        a.visibilityChanged(to: 1)
        #expect(try await eventually { screen.listener.calls == ["displayed a"] })
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.message) == ["a", "b", "a"])
        #expect(Set(screen.server.events.map(\.type)) == [.displayed])
        #expect(try await screen.inbox.message(id: "a")?.seenAt != nil)
        #expect(try await screen.inbox.message(id: "c")?.seenAt == nil)
    }

    @Test func `a card that is tapped at once is displayed before`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        let card = screen.ui.state.cards[0]
        card.visibilityChanged(to: 1)
        try await card.interact()
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.type) == [.displayed, .clicked])
    }

    @Test func `a card that is dismissed at once is displayed before`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        screen.listener.removeAll()
        let card = screen.ui.state.cards[0]
        card.visibilityChanged(to: 1)
        try await card.dismiss()
        #expect(try await eventually { screen.listener.calls.count == 2 })
        #expect(screen.listener.calls == ["displayed a", "dismissed a"])
        screen.ui.endVisit()
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.type) == [.displayed, .dismissed])
    }
}
