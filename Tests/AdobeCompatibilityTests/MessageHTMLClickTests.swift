import AdobeCompatibility
import Eventually
import Foundation
import Groundwork
import HTMLCleaning
import HTMLViews
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// Clicks in a message's HTML.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageHTMLClickTests {
    /// A message on screen whose links a test clicks.
    @MainActor
    private final class Shown {
        let screen: Screen
        let model: MessageHTMLModel
        var opened: [LinkDestination] = []
        var closed = 0

        init(
            _ html: String,
            source: MessageHTMLSource = .withoutPictures(),
            _ change: (inout Message) -> Void = { _ in }
        ) async throws {
            screen = try await Screen([
                message("a") {
                    $0.html = html
                    change(&$0)
                }
            ])
            await screen.refresh()
            model = MessageHTMLModel("a", in: screen.inbox, inboxUI: screen.ui, source: source)
            model.linkOpener = LinkOpener(
                inApp: { [weak self] in self?.opened.append(.inApp($0)) },
                systemBrowser: { [weak self] in self?.opened.append(.systemBrowser($0)) },
                app: { [weak self] in self?.opened.append(.app($0)) }
            )
            model.close = { [weak self] in self?.closed += 1 }
            model.show(in: HTMLViewport(width: 400))
            _ = try await eventually { self.model.state.page != nil }
            screen.listener.removeAll()
        }

        /// The events that the server has received.
        func events() async throws -> [MessageEvent] {
            try await screen.inbox.sync()
            return screen.server.events
        }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a click is tracked, reads the message, calls the listener and opens the link`() async throws {
        let shown = try await Shown("<a href='https://example.com/a?b=1'>Read <b>more</b></a>")
        try await shown.model.clicked("https://example.com/a?b=1")
        #expect(shown.opened == [.systemBrowser(try url("https://example.com/a?b=1"))])
        #expect(
            shown.screen.listener.calls
                == ["interacted a https://example.com/a?b=1 https://example.com/a?b=1"]
        )
        #expect(try await eventually { shown.model.message?.isUnread == false })
        let events = try await shown.events()
        #expect(events.map(\.type) == [.clicked] && events.map(\.message) == ["a"])
        #expect(events[0].data == ["url": .string("https://example.com/a?b=1"), "cta": .string("Read more")])
    }

    @Test func `a link that the listener handles isn't opened`() async throws {
        let shown = try await Shown("<a href='https://example.com/a'>a</a>")
        shown.screen.listener.handlesLinks = true
        try await shown.model.clicked("https://example.com/a")
        #expect(shown.opened.isEmpty)
        #expect(try await shown.events().count == 1)
    }

    @Test func `data-link comes before href, and other schemes are the app's`() async throws {
        let shown = try await Shown(
            """
            <a href="https://example.com/x" data-link="app://offer">Offer</a><div data-link="https://example.com/d">D\
            </div><a href="tel:+15550100">Call</a><a href="mailto:ada@example.com">Write</a>
            """
        )
        for address in [
            "https://example.com/x", "app://offer", "https://example.com/d", "tel:+15550100", "mailto:ada@example.com",
        ] {
            try await shown.model.clicked(address)
        }
        #expect(
            try shown.opened == [
                .app(url("app://offer")), .systemBrowser(url("https://example.com/d")), .app(url("tel:+15550100")),
                .app(url("mailto:ada@example.com")),
            ]
        )
        #expect(try await shown.events().count == 4)
    }

    @Test(arguments: [
        "https://example.com/b", "http://example.com/a", "https://example.com/a?x", "javascript:alert(1)",
        "file:///etc/passwd", "data:text/html,x", "about:blank", "app://a", "",
    ])
    func `an address that the message doesn't have does nothing`(_ address: String) async throws {
        let shown = try await Shown("<a href='https://example.com/a'>a</a><a href='javascript:alert(1)'>b</a>")
        try await shown.model.clicked(address)
        #expect(shown.opened.isEmpty && shown.screen.listener.calls.isEmpty && shown.closed == 0)
        #expect(try await shown.events().isEmpty)
    }

    @Test func `a close button closes the screen and tracks nothing`() async throws {
        let closing = HTMLCleaner.Options.CloseButtons.linked(to: "inbox:close", addsDefault: false)
        let shown = try await Shown(
            "<p>Hello</p><button data-actiontype=close>Close</button>",
            source: .withoutPictures(closeButtons: closing)
        )
        try await shown.model.clicked("inbox:close")
        #expect(shown.closed == 1 && shown.opened.isEmpty)
        #expect(try await shown.events().isEmpty)
        // In an inbox they are removed, unless the app wants them.
        let inboxes = try await Shown("<p>Hello</p><button data-actiontype=close>Close</button>")
        #expect(inboxes.model.state.page?.document.markup.contains("Close") == false)
    }

    @Test func `without consent, only a link that forces tracking is tracked`() async throws {
        let shown = try await Shown(
            "<a href='https://example.com/a'>a</a><a href='https://example.com/b?xnpe_force_track=true'>b</a>"
        ) {
            $0.consentCategory = "news"
        }
        try await shown.model.clicked("https://example.com/a")
        #expect(try await shown.events().isEmpty)
        try await shown.model.clicked("https://example.com/b?xnpe_force_track=true")
        let events = try await shown.events()
        #expect(events.count == 1 && events.first?.data[MessageEvent.forcedKey] == .bool(true))
        #expect(shown.opened.count == 2)
    }

    @Test func `a link that is longer than an event is opened, and left out of the event`() async throws {
        let address = "https://example.com/" + String(repeating: "a", count: 3_000)
        let shown = try await Shown("<a href='\(address)'>a</a>")
        try await shown.model.clicked(address)
        #expect(shown.opened.count == 1)
        let events = try await shown.events()
        #expect(events.map(\.data) == [["cta": .string("a")]])
    }

    @Test func `a click in a message that is gone does nothing`() async throws {
        let shown = try await Shown("<a href='https://example.com/a'>a</a>")
        try await shown.screen.inbox.dismiss("a")
        #expect(try await eventually { if case .gone = shown.model.state { true } else { false } })
        try await shown.model.clicked("https://example.com/a")
        #expect(shown.opened.isEmpty)
    }

    @Test func `a click reads the other messages of the activity`() async throws {
        let screen = try await Screen([
            message("a") {
                $0.html = "<a href='https://example.com/a'>a</a>"
                $0.additionalData["activityId"] = "spring"
            }, message("b", minutesAgo: 2) { $0.additionalData["activityId"] = "spring" },
        ])
        await screen.refresh()
        let model = MessageHTMLModel("a", in: screen.inbox, inboxUI: screen.ui)
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        try await model.clicked("https://example.com/a")
        #expect(try await eventually { try await screen.inbox.message(id: "b")?.readAt != nil })
    }

    @Test func `the link is opened even if the click can't be stored`() async throws {
        struct DiskFull: Error {}
        let isFull = Locked(false)
        let server = ScriptedServer(person: "alice")
        server.deliver(message("a") { $0.html = "<a href='https://example.com/a'>a</a>" })
        let directory = FileManager.default.temporaryDirectory.appending(path: "inbox-full-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = InboxConfiguration()
        configuration.clock = ManualClock()
        configuration.transport = server.transport
        configuration.isLive = false
        configuration.writeHook = { _ in if isFull.withLock({ $0 }) { throw DiskFull() } }
        let inbox = try await Inbox.open(
            server: url("https://inbox.example"),
            person: server.person,
            directory: directory,
            configuration: configuration
        ) { "token" }
        try await inbox.sync()
        let model = MessageHTMLModel("a", in: inbox)
        var opened: [URL] = []
        model.linkOpener = LinkOpener(
            inApp: { opened.append($0) },
            systemBrowser: { opened.append($0) },
            app: { opened.append($0) }
        )
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        isFull.withLock { $0 = true }
        await #expect(throws: (any Error).self) { try await model.clicked("https://example.com/a") }
        #expect(opened == [try url("https://example.com/a")])
        await inbox.close()
    }
}
