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

/// A message's HTML on screen: what is shown, and what changes around it.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageHTMLTests {
    private static let narrow = HTMLViewport(width: 400)

    private func html(_ id: String, _ html: String) -> Message { message(id) { $0.html = html } }

    private func model(
        _ screen: Screen,
        _ id: String = "a",
        source: MessageHTMLSource = .withoutPictures()
    ) -> MessageHTMLModel {
        MessageHTMLModel(id, in: screen.inbox, source: source, texts: CardTexts(.english))
    }

    private func markup(_ model: MessageHTMLModel) -> String { model.state.page?.document.markup ?? "" }

    @Test func `a message is loading until it and its view are known`() async throws {
        let screen = try await Screen([html("a", "<p onclick=no()>Hello")], syncsFirst: true)
        let model = model(screen)
        guard case .loading = model.state else { throw Unexpected("not loading") }
        #expect(try await eventually { model.message != nil })
        guard case .loading = model.state else { throw Unexpected("not loading without a view") }
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page != nil })
        #expect(markup(model).contains("<p>Hello</p>") && !markup(model).contains("no()"))
        #expect(model.state.page?.title == "Title a")
    }

    @Test func `a truncated message ends with a note`() async throws {
        let long = "<p>" + String(repeating: "Hello ", count: 180_000)
        for (text, isNoted) in [("<p>Hello", false), (long, true)] {
            let screen = try await Screen([html("a", text)], syncsFirst: true)
            let model = model(screen)
            model.show(in: Self.narrow)
            #expect(try await eventually { model.state.page != nil })
            let note = "The message is longer than what is shown here.</p></body>"
            #expect(markup(model).contains(note) == isNoted)
        }
    }

    @Test func `a message without a title has one for screen readers`() async throws {
        let screen = try await Screen(
            [
                message("a") {
                    $0.html = "<p>Hello"
                    $0.title = ""
                }
            ],
            syncsFirst: true
        )
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page?.title == "Message" })
    }

    @Test func `a message without HTML has the state withoutHTML`() async throws {
        let screen = try await Screen([message("a")], syncsFirst: true)
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { if case .withoutHTML = model.state { true } else { false } })
        #expect(model.message?.body == "Body")
    }

    @Test func `a rotation, a dark view and another text size make the page again`() async throws {
        let screen = try await Screen(
            [
                html(
                    "a",
                    """
                    <style>@media (max-width: 500px) { p { color: red } } @media (prefers-color-scheme: dark) { b { \
                    color: blue } }</style><p>Hello <b>you</b>
                    """
                )
            ],
            syncsFirst: true
        )
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { markup(model).contains("<p style=\"color: red\">") })
        model.show(in: HTMLViewport(width: 800))
        #expect(try await eventually { markup(model).contains("<p>") && !markup(model).contains("blue") })
        model.show(in: HTMLViewport(width: 800, isDark: true))
        #expect(try await eventually { markup(model).contains("<b style=\"color: blue\">") })
        model.show(in: HTMLViewport(width: 800, isDark: true, textScale: 2))
        #expect(try await eventually { markup(model).contains("text-size-adjust:200%") })
    }

    @Test func `the sender changes the message while it is shown`() async throws {
        let screen = try await Screen([html("a", "<p>First")], syncsFirst: true)
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { markup(model).contains("First") })
        screen.server.deliver(html("a", "<p>Second"))
        try await screen.inbox.sync()
        #expect(try await eventually { markup(model).contains("Second") })
        screen.server.deliver(
            message("a") {
                $0.html = "<p>Second"
                $0.title = "New"
            }
        )
        try await screen.inbox.sync()
        #expect(try await eventually { model.state.page?.title == "New" })
    }

    @Test func `reading the message doesn't clean it again`() async throws {
        let count = Locked(0)
        let source = MessageHTMLSource { message, _, _ in
            count.withLock { $0 += 1 }
            return MessageHTMLSource.Content(html: HTMLCleaner().clean(message.html ?? ""))
        }
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let model = model(screen, source: source)
        model.show(in: Self.narrow)
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page != nil })
        try await screen.inbox.markRead("a")
        #expect(try await eventually { model.message?.isUnread == false })
        #expect(count.withLock { $0 } == 1)
        // A text of the sender's that comes later is the second one.
        screen.server.deliver(html("a", "<p>Goodbye"))
        try await screen.inbox.sync()
        #expect(try await eventually { markup(model).contains("<p>Goodbye") })
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a message that is deleted or recalled while it is shown is gone`() async throws {
        let screen = try await Screen([html("a", "<p>Hello"), html("b", "<p>Bye")], syncsFirst: true)
        let (one, other) = (model(screen, "a"), model(screen, "b"))
        for model in [one, other] { model.show(in: Self.narrow) }
        #expect(try await eventually { one.state.page != nil && other.state.page != nil })
        try await screen.inbox.dismiss("a")
        #expect(try await eventually { if case .gone = one.state { true } else { false } })
        #expect(one.message == nil && other.state.page != nil)
        screen.server.recall("b")
        try await screen.inbox.sync()
        #expect(try await eventually { if case .gone = other.state { true } else { false } })
        // Another view doesn't bring it back.
        other.show(in: HTMLViewport(width: 800))
        other.retry()
        guard case .gone = other.state else { throw Unexpected("not gone") }
    }

    @Test func `an archived message is shown`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        try await screen.inbox.archive("a")
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page != nil })
    }

    @Test func `a message that the device doesn't know is fetched`() async throws {
        let screen = try await Screen([], syncsFirst: true)
        screen.server.deliver(html("a", "<p>Hello"))
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page != nil })
        let nothing = self.model(screen, "nothing")
        nothing.show(in: Self.narrow)
        #expect(try await eventually { if case .gone = nothing.state { true } else { false } })
    }

    @Test func `offline, a stored message is shown, and an unknown one fails until a retry`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], isOffline: true, syncsFirst: true)
        let (stored, unknown) = (model(screen, "a"), model(screen, "b"))
        for model in [stored, unknown] { model.show(in: Self.narrow) }
        #expect(try await eventually { stored.state.page != nil })
        #expect(try await eventually { if case .failed = unknown.state { true } else { false } })
        screen.server.deliver(html("b", "<p>Later"))
        screen.device.reconnect()
        unknown.retry()
        guard case .loading = unknown.state else { throw Unexpected("not loading") }
        #expect(try await eventually { markup(unknown).contains("Later") })
    }

    @Test func `closing the inbox hides the message`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let model = model(screen)
        model.show(in: Self.narrow)
        #expect(try await eventually { model.state.page != nil })
        await screen.inbox.close()
        #expect(try await eventually { if case .failed = model.state { true } else { false } })
        #expect(model.message == nil)
    }

    @Test func `a message is shown without its pictures first`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let gate = Gate()
        let source = MessageHTMLSource { _, _, fetches in
            if fetches { await gate.wait() }
            let html = HTMLCleaner().clean(fetches ? "<p>With pictures" : "<p>Without pictures")
            return MessageHTMLSource.Content(html: html, missingPictureCount: fetches ? 0 : 1)
        }
        let model = model(screen, source: source)
        model.show(in: Self.narrow)
        #expect(try await eventually { markup(model).contains("Without pictures") })
        await gate.open()
        #expect(try await eventually { markup(model).contains("With pictures") })
    }

    @Test func `pictures that can't be fetched leave the message as it is`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let fetches = Locked(0)
        let source = MessageHTMLSource { message, _, isFetching in
            if isFetching {
                fetches.withLock { $0 += 1 }
                throw Unexpected("no network")
            }
            return .init(html: HTMLCleaner().clean(message.html ?? ""), missingPictureCount: 1)
        }
        let model = model(screen, source: source)
        model.show(in: Self.narrow)
        #expect(try await eventually { fetches.withLock { $0 } == 1 })
        try await screen.settle(model)
        #expect(markup(model).contains("<p>Hello</p>"))
    }

    @Test func `a late answer for another view isn't shown`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let gate = Gate()
        let source = MessageHTMLSource { _, medium, _ in
            if medium.width == 400 { await gate.wait() }
            return .init(html: HTMLCleaner().clean("<p>\(medium.width)"))
        }
        let model = model(screen, source: source)
        #expect(try await eventually { model.message != nil })
        model.show(in: Self.narrow)
        model.show(in: HTMLViewport(width: 800))
        #expect(try await eventually { markup(model).contains("<p>800</p>") })
        await gate.open()
        try await screen.settle(model)
        #expect(markup(model).contains("<p>800</p>"))
    }

    @Test func `a failure to clean is shown, and a retry cleans again`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        let fails = Locked(true)
        let source = MessageHTMLSource { message, _, _ in
            if fails.withLock({ $0 }) { throw Unexpected("no") }
            return .init(html: HTMLCleaner().clean(message.html ?? ""))
        }
        let model = model(screen, source: source)
        model.show(in: Self.narrow)
        #expect(try await eventually { if case .failed = model.state { true } else { false } })
        fails.withLock { $0 = false }
        model.retry()
        #expect(try await eventually { model.state.page != nil })
        // A view that can't show the document.
        model.fail(Unexpected("WebKit"))
        guard case .failed = model.state else { throw Unexpected("no failure") }
        model.retry()
        #expect(try await eventually { model.state.page != nil })
    }

    @Test func `a released model is deallocated while a page is shown`() async throws {
        let screen = try await Screen([html("a", "<p>Hello")], syncsFirst: true)
        weak var gone: MessageHTMLModel?
        do {
            let model = model(screen)
            model.show(in: Self.narrow)
            #expect(try await eventually { model.state.page != nil })
            gone = model
        }
        #expect(try await eventually { gone == nil })
    }

    @Test func `a click is tracked, reads the message and opens the link`() async throws {
        let screen = try await Screen([html("a", "<a href='https://example.com/a'>Read</a>")], syncsFirst: true)
        let model = model(screen)
        var opened: [URL] = []
        model.linkOpener = LinkOpener(
            inApp: { opened.append($0) },
            systemBrowser: { opened.append($0) },
            app: { opened.append($0) }
        )
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        try await model.clicked("https://example.com/a")
        try await model.clicked("https://example.com/other")
        #expect(opened.map(\.absoluteString) == ["https://example.com/a"])
        try await screen.inbox.sync()
        #expect(screen.server.events.map(\.type) == [.clicked])
        #expect(try await screen.inbox.message(id: "a")?.readAt != nil)
    }
}

