import AdobeCompatibility
import Eventually
import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Replica
import Screens
import Testing

/// How an inbox loads, and the calls of its listener.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct LoadingTests {
    @Test func `loading starts at once, and every card is created before success is reported`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2)])
        #expect(screen.listener.calls == ["loading"])
        guard case .loading = screen.ui.state else { throw Unexpected("not loading") }
        await screen.refresh()
        #expect(screen.ids == ["a", "b"])
        #expect(screen.listener.calls == ["loading", "created a", "created b", "success"])
        #expect(!screen.ui.isRefreshing)
        #expect(screen.ui.unreadCount == 2)
    }

    @Test func `an empty inbox loads without cards`() async throws {
        let screen = try await Screen()
        await screen.refresh()
        #expect(screen.ui.state.isLoaded && screen.ids.isEmpty)
        #expect(screen.listener.calls == ["loading", "success"])
    }

    @Test func `a refresh keeps the cards on screen and reports loading`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        let card = try #require(screen.ui.state.cards.first)
        screen.listener.removeAll()
        screen.server.deliver(message("b", minutesAgo: 0))
        screen.ui.refresh()
        #expect(screen.ui.state.isLoaded && screen.ids == ["a"])
        #expect(screen.listener.calls == ["loading"])
        await screen.refresh()
        #expect(screen.listener.calls == ["loading", "created b", "created a", "success"])
        #expect(screen.ui.state.cards.last === card)
    }

    @Test func `a store that can't be read is reported once, and the cards follow again`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        screen.listener.removeAll()
        let before = screen.clock.sleeperCount
        try screen.inbox.store.setReadable(false)
        // The listener is called some time after the wait has begun.
        #expect(try await eventually { screen.clock.sleeperCount > before && screen.listener.calls == ["error"] })
        screen.clock.advance(by: 1)
        #expect(try await eventually { screen.clock.sleeperCount > before })
        #expect(screen.listener.calls == ["error"] && screen.ids == ["a"], "the cards stay")
        try screen.inbox.store.setReadable(true)
        screen.server.deliver(message("b", minutesAgo: 0))
        try await screen.inbox.sync()
        screen.clock.advance(by: 2)
        #expect(try await eventually { screen.ids == ["b", "a"] })
        await screen.inbox.close()
        #expect(try await eventually { screen.listener.calls.last == "error" && screen.ids.isEmpty })
    }

    @Test func `concurrent refreshes are one refresh`() async throws {
        let screen = try await Screen([message("a")])
        for _ in 0..<5 { screen.ui.refresh() }
        await screen.refresh()
        #expect(screen.listener.calls == ["loading", "created a", "success"])
    }

    @Test func `offline, stored cards are shown and the failure is reported`() async throws {
        let screen = try await Screen([message("a")], isOffline: true, syncsFirst: true)
        await screen.refresh()
        #expect(screen.ids == ["a"])
        #expect(screen.listener.calls == ["loading", "created a", "error"])
        #expect(screen.listener.errors.first as? InboxUIError == .dataUnavailable)
        #expect((screen.ui.failure as? InboxClient.InboxError)?.code == .notConnected)
    }

    @Test func `offline, a stored empty inbox is empty and not an error`() async throws {
        let screen = try await Screen(isOffline: true, syncsFirst: true)
        await screen.refresh()
        #expect(screen.ui.state.isLoaded && screen.ids.isEmpty)
        #expect(screen.listener.calls == ["loading", "error"])
    }

    @Test func `offline on the first run is an error, and a retry resolves it`() async throws {
        let screen = try await Screen([message("a")], isOffline: true)
        await screen.refresh()
        guard case .error(let error) = screen.ui.state else { throw Unexpected("no error") }
        #expect(error as? InboxUIError == .dataUnavailable)
        #expect((screen.ui.failure as? InboxClient.InboxError)?.code == .notConnected)
        screen.device.reconnect()
        screen.listener.removeAll()
        screen.ui.refresh()
        guard case .loading = screen.ui.state else { throw Unexpected("not loading") }
        await screen.refresh()
        #expect(screen.ids == ["a"])
        #expect(screen.listener.calls == ["loading", "created a", "success"])
    }

    @Test func `a screen without an inbox is an error from the start`() {
        // Other tests of the app's one inbox wait for the main actor.
        let other = InboxUI.defaultInbox
        defer { InboxUI.defaultInbox = other }
        InboxUI.defaultInbox = nil
        let listener = Recorder()
        let ui = InboxUI(surface: AdobeDevice.surface, inbox: nil, listener: listener)
        guard case .error(let error) = ui.state else {
            Issue.record("no error")
            return
        }
        #expect(error as? InboxUIError == .inboxCreationFailed)
        #expect(listener.calls == ["loading", "error"])
        #expect(!ui.isRefreshing)
    }

    @Test func `the four errors differ`() async throws {
        let nothing = try await Screen(requiresSettings: true)
        await nothing.refresh()
        #expect(nothing.listener.errors.map { $0 as? InboxUIError } == [.dataUnavailable])

        let noSettings = try await Screen([message("a")], requiresSettings: true)
        await noSettings.refresh()
        #expect(noSettings.listener.errors.map { $0 as? InboxUIError } == [.inboxSchemaDataNotFound])
        #expect(noSettings.ids.isEmpty)

        let invalid = try await Screen([message("a")], requiresSettings: true)
        invalid.server.setSettings(json: ["cardSpacing": "wide"], surface: AdobeDevice.surface.name)
        await invalid.refresh()
        await invalid.refresh()
        #expect(invalid.listener.errors.last as? InboxUIError == .invalidInboxSchemaData)

        #expect(InboxUIError.allCases.map(\.rawValue) == [1, 2, 3, 4])
        #expect(Set(InboxUIError.allCases.map(\.localizedDescription)).count == 4)
    }

    @Test func `settings are shown, and the app's own values override them`() async throws {
        var settings = InboxSettings(title: "News", layout: .horizontal, isPullToRefreshEnabled: true, cardSpacing: 4)
        settings.unreadIndicator.size = 20
        let screen = try await Screen([message("a")], settings: settings, requiresSettings: true)
        await screen.refresh()
        let ui = try #require(screen.ui)
        #expect(ui.inboxSchemaData?.heading?.content == "News")
        #expect(ui.inboxSchemaData?.layout == .horizontal)
        #expect((ui.isPullToRefreshEnabled, ui.cardSpacing, ui.unreadIconSize) == (true, 4, 20))
        #expect(ui.state.cards.first?.card.shownUnreadIcon?.size == 20)
        ui.unreadIconSize = 30
        ui.cardSpacing = 8
        ui.isPullToRefreshEnabled = false
        #expect((ui.isPullToRefreshEnabled, ui.cardSpacing, ui.unreadIconSize) == (false, 8, 30))
        #expect(ui.state.cards.first?.card.shownUnreadIcon?.size == 30)
    }

    @Test func `defaults are the documented ones`() async throws {
        let ui = InboxUI(surface: AdobeDevice.surface, inbox: nil)
        #expect((ui.isPullToRefreshEnabled, ui.cardSpacing, ui.unreadIconSize) == (false, 16, 16))
        let insets = ui.contentInsets
        #expect([insets.top, insets.leading, insets.bottom, insets.trailing] == [12, 16, 12, 16])
        #expect(ui.inboxSchemaData == nil)
        #expect(ui.id != InboxUI(surface: AdobeDevice.surface, inbox: nil).id)
    }

    @Test func `a late response never replaces a newer state`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        // The refresh's response is delayed; meanwhile the person dismisses the card.
        let gate = Gate()
        screen.device.transport.answer { [server = screen.server] request in
            let answer = server.answer(request)
            await gate.wait()
            return answer
        }
        screen.ui.refresh()
        try await screen.ui.state.cards[0].dismiss()
        #expect(screen.ids.isEmpty)
        await gate.open()
        await screen.refresh()
        #expect(screen.ids.isEmpty)
    }

    @Test func `closing the inbox removes every card and reports one error`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        screen.listener.removeAll()
        await screen.inbox.close()
        #expect(try await eventually { screen.ui.state.cards.isEmpty })
        for _ in 1...2 {
            guard case .error(let error) = screen.ui.state else { throw Unexpected("no error") }
            #expect(error as? InboxUIError == .inboxCreationFailed)
            #expect((screen.ui.failure as? InboxClient.InboxError)?.code == .closed)
            await screen.refresh()
        }
        #expect(screen.listener.calls == ["error"])
        #expect(!screen.ui.isRefreshing)
    }

    @Test func `an inbox that is already closed reports one error`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        await screen.inbox.close()
        let listener = Recorder()
        let ui = InboxUI(surface: AdobeDevice.surface, inbox: screen.inbox, listener: listener, clock: screen.clock)
        await ui.refreshed()
        await ui.refreshed()
        #expect(listener.calls == ["loading", "error"])
        #expect(listener.errors.first as? InboxUIError == .inboxCreationFailed)
        #expect((ui.failure as? InboxClient.InboxError)?.code == .closed)
    }

    @Test func `required settings are removed: the screen stays and the error is reported`() async throws {
        let settings = InboxSettings(title: "News", cardSpacing: 4)
        let screen = try await Screen([message("a")], settings: settings, requiresSettings: true)
        await screen.refresh()
        screen.listener.removeAll()
        screen.server.removeSettings(surface: AdobeDevice.surface.name)
        screen.server.deliver(message("b", minutesAgo: 0))
        await screen.refresh()
        #expect(screen.listener.errors.map { $0 as? InboxUIError } == [.inboxSchemaDataNotFound])
        #expect(screen.ids == ["b", "a"])
        #expect(screen.ui.inboxSchemaData?.heading?.content == "News" && screen.ui.cardSpacing == 4)
        // The settings are restored.
        screen.server.setSettings(InboxSettings(title: "Post"), surface: AdobeDevice.surface.name)
        await screen.refresh()
        #expect(screen.listener.calls.last == "success" && screen.ui.inboxSchemaData?.heading?.content == "Post")
    }

    @Test func `the screen and its listener are released`() async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        weak var gone: InboxUI?
        weak var listener: Recorder?
        var card: ContentCardUI?
        do {
            let recorder = Recorder()
            let ui = InboxUI(surface: AdobeDevice.surface, inbox: screen.inbox, listener: recorder, clock: screen.clock)
            await ui.refreshed()
            card = ui.state.cards.first
            (gone, listener) = (ui, recorder)
            #expect(gone != nil && listener != nil)
        }
        #expect(try await eventually { gone == nil && listener == nil })
        // A card that is still retained does nothing.
        try await card?.dismiss()
        #expect(try await screen.inbox.message(id: "a") != nil)
    }
}
