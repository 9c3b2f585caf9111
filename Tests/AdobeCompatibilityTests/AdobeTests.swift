import AdobeCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Observation
import Testing

/// The statements of Adobe's two documents. Serialized, because the app has one inbox.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AdobeTests {
    private let settings = InboxSettings(
        title: "News",
        emptyMessage: "Nothing",
        layout: .horizontal,
        capacity: 2
    )

    // MARK: - InboxUI

    @Test(.shows(.a01, .a05, .a14, .a16, .a25, .a26))
    func `an inbox loads automatically from a surface`() async throws {
        let device = try await AdobeDevice([message("a")], settings: settings)
        let both = [InboxUI(surface: AdobeDevice.surface), Messaging.getInboxUI(for: AdobeDevice.surface)]
        #expect(both.allSatisfy { $0.surface == AdobeDevice.surface && !$0.state.isLoaded })
        for ui in both {
            await ui.refreshed()
            #expect(ui.state.cards.map(\.id) == ["a"])
        }
        let listener = Recorder()
        let ui = Messaging.getInboxUI(for: AdobeDevice.surface, listener: listener)
        #expect(listener.calls == ["loading"])
        await ui.refreshed()
        #expect(listener.calls == ["loading", "created a", "success"])
        device.server.recall("a")
        await ui.refreshed()
        #expect(listener.calls.suffix(2) == ["loading", "success"] && ui.state.isLoaded && ui.state.cards.isEmpty)
    }

    @Test(.shows(.a04, .a06)) func `the state changes automatically and notifies observers`() async throws {
        let device = try await AdobeDevice([message("a")])
        let ui = await device.screen()
        let other = InboxUI(surface: AdobeDevice.surface)
        #expect(ui.id != other.id)
        let changed = Locked(false)
        withObservationTracking {
            _ = ui.state
        } onChange: {
            changed.withLock { $0 = true }
        }
        device.server.deliver(message("b", minutesAgo: 0))
        try await device.inbox.sync()
        #expect(try await eventually { ui.state.cards.map(\.id) == ["b", "a"] })
        #expect(changed.withLock { $0 })
    }

    @Test(.shows(.a07)) func `settings determine layout, heading, capacity and empty state`() async throws {
        let messages = (1...3).map { message("m\($0)", minutesAgo: Double($0)) }
        let device = try await AdobeDevice(messages, settings: settings)
        let ui = await device.screen()
        let data = try #require(ui.inboxSchemaData)
        #expect(data.layout == .horizontal && data.heading?.content == "News" && data.capacity == 2)
        #expect(data.emptyStateSettings?.message?.content == "Nothing")
        #expect(ui.state.cards.map(\.id) == ["m1", "m2"])
    }

    @Test(.shows(.a02)) func `a capacity limits the cards, and without one all are shown`() async throws {
        let messages = (1...60).map { message("m\($0)", minutesAgo: Double($0)) }
        for (settings, ids) in [(settings, ["m1", "m2"]), (InboxSettings(), messages.map(\.id))] {
            let device = try await AdobeDevice(messages, settings: settings)
            let ui = Messaging.getInboxUI(for: AdobeDevice.surface)
            await ui.refreshed()
            // A new device has the newest 50 first, and the list fetches the others.
            let isShown = try await eventually {
                await ui.refreshed()
                return ui.state.cards.map(\.id) == ids
            }
            #expect(isShown && ui.endsAtCapacity && ui.hasMore == (ids.count < messages.count))
            await device.inbox.close()
        }
    }

    @Test(.shows(.a08)) func `properties have Adobe's defaults and can be set`() async throws {
        let device = try await AdobeDevice([message("a")])
        let ui = await device.screen()
        #expect(ui.listener == nil && !ui.isPullToRefreshEnabled && ui.cardSpacing == 16)
        #expect(ui.contentInsets == CardInsets(top: 12, leading: 16, bottom: 12, trailing: 16))
        #expect(ui.unreadIconSize == 16 && ui.state.cards.first?.card.unreadIcon?.size == 16)
        ui.isPullToRefreshEnabled = true
        ui.cardSpacing = 20
        ui.contentInsets = CardInsets(8)
        ui.unreadIconSize = 24
        let listener = Recorder()
        ui.listener = listener
        await ui.refreshed()
        #expect(ui.isPullToRefreshEnabled && ui.cardSpacing == 20 && ui.contentInsets.top == 8)
        #expect(ui.state.cards.first?.card.unreadIcon?.size == 24)
        #expect(listener.calls == ["loading", "created a", "success"])
    }

    @Test(.shows(.a17, .a29)) func `a refresh fetches from the server, then shows the result`() async throws {
        let device = try await AdobeDevice([message("a")])
        let listener = Recorder()
        let ui = await device.screen(listener)
        listener.removeAll()
        device.server.deliver(message("b", minutesAgo: 0))
        ui.refresh()
        #expect(listener.calls == ["loading"])
        #expect(try await eventually { ui.state.cards.map(\.id) == ["b", "a"] && listener.calls.last == "success" })
        #expect(listener.calls.filter { $0.hasPrefix("created") }.sorted() == ["created a", "created b"])
    }

    // MARK: - Errors

    @Test(.shows(.a27, .a28)) func `the four errors differ, also without a network`() async throws {
        Messaging.setInbox(nil)
        let listener = Recorder()
        let unset = Messaging.getInboxUI(for: AdobeDevice.surface, listener: listener)
        #expect(listener.calls == ["loading", "error"])
        #expect(listener.errors.first as? InboxUIError == .inboxCreationFailed)
        guard case .error = unset.state else {
            Issue.record("no inbox is set")
            return
        }

        func error(_ messages: [Message], _ change: (AdobeDevice) -> Void = { _ in }) async throws -> AdobeCompatibility
            .InboxError?
        {
            let device = try await AdobeDevice(messages, settings: nil)
            change(device)
            let listener = Recorder()
            let ui = Messaging.getInboxUI(for: AdobeDevice.surface, listener: listener)
            await ui.refreshed()
            return listener.errors.first as? AdobeCompatibility.InboxError
        }
        #expect(try await error([]) == .dataUnavailable)
        #expect(try await error([message("a")]) == .inboxSchemaDataNotFound)
        let wrong = try await error([message("a")]) {
            $0.server.setSettings(json: ["capacity": "many", "layout": 7], surface: AdobeDevice.surface.name)
        }
        #expect(wrong == .invalidInboxSchemaData)
        #expect(AdobeCompatibility.InboxError.allCases.map(\.rawValue) == [1, 2, 3, 4])
        // Without a network it is Adobe's error too, and the client's is behind it.
        let device = try await AdobeDevice()
        device.disconnect()
        let offline = Messaging.getInboxUI(for: AdobeDevice.surface, listener: listener)
        await offline.refreshed()
        #expect(listener.errors.last as? AdobeCompatibility.InboxError == .dataUnavailable)
        #expect((offline.failure as? InboxClient.InboxError)?.code == .notConnected)
    }

    // MARK: - Cards

    private func withLink(_ id: String) -> Message {
        message(id) {
            $0.link = "myapp://card"
            $0.actions = [MessageAction(id: "go", text: "Go", link: "https://example.com/go")]
        }
    }

    @Test(.shows(.a23, .a33, .a34, .a35)) func `a tap reports its URL, and the app can handle it`() async throws {
        let device = try await AdobeDevice([withLink("a")])
        let listener = Recorder()
        let ui = await device.screen(listener)
        var opened: [String] = []
        let open: LinkOpener.URLHandler = { opened.append($0.absoluteString) }
        ui.linkOpener = LinkOpener(inApp: open, systemBrowser: open, app: open)
        listener.removeAll()
        let card = try #require(ui.state.cards.first)
        try await card.interact()
        #expect(listener.calls == ["interacted a Card clicked myapp://card"])
        try await card.interact(try #require(card.card.buttons.first))
        #expect(listener.calls.last == "interacted a go https://example.com/go")
        #expect(opened == ["myapp://card", "https://example.com/go"])
        listener.handlesLinks = true
        try await card.interact()
        #expect(opened.count == 2)
        #expect(try await eventually { card.isRead })
    }

    @Test(.shows(.a30)) func `a card is reported as displayed when it appears`() async throws {
        let device = try await AdobeDevice([message("a"), message("b", minutesAgo: 2)])
        let listener = Recorder()
        let ui = await device.screen(listener)
        listener.removeAll()
        // The first of it comes into view, and no time passes.
        try #require(ui.state.cards.first).visibilityChanged(to: 0.01)
        #expect(try await eventually { listener.calls == ["displayed a"] })
    }

    @Test(.shows(.a31, .a32)) func `a dismissed card is removed automatically`() async throws {
        let device = try await AdobeDevice([message("a"), message("b", minutesAgo: 2)])
        let listener = Recorder()
        let ui = await device.screen(listener)
        listener.removeAll()
        let card = try #require(ui.state.cards.first)
        try await card.dismiss()
        #expect(listener.calls == ["dismissed a"] && ui.state.cards.map(\.id) == ["b"])
        await ui.refreshed()
        #expect(ui.state.cards.map(\.id) == ["b"])
        #expect(device.server.events.map(\.type) == [.dismissed])
    }

    /// A listener that implements no method.
    private final class SilentListener: InboxEventListening {}

    @Test(.shows(.a24)) func `every method of a listener is optional`() async throws {
        let device = try await AdobeDevice([withLink("a")])
        let listener = SilentListener()
        let ui = await device.screen(listener)
        var opened = 0
        let open: LinkOpener.URLHandler = { _ in opened += 1 }
        ui.linkOpener = LinkOpener(inApp: open, systemBrowser: open, app: open)
        let card = try #require(ui.state.cards.first)
        try await card.interact()
        #expect(opened == 1)
    }

    // MARK: - Templates

    private final class Customizer: ContentCardCustomizing {
        var called: [String] = []

        func customize(template: SmallImageTemplate) {
            called.append("small")
            template.title.textColor = .red
            template.title.font = .headline
            template.body?.textColor = .secondary
            template.buttons?.first?.text.font = .system(size: 17)
            template.buttons?.first?.backgroundColor = .blue
            template.rootHStack.spacing = 15
            template.textVStack.alignment = .center
            template.buttonHStack.spacing = 3
            template.backgroundColor = .white
            template.unreadBackground = .yellow
            template.unreadIcon?.placement = .bottomLeading
            template.dismissButton?.image.iconColor = .primary
            template.dismissButton?.image.iconFont = .system(size: 10)
        }

        func customize(template: LargeImageTemplate) {
            called.append("large")
            template.rootVStack.spacing = 1
            template.dismissButton = nil
        }

        func customize(template: ImageOnlyTemplate) {
            called.append("image")
            template.image?.contentMode = .fill
        }
    }

    @Test(.shows(.a15)) func `a customizer changes each template`() async throws {
        let picture = Media(url: "https://example.com/a.png")
        let device = try await AdobeDevice([
            withLink("small"),
            message("large", minutesAgo: 2) { ($0.media, $0.templateID) = (picture, "LargeImage") },
            message("image", minutesAgo: 3) { ($0.media, $0.templateID) = (picture, "ImageOnly") },
        ])
        let customizer = Customizer()
        let ui = Messaging.getInboxUI(for: AdobeDevice.surface, customizer: customizer)
        await ui.refreshed()
        #expect(customizer.called == ["small", "large", "image"])
        let cards = ui.state.cards.map(\.card)
        #expect(cards[0].title?.color == .red && cards[0].title?.font == .headline)
        #expect(cards[0].buttons.first?.text.font.size == 17 && cards[0].buttons.first?.backgroundColor == .blue)
        #expect(cards[0].rootStack.spacing == 15 && cards[0].textStack.alignment == .center)
        #expect(cards[0].buttonStack.spacing == 3 && cards[0].backgroundColor == .white)
        #expect(cards[0].unreadBackground == .yellow && cards[0].unreadIcon?.placement == .bottomLeading)
        #expect(cards[0].dismissButton?.color == .primary && cards[0].dismissButton?.font.size == 10)
        #expect(cards[1].rootStack.spacing == 1 && cards[1].dismissButton == nil)
        #expect(cards[2].image?.contentMode == .fill)
        device.disconnect()
    }

    // MARK: - Propositions

    @Test func `an update reports whether the server responded`() async throws {
        let device = try await AdobeDevice([message("a")])
        func update() async -> Bool {
            await withCheckedContinuation { done in
                Messaging.updatePropositionsForSurfaces([AdobeDevice.surface]) { done.resume(returning: $0) }
            }
        }
        #expect(await update())
        #expect(try await device.inbox.messages().map(\.id) == ["a"])
        Messaging.updatePropositionsForSurfaces([AdobeDevice.surface])
        device.disconnect()
        #expect(await !update())
        Messaging.setInbox(nil)
        #expect(await !update())
    }

    @Test func `propositions are the stored ones, by surface`() async throws {
        let device = try await AdobeDevice([message("a"), message("b", minutesAgo: 2)], settings: settings)
        #expect(try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface]).isEmpty)
        #expect(await Messaging.updatePropositions(for: [AdobeDevice.surface]))
        device.disconnect()
        let found = try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface, Surface(path: "other")])
        #expect(found.keys.map(\.uri) == [AdobeDevice.surface.uri])
        let propositions = try #require(found[AdobeDevice.surface])
        #expect(propositions.flatMap(\.items).map(\.schema) == [.inbox, .contentCard, .contentCard])
        #expect(propositions.dropFirst().map(\.uniqueId) == ["a", "b"])
        #expect(propositions.allSatisfy { $0.scope == AdobeDevice.surface.uri })
        let item = try #require(propositions.dropFirst().first?.items.first)
        #expect(item.card?.title == "Title a" && item.itemData["contentType"] as? String == "application/json")
        let content = propositions.first?.items.first?.itemData["content"] as? [String: Any]
        #expect((content?["heading"] as? [String: Any])?["content"] as? String == "News")
        Messaging.setInbox(nil)
        await #expect(throws: InboxUIError.inboxCreationFailed) {
            try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface])
        }
        let refused = await withCheckedContinuation { done in
            Messaging.getPropositionsForSurfaces([AdobeDevice.surface]) { found, error in
                done.resume(returning: found == nil && error != nil)
            }
        }
        #expect(refused)
    }

    @Test func `tracking reaches the server as native events`() async throws {
        let device = try await AdobeDevice([message("a")])
        #expect(await Messaging.updatePropositions(for: []))
        let found = try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface])
        let item = try #require(found[AdobeDevice.surface]?.last?.items.first)
        for (number, type) in [MessagingEdgeEventType.display, .interact, .trigger, .dismiss].enumerated() {
            item.track(type == .interact ? "go" : nil, withEdgeEventType: type, forTokens: ["t1", "t2"])
            #expect(try await eventually { try await device.inbox.status().pendingEvents == number + 1 })
        }
        try await device.inbox.sync()
        #expect(device.server.events.map(\.type) == [.displayed, .clicked, .other("trigger"), .dismissed])
        #expect(device.server.events.map(\.action) == [nil, "go", nil, nil])
        #expect(device.server.events.first?.data == ["tokens": .string("t1,t2")])
        #expect(try await device.inbox.message(id: "a")?.readAt != nil)

        let xdm = try #require(item.generateInteractionXdm("go", withEdgeEventType: .interact))
        #expect(xdm["eventType"] as? String == "decisioning.propositionInteract")
        let decisioning = (xdm["_experience"] as? [String: Any])?["decisioning"] as? [String: Any]
        #expect(decisioning?["propositionAction"] as? [String: String] == ["id": "go", "label": "go"])
        #expect(decisioning?["propositionEventType"] as? [String: Int] == ["interact": 1])
        let proposition = (decisioning?["propositions"] as? [[String: Any]])?.first
        #expect(proposition?["id"] as? String == "a" && proposition?["scope"] as? String == AdobeDevice.surface.uri)
        let reason = item.generateInteractionXdm("offline", withEdgeEventType: .suppressDisplay)?["_experience"]
        let suppressed = (reason as? [String: Any])?["decisioning"] as? [String: Any]
        #expect(suppressed?["propositionAction"] as? [String: String] == ["reason": "offline"])
    }

    @Test func `an event is stored in the inbox from which its item was read`() async throws {
        let first = try await AdobeDevice([message("a")])
        #expect(await Messaging.updatePropositions(for: []))
        let found = try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface])
        let item = try #require(found[AdobeDevice.surface]?.last?.items.first)
        // Another inbox with a message of the same id, such as one to everyone.
        let other = try await AdobeDevice([message("a")])
        #expect(await Messaging.updatePropositions(for: []))
        let others = try await Messaging.getPropositionsForSurfaces([AdobeDevice.surface])
        let same = try #require(others[AdobeDevice.surface]?.last?.items.first)
        #expect(same.itemId == item.itemId && same != item)
        item.track("go", withEdgeEventType: .interact)
        #expect(try await eventually { try await first.inbox.status().pendingEvents == 1 })
        Messaging.setInbox(nil)
        item.track("go", withEdgeEventType: .display)
        #expect(try await eventually { try await first.inbox.status().pendingEvents == 2 })
        #expect(try await other.inbox.status().pendingEvents == 0)
    }
}