/// A message's HTML with the inbox's pictures.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageHTMLPictureTests {
    private nonisolated static let gif = Array("GIF89a, a picture".utf8)

    @Test func `a message is shown at once, and its pictures follow`() async throws {
        let screen = try await Screen(
            [message("a") { $0.html = "<p>Hello</p><img src='https://cdn.example.com/a.gif' alt=shoe>" }],
            syncsFirst: true
        )
        let gate = Gate()
        screen.device.transport.answer { [server = screen.server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            await gate.wait()
            return TransportResponse(status: 200, body: Self.gif, url: request.url)
        }
        let model = MessageHTMLModel("a", in: screen.inbox)
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        #expect(model.state.page?.document.markup.contains("<p>Hello</p><img alt=\"shoe\">") == true)
        await gate.open()
        #expect(
            try await eventually { model.state.page?.document.markup.contains("data:image/gif;base64,") ?? false }
        )
        #expect(model.state.page?.document.markup.contains("cdn.example.com") == false)
    }

    @Test func `offline, a message has the text of its pictures`() async throws {
        let screen = try await Screen(
            [message("a") { $0.html = "<img src='https://cdn.example.com/a.gif' alt=shoe>" }],
            isOffline: true,
            syncsFirst: true
        )
        let model = MessageHTMLModel("a", in: screen.inbox)
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        #expect(model.state.page?.document.markup.contains("<img alt=\"shoe\">") == true)
        try await screen.settle(model)
        #expect(model.state.page != nil)
    }
}

extension Screen {
    /// Waits until a change of the message is known that is made now: what was under way has had its effect by then.
    fileprivate func settle(_ model: MessageHTMLModel) async throws {
        try await inbox.markRead(model.id)
        #expect(try await eventually { model.message?.isUnread == false })
    }
}
