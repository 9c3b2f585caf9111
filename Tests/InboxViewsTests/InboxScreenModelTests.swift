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

@Suite(.timeLimit(.minutes(5))) @MainActor
struct InboxScreenModelTests {
    private let device: ScreenDevice
    private let screen: InboxScreenModel
    private var inbox: Inbox { device.inbox }

    init() async throws {
        device = try await ScreenDevice(
            [
                message("a", minutesAgo: 1) { ($0.title, $0.body) = ("Your order", "Shoes are on their way") },
                message("b", minutesAgo: 2) { ($0.title, $0.body) = ("Café reçu", "Two cups of coffee") },
                message("c", minutesAgo: 3) { ($0.title, $0.isPinned) = ("Welcome", true) },
                message("d", minutesAgo: 4) { ($0.title, $0.body) = ("Order again", "The shoes you liked") },
            ],
            settings: nil,
            surface: "inbox"
        )
        try await device.inbox.sync()
        screen = InboxScreenModel(device.inbox, clock: device.clock)
        _ = try await eventually { [screen] in screen.list.state == .loaded }
    }

    private var ids: [String] { screen.messages.map(\.id) }

    @Test func `pinned messages are first in the inbox only`() async throws {
        #expect(ids == ["c", "a", "b", "d"])
        screen.searchText = "o"
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids == ["a", "b", "c", "d"] })
        screen.searchText = ""
        try await inbox.archive(["a", "c"])
        screen.tab = .archived
        #expect(try await eventually { ids == ["a", "c"] })
    }

    @Test func `each tab has its messages and its number`() async throws {
        try await inbox.archive("a")
        try await inbox.snooze("b", until: device.clock.now.addingTimeInterval(60))
        try await inbox.markRead("d")
        #expect(
            try await eventually { InboxScreenModel.Tab.allCases.map { screen.badge(of: $0) } == [1, 1, 1, 1] }
        )
        for (tab, expected) in [(InboxScreenModel.Tab.unread, ["c"]), (.snoozed, ["b"]), (.archived, ["a"])] {
            screen.tab = tab
            #expect(try await eventually { ids == expected }, "\(tab)")
        }
        try await inbox.markRead("c")
        #expect(try await eventually { screen.badge(of: .unread) == nil })
    }

    @Test func `a search finds each word in title or body, without case and accents`() async throws {
        screen.searchText = "shoes ORDER"
        #expect(screen.isSearching)
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids == ["a", "d"] })
        screen.searchText = "cafe  recu "
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids == ["b"] })
        // One of two words isn't enough.
        screen.searchText = "shoes your"
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids == ["a"] })
        screen.searchText = "nowhere"
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids.isEmpty && screen.list.state == .loaded })
        screen.searchText = "  "
        #expect(!screen.isSearching)
        #expect(try await eventually { ids.count == 4 })
    }

    @Test func `a search waits for the end of typing`() async throws {
        let before = device.clock.sleeperCount
        for text in ["s", "sh", "shoes"] {
            screen.searchText = text
            #expect(try await eventually { device.clock.sleeperCount == before + 1 })
            device.clock.advance(by: InboxScreenModel.searchDelay * 0.6)
            // It still waits for its time.
            #expect(device.clock.sleeperCount == before + 1 && ids.count == 4)
        }
        device.clock.advance(by: InboxScreenModel.searchDelay)
        #expect(try await eventually { ids == ["a", "d"] })
    }

    @Test func `an action on the selection ends it, and is undone at once`() async throws {
        screen.beginSelection()
        screen.selection = ["a", "d", "unknown"]
        #expect(screen.selection == ["a", "d"])
        await screen.performOnSelection(.archive)
        #expect(!screen.isSelecting && screen.selection.isEmpty)
        #expect(try await eventually { ids == ["c", "b"] })
        await screen.actions.undo()
        #expect(try await eventually { ids == ["c", "a", "b", "d"] })
    }

    @Test func `a selection stays if its action fails`() async throws {
        let fails = Locked(false)
        let device = try await ScreenDevice([message("a"), message("b")], settings: nil, surface: "inbox") {
            $0.writeHook = { moment in
                if moment == .commits, fails.withLock({ $0 }) { throw Unexpected("no") }
            }
        }
        let screen = InboxScreenModel(device.inbox, clock: device.clock)
        await screen.list.refresh()
        #expect(try await eventually { screen.messages.count == 2 })
        screen.beginSelection()
        screen.selection = ["a"]
        fails.withLock { $0 = true }
        await screen.performOnSelection(.archive)
        #expect(screen.isSelecting && screen.selection == ["a"] && screen.actions.error != nil)
        fails.withLock { $0 = false }
        await screen.performOnSelection(.archive)
        #expect(!screen.isSelecting && screen.selection.isEmpty && screen.actions.error == nil)
    }

    @Test func `a selected message that leaves the list is no longer selected`() async throws {
        screen.selectAll()
        #expect(screen.selection.count == 4)
        try await inbox.delete("b")
        #expect(try await eventually { screen.selection == ["a", "c", "d"] })
        screen.tab = .archived
        #expect(!screen.isSelecting && screen.selection.isEmpty)
    }

    @Test func `an action without a selected message changes nothing`() async throws {
        screen.beginSelection()
        await screen.performOnSelection(.delete)
        #expect(screen.isSelecting && screen.actions.undoable == nil)
    }

    @Test func `the open message is closed when it leaves the tab`() async throws {
        screen.opened = "a"
        await screen.perform(.markRead, ["a"])
        await screen.perform(.archive, ["b"])
        #expect(screen.opened == "a")
        await screen.perform(.delete, ["a"])
        #expect(screen.opened == nil)
    }

    @Test func `marking all as read can be undone`() async throws {
        try await inbox.markRead("b")
        await screen.markAllRead()
        #expect(try await inbox.counts().unread == 0)
        #expect(Set(screen.actions.undoable?.ids ?? []) == ["a", "c", "d"])
        await screen.actions.undo()
        #expect(try await inbox.counts().unread == 3)
        await inbox.close()
        await screen.markAllRead()
        #expect(screen.actions.error?.code == .closed)
    }

    @Test func `times on cards advance without a new message`() async throws {
        let model = CardContextModel(inbox, texts: CardTexts(.english), timeZone: .gmt, clock: device.clock)
        let message = try #require(try await inbox.message(id: "a"))
        model.show([message])
        #expect(Card(message, in: model.context).time?.text.content == "1 minute ago")
        device.clock.advance(by: 60)
        #expect(try await eventually { Card(message, in: model.context).time?.text.content == "2 minutes ago" })
        device.clock.advance(by: 60)
        #expect(try await eventually { Card(message, in: model.context).time?.text.content == "3 minutes ago" })
        model.texts = CardTexts(.german)
        #expect(Card(message, in: model.context).time?.text.content == "vor 3 Minuten")
    }

    @Test func `a card that is shown later has the time of that moment`() async throws {
        let model = CardContextModel(inbox, clock: device.clock)
        let message = try #require(try await inbox.message(id: "a"))
        device.clock.advance(by: 600)
        model.show([message])
        #expect(model.context.now == device.clock.now)
    }

    @Test func `unreadable settings leave the earlier ones`() async throws {
        var settings = InboxSettings()
        settings.cardSpacing = 21
        device.server.setSettings(settings, surface: "inbox")
        try await inbox.sync()
        let model = CardContextModel(inbox, surface: "inbox", clock: device.clock)
        #expect(try await eventually { model.settings == settings })
        device.server.setSettings(json: ["cardSpacing": "wide"], surface: "inbox")
        try await inbox.sync()
        for await update in inbox.observeSettings(surface: "inbox") {
            if case .failure = update { break }
        }
        // What the list shows was written after them.
        try await inbox.markRead("a")
        #expect(try await eventually { screen.list.messages.first?.isUnread == false })
        #expect(model.settings == settings)
    }

    @Test func `a message that was on screen for a second is displayed, once a visit`() async throws {
        let tracker = DisplayTracker(inbox, clock: device.clock)
        tracker.show("a", share: 0.6)
        tracker.show("b", share: 0.4)
        device.clock.advance(by: 0.5)
        tracker.show("d", share: 1)
        device.clock.advance(by: 0.5)
        #expect(try await eventually { try await inbox.message(id: "a")?.seenAt != nil })
        tracker.endVisit()
        tracker.show("a", share: 1)
        device.clock.advance(by: 1)
        #expect(
            try await eventually {
                try await inbox.sync()
                return device.server.events.map(\.message) == ["a", "a"]
            }
        )
        #expect(try await inbox.message(id: "d")?.seenAt == nil)
    }
}
