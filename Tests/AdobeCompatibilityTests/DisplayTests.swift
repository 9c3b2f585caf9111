import AdobeCompatibility
import Eventually
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// When a card counts as displayed.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct DisplayTests {
    @Test func `half a card visible for 1 s is displayed, once per visit`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2)])
        await screen.refresh()
        screen.listener.removeAll()
        let (a, b) = (screen.ui.state.cards[0], screen.ui.state.cards[1])
        a.visibilityChanged(to: 0.5)
        b.visibilityChanged(to: 0.4)
        screen.clock.advance(by: 0.9)
        try await screen.inbox.sync()
        #expect(screen.listener.calls.isEmpty && screen.server.events.isEmpty)
        screen.clock.advance(by: 0.2)
        #expect(try await eventually { screen.listener.calls == ["displayed a"] })

        await screen.refresh()
        screen.listener.removeAll()
        a.visibilityChanged(to: 0)
        a.visibilityChanged(to: 1)
        b.visibilityChanged(to: 1)
        screen.clock.advance(by: 5)
        #expect(try await eventually { screen.listener.calls == ["displayed b"] })

        // Another visit.
        screen.ui.endVisit()
        screen.listener.removeAll()
        a.visibilityChanged(to: 1)
        screen.clock.advance(by: 2)
        #expect(try await eventually { screen.listener.calls == ["displayed a"] })
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.message) == ["a", "b", "a"])
        #expect(Set(screen.server.events.map(\.type)) == [.displayed])
        #expect(try await screen.inbox.message(id: "a")?.seenAt != nil)
    }

    @Test func `a card that is removed is displayed only if it was visible long enough`() async throws {
        let screen = try await Screen([message("long"), message("short", minutesAgo: 2)])
        await screen.refresh()
        screen.listener.removeAll()
        let (long, short) = (screen.ui.state.cards[0], screen.ui.state.cards[1])
        long.visibilityChanged(to: 1)
        screen.clock.advance(by: 0.5)
        short.visibilityChanged(to: 1)
        screen.clock.advance(by: 0.25)
        try await screen.inbox.archive("short")
        #expect(try await eventually { screen.ids == ["long"] })
        screen.clock.advance(by: 0.25)
        // It is dismissed before a timer has fired.
        try await long.dismiss()
        #expect(screen.listener.calls == ["displayed long", "dismissed long"])
        screen.clock.advance(by: 10)
        screen.ui.endVisit()
        try await screen.inbox.sync()
        #expect(screen.listener.calls.count == 2)
        #expect(screen.server.events.map(\.message) == ["long", "long"])
        #expect(screen.server.events.map(\.type) == [.displayed, .dismissed])
    }

    @Test func `the last moment before the screen disappears counts`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        screen.listener.removeAll()
        screen.ui.state.cards[0].visibilityChanged(to: 1)
        screen.clock.advance(by: 1)
        screen.ui.endVisit()
        #expect(try await eventually { screen.listener.calls == ["displayed a"] })
    }
}
