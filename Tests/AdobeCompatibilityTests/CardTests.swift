import AdobeCompatibility
import Eventually
import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// Changes of cards that are on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct CardTests {
    @Test func `a card is the same object while its message changes`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2)])
        await screen.refresh()
        let card = screen.ui.state.cards[0]
        #expect(!card.isRead && card.card.shownUnreadIcon != nil)
        try await screen.inbox.markRead("a")
        #expect(try await eventually { card.isRead })
        #expect(card.card.shownUnreadIcon == nil)
        #expect(screen.ui.state.cards[0] === card)
        #expect(screen.ui.unreadCount == 1)
        try await screen.inbox.archive("a")
        #expect(try await eventually { screen.ids == ["b"] })
    }

    @Test func `the customizer runs once per card, after the unread settings are applied`() async throws {
        let customizer = Customizer()
        var settings = InboxSettings()
        settings.unreadIndicator.background = "#FFEEDD"
        settings.unreadIndicator.placement = .bottomRight
        let screen = try await Screen([message("a")], settings: settings, syncsFirst: true, customizer: customizer)
        await screen.refresh()
        await screen.refresh()
        try await screen.inbox.markRead("a")
        #expect(try await eventually { screen.ui.state.cards[0].isRead })
        #expect(screen.ui.state.cards[0].card.title?.content == "Customized")
        // Once with the stored settings; cards from before they were read aren't on screen.
        #expect(customizer.seen.last?.unreadIcon?.placement == .bottomTrailing)
        #expect(customizer.seen.last?.unreadBackground == CardColor(light: .init(0xFFEEDD)))
        #expect(customizer.seen.count == 1)
        // The sender edits it, so the card is created again.
        screen.server.deliver(message("a") { $0.title = "Edited" })
        await screen.refresh()
        #expect(customizer.seen.last?.title?.content == "Edited")
        #expect(screen.ui.state.cards[0].card.title?.content == "Customized")
    }

    @Test func `a surface's settings hide the unread state`() async throws {
        var settings = InboxSettings()
        settings.unreadIndicator.isShown = false
        settings.unreadIndicator.background = "#FFEEDD"
        let screen = try await Screen([message("a")], settings: settings)
        await screen.refresh()
        let card = screen.ui.state.cards[0].card
        #expect(card.isUnread && card.shownUnreadIcon == nil && card.background == card.backgroundColor)
    }

    @Test func `pages follow the capacity, and cards beyond it keep their read state`() async throws {
        let messages = (0..<25).map { message("m\($0)", minutesAgo: Double($0)) }
        let screen = try await Screen(messages, settings: InboxSettings(capacity: 10))
        await screen.refresh()
        #expect(screen.ids.count == 10 && screen.ui.hasMore)
        try await screen.inbox.markRead("m20")
        screen.ui.loadMore()
        #expect(try await eventually { screen.ids.count == 20 })
        screen.ui.loadMore()
        #expect(try await eventually { screen.ids.count == 25 })
        #expect(!screen.ui.hasMore)
        #expect(screen.ui.state.cards[20].isRead)
        await screen.refresh()
        #expect(screen.ids.count == 25)
        #expect(screen.ids == messages.map(\.id))
    }

    @Test func `a page is added once, however often the end of the list appears`() async throws {
        let messages = (0..<25).map { message("m\($0)", minutesAgo: Double($0)) }
        let screen = try await Screen(messages, settings: InboxSettings(capacity: 5))
        await screen.refresh()
        for _ in 0..<4 { screen.ui.loadMore() }
        #expect(try await eventually { screen.ids.count == 10 })
        screen.ui.loadMore()
        #expect(try await eventually { screen.ids.count == 15 })
    }

    @Test func `pinned cards are first`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2) { $0.isPinned = true }])
        await screen.refresh()
        #expect(screen.ids == ["b", "a"])
    }

    @Test func `a card that expires on screen is removed`() async throws {
        let screen = try await Screen([
            message("a") { $0.expiresAt = ManualClock().now.addingTimeInterval(60) }, message("b", minutesAgo: 2),
        ])
        await screen.refresh()
        #expect(screen.ids == ["a", "b"])
        screen.clock.advance(by: 61)
        #expect(try await eventually { screen.ids == ["b"] })
    }

    @Test func `relative times are updated on screen`() async throws {
        let screen = try await Screen([message("a", minutesAgo: 5)])
        await screen.refresh()
        let card = screen.ui.state.cards[0]
        let first = try #require(card.card.time?.text.content)
        #expect(first == "5 minutes ago")
        // The wait for the next text has begun.
        #expect(try await eventually { screen.clock.sleeperCount > 0 })
        screen.clock.advance(by: 3_600)
        #expect(try await eventually { card.card.time?.text.content == "1 hour ago" })
    }

    @Test func `Adobe's templates have no time, also after an update, and others have`() async throws {
        let picture = Media(url: "https://example.com/a.png")
        let screen = try await Screen([
            message("small") { ($0.media, $0.templateID) = (picture, "SmallImage") },
            message("large", minutesAgo: 2) { ($0.media, $0.templateID) = (picture, "LargeImage") },
            message("image", minutesAgo: 3) { ($0.media, $0.templateID) = (picture, "ImageOnly") },
            message("unnamed", minutesAgo: 4) { $0.media = picture },
            message("other", minutesAgo: 5) { $0.templateID = "SmallPicture" },
        ])
        await screen.refresh()
        func times() -> [Bool] { screen.ui.state.cards.map { $0.card.time != nil } }
        #expect(screen.ids.count == 5 && times() == [false, false, false, true, true])
        try await screen.inbox.markRead("large")
        #expect(try await eventually { screen.ui.state.cards[1].isRead })
        #expect(times() == [false, false, false, true, true])
    }

    @Test func `a customized time isn't updated`() async throws {
        let customizer = Customizer(time: "Before lunch")
        let screen = try await Screen([message("a", minutesAgo: 5)], customizer: customizer)
        await screen.refresh()
        let card = screen.ui.state.cards[0]
        #expect(try await eventually { screen.clock.sleeperCount > 0 })
        screen.clock.advance(by: 3_600)
        try await screen.inbox.markRead("a")
        #expect(try await eventually { card.isRead })
        #expect(card.card.time?.text.content == "Before lunch")
    }

    @Test(arguments: [(CGFloat.nan, 16.0), (.infinity, 1_000), (-.infinity, 1), (0, 1)])
    func `an invalid size of the unread mark is replaced by a valid one`(
        _ size: CGFloat,
        _ drawn: Double
    ) async throws {
        let screen = try await Screen([message("a")])
        await screen.refresh()
        screen.ui.unreadIconSize = size
        #expect(screen.ui.state.cards[0].card.shownUnreadIcon?.size == drawn)
    }

    @Test func `a tap marks the card read, calls the listener and opens an unhandled link`() async throws {
        let screen = try await Screen([
            message("a") {
                $0.link = "https://example.com/a"
                $0.actions = [MessageAction(id: "go", text: "Go", link: "myapp://go")]
            }
        ])
        await screen.refresh()
        var opened: [URL] = []
        screen.ui.linkOpener = LinkOpener(
            inApp: { opened.append($0) },
            systemBrowser: { opened.append($0) },
            app: { opened.append($0) }
        )
        let card = screen.ui.state.cards[0]
        screen.listener.removeAll()
        try await card.interact()
        #expect(screen.listener.calls == ["interacted a Card clicked https://example.com/a"])
        #expect(opened.map(\.absoluteString) == ["https://example.com/a"])
        #expect(try await eventually { card.isRead })
        screen.listener.handlesLinks = true
        try await card.interact(card.card.buttons[0])
        #expect(screen.listener.calls.last == "interacted a go myapp://go")
        #expect(opened.count == 1)
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.type) == [.clicked, .clicked])
        #expect(screen.server.events.map(\.action) == ["Card clicked", "go"])
    }

    @Test func `the window of a card opens its link if the app doesn't`() async throws {
        let screen = try await Screen([
            message("a") {
                $0.link = "https://example.com/a"
                $0.actions = [MessageAction(id: "go", text: "Go", link: "myapp://go")]
            }
        ])
        await screen.refresh()
        let opened = Locked<[String]>([])
        func opener(_ name: String) -> LinkOpener {
            let open: LinkOpener.URLHandler = { url in opened.withLock { $0.append("\(name) \(url)") } }
            return LinkOpener(inApp: open, systemBrowser: open, app: open)
        }
        let card = screen.ui.state.cards[0]
        try await card.interact(opener: opener("first"))
        try await card.interact(card.card.buttons[0], opener: opener("second"))
        screen.ui.linkOpener = opener("app")
        try await card.interact(opener: opener("first"))
        #expect(
            opened.withLock { $0 } == ["first https://example.com/a", "second myapp://go", "app https://example.com/a"]
        )
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd"])
    func `a link that runs code is never opened`(_ link: String) async throws {
        let screen = try await Screen([message("a") { $0.link = link }])
        await screen.refresh()
        var opened = 0
        screen.ui.linkOpener = LinkOpener(
            inApp: { _ in opened += 1 },
            systemBrowser: { _ in opened += 1 },
            app: { _ in opened += 1 }
        )
        try await screen.ui.state.cards[0].interact()
        #expect(opened == 0)
    }

    @Test func `a dismissal that can't be stored leaves the card in place`() async throws {
        struct DiskFull: Error {}
        let isFull = Locked(false)
        let server = ScriptedServer(person: "alice")
        server.deliver(message("a"))
        let directory = FileManager.default.temporaryDirectory.appending(path: "inbox-full-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = InboxConfiguration()
        configuration.clock = ManualClock()
        configuration.transport = server.transport
        configuration.isLive = false
        configuration.writeHook = { _ in if isFull.withLock({ $0 }) { throw DiskFull() } }
        let url = try #require(URL(string: "https://inbox.example"))
        let inbox = try await Inbox.open(
            server: url,
            person: server.person,
            directory: directory,
            configuration: configuration
        ) { "token" }
        let ui = InboxUI(surface: AdobeDevice.surface, inbox: inbox)
        await ui.refreshed()
        let card = try #require(ui.state.cards.first)
        isFull.withLock { $0 = true }
        await #expect(throws: (any Error).self) { try await card.dismiss() }
        isFull.withLock { $0 = false }
        #expect(try await eventually { ui.state.cards.map(\.id) == ["a"] })
        await inbox.close()
    }

    @Test func `a dismissed card is removed at once, on the device and on the server`() async throws {
        let screen = try await Screen([message("a"), message("b", minutesAgo: 2)])
        await screen.refresh()
        screen.listener.removeAll()
        let card = screen.ui.state.cards[0]
        async let done: Void = card.dismiss()
        try await done
        #expect(screen.ids == ["b"])
        #expect(screen.listener.calls == ["dismissed a"])
        await screen.refresh()
        #expect(screen.ids == ["b"])
        #expect(screen.server.events.map(\.type) == [.dismissed])
        #expect(screen.server.messages.first { $0.id == "a" }?.deletedAt != nil)
        // An undo restores it.
        try await screen.inbox.undelete(["a"])
        #expect(try await eventually { screen.ids == ["a", "b"] })
    }

    @Test func `reading a card marks every message of its activity read`() async throws {
        let screen = try await Screen([
            message("a") { $0.additionalData["activityId"] = "spring" },
            message("b", minutesAgo: 2) { $0.additionalData["activityId"] = "spring" },
            message("c", minutesAgo: 3) { $0.additionalData["activityId"] = "" },
            message("d", minutesAgo: 4) { $0.additionalData["activityId"] = "" },
        ])
        await screen.refresh()
        try await screen.ui.state.cards[0].interact()
        #expect(try await eventually { screen.ui.state.cards[1].isRead })
        try await screen.ui.state.cards[2].interact()
        #expect(try await eventually { screen.ui.state.cards[2].isRead })
        #expect(!screen.ui.state.cards[3].isRead)
        // A later message of the activity is read as well.
        screen.server.deliver(message("e", minutesAgo: 0) { $0.additionalData["activityId"] = "spring" })
        await screen.refresh()
        #expect(screen.ui.state.cards[0].id == "e")
        #expect(try await eventually { try await screen.inbox.message(id: "e")?.readAt != nil })
        #expect(screen.ui.state.cards[0].isRead)
    }

    @Test func `a later message of a read activity is read, also if it was read elsewhere`() async throws {
        func of(_ activity: String) -> (inout Message) -> Void { { $0.additionalData["activityId"] = activity } }
        let screen = try await Screen(
            [
                message("a", surface: "offers", of("elsewhere")), message("b"), message("c", minutesAgo: 2),
                message("d", minutesAgo: 3, of("beyond")), message("e", minutesAgo: 4, of("gone")),
                message("f", minutesAgo: 5, of("unread")),
            ],
            settings: InboxSettings(capacity: 2)
        )
        await screen.refresh()
        #expect(screen.ids == ["b", "c"])
        try await screen.inbox.markRead(["a", "d", "e"])
        try await screen.inbox.dismiss(["e"])
        screen.server.deliver(message("a2", minutesAgo: 0.5, of("elsewhere")))
        screen.server.deliver(message("d2", minutesAgo: 0.4, of("beyond")))
        await screen.refresh()
        #expect(screen.ids == ["d2", "a2"])
        #expect(try await eventually { screen.ui.state.cards.allSatisfy(\.isRead) })
        screen.server.deliver(message("e2", minutesAgo: 0.3, of("gone")))
        screen.server.deliver(message("f2", minutesAgo: 0.2, of("unread")))
        await screen.refresh()
        #expect(screen.ids == ["f2", "e2"])
        #expect(try await eventually { screen.ui.state.cards[1].isRead })
        #expect(!screen.ui.state.cards[0].isRead)
        #expect(try await screen.inbox.message(id: "e2")?.readAt != nil)
    }
}

/// A customizer that changes each card's title, and its time if one is given, and records the cards.
@MainActor
private final class Customizer: CardCustomizing {
    private(set) var seen: [Card] = []
    private let time: String?

    init(time: String? = nil) { self.time = time }

    func customize(_ card: inout Card) {
        seen.append(card)
        card.title?.content = "Customized"
        if let time { card.time?.text.content = time }
    }
}
