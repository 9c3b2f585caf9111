import AdobeCompatibility
import Combine
import Coverage
import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import Screens
import Testing

@testable import SwiftUI

/// What subscribers of an `InboxUI` and of its cards receive through Combine, as Adobe's document says.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct AdobeObserverTests {
    private let surface = Surface(path: "inbox")

    private func card(_ id: String, minutesAgo: Double = 1) -> Message {
        message(id, surface: surface.name, minutesAgo: minutesAgo)
    }

    private func screen(_ messages: Message...) async throws -> (ScreenDevice, InboxUI) {
        let settings = InboxSettings(title: "News")
        let device = try await ScreenDevice(messages, settings: settings, surface: surface.name)
        let ui = InboxUI(
            surface: surface,
            inbox: device.inbox,
            texts: CardTexts(.english),
            timeZone: .gmt,
            clock: device.clock
        )
        return (device, ui)
    }

    @Test(.shows(.a03)) func `objectWillChange and $state reach subscribers of each change, before it`() async throws {
        let (device, ui) = try await screen(card("m1"))
        var subscriptions: Set<AnyCancellable> = []
        var (states, headings, before) = ([[String]](), [String?](), [[String]]())
        ui.$state.sink { states.append($0.cards.map(\.id)) }.store(in: &subscriptions)
        ui.$inboxSchemaData.sink { headings.append($0?.heading?.content) }.store(in: &subscriptions)
        ui.objectWillChange.sink { MainActor.assumeIsolated { before.append(ui.state.cards.map(\.id)) } }
            .store(in: &subscriptions)
        // A new subscriber has the current value, and hears of no change.
        #expect(states == [[]] && headings == [nil] && before.isEmpty)
        #expect(ui.objectWillChange === ui.objectWillChange)
        await ui.refreshed()
        #expect(states.last == ["m1"] && headings.last == "News")
        #expect(before.last == [])
        device.server.deliver(card("m2", minutesAgo: 0))
        await ui.refreshed()
        #expect(states.last == ["m2", "m1"] && before.contains(["m1"]))
        // Nothing is received once the subscriptions are gone.
        subscriptions.removeAll()
        let counts = [states.count, headings.count, before.count]
        device.server.recall("m1")
        await ui.refreshed()
        #expect(ui.state.cards.map(\.id) == ["m2"])
        #expect([states.count, headings.count, before.count] == counts)
    }

    @Test(.shows(.a03)) func `a card's subscribers are notified before a change`() async throws {
        let (device, ui) = try await screen(card("m1"))
        await ui.refreshed()
        let item = try #require(ui.state.cards.first)
        var before: [Bool] = []
        let subscription = item.objectWillChange.sink { MainActor.assumeIsolated { before.append(item.isRead) } }
        try await device.inbox.markRead("m1")
        let deadline = ContinuousClock.now + .seconds(120)
        while !item.isRead, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(item.isRead && before.first == false)
        subscription.cancel()
    }
}
