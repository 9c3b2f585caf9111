import Eventually
import Foundation
import HTMLCleaning
import HTMLViews
import InboxCards
import InboxMail
import InboxMailViews
import Testing

/// A mail's body on screen: its parts, and what changes around it.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailBodyTests {
    @Test func `a mail is loading until its body and its view are known`() async throws {
        let screen = MailScreen(html: "<p>Hello")
        #expect(try await eventually { screen.log.all == ["body"] })
        guard case .loading = screen.model.state else {
            Issue.record("not loading")
            return
        }
        #expect(screen.log.count("load") == 0)
        try await screen.show()
        #expect(screen.markup().contains("<p>Hello</p>"))
        #expect(screen.markup().contains("<title>Lunch</title>"))
        #expect(screen.model.attachments.map(\.name) == ["menu.pdf"])
        #expect(!screen.model.isTruncated)
    }

    @Test func `quotations and signatures are folded below the author's own text`() async throws {
        let screen = MailScreen(
            html: "<p>Yes!</p><blockquote type=cite><p>Lunch?</p></blockquote><div class=gmail_signature>Ada</div>"
        )
        try await screen.show()
        let parts = screen.model.state.parts
        #expect(parts.map(\.kind) == [.own, .quoted, .signature])
        #expect(parts.map(\.isFolded) == [false, true, true])
        #expect(parts.map(\.canFold) == [false, true, true])
        screen.model.toggle(parts[1])
        screen.model.toggle(parts[0])
        #expect(screen.model.state.parts.map(\.isFolded) == [false, false, true])
        // They stay so in another view.
        try await screen.show(width: 500)
        #expect(try await eventually { screen.model.state.parts.map(\.isFolded) == [false, false, true] })
        screen.model.toggle(screen.model.state.parts[1])
        #expect(screen.model.state.parts.map(\.isFolded) == [false, true, true])
    }

    @Test func `a mail that is only a quotation isn't folded`() async throws {
        let screen = MailScreen(html: "<blockquote type=cite><p>Lunch?</p></blockquote>")
        try await screen.show()
        #expect(screen.model.state.parts.map(\.kind) == [.quoted])
        #expect(screen.model.state.parts.map(\.isFolded) == [false])
    }

    @Test func `a mail of text has parts with links`() async throws {
        let screen = MailScreen(text: "See https://example.com/menu today.\n\n> Lunch?\n-- \nAda")
        try await screen.show()
        let parts = screen.model.state.parts
        #expect(parts.map(\.kind) == [.own, .quoted, .signature])
        #expect(parts.map(\.isFolded) == [false, true, true])
        guard case .text(let text) = parts[0].content else {
            Issue.record("no text")
            return
        }
        #expect(String(text.characters).hasPrefix("See https://example.com/menu today."))
        #expect(text.runs.compactMap(\.link).map(\.absoluteString) == ["https://example.com/menu"])
        #expect(screen.log.count("load") == 0)
    }

    @Test func `a mail without text has no parts`() async throws {
        for screen in [MailScreen(text: " \n"), MailScreen(html: "<p> </p><img src='https://t.example/p' width=1>")] {
            try await screen.show()
            guard case .shown(let parts) = screen.model.state else { throw MailScreen.Failure() }
            #expect(parts.isEmpty)
        }
    }

    @Test func `a mail that is a picture has a part`() async throws {
        let screen = MailScreen(html: "<img src=cid:logo@x>")
        try await screen.show()
        #expect(screen.model.state.parts.count == 1)
    }

    @Test func `a truncated mail is marked as truncated`() async throws {
        let screen = MailScreen(html: "<p>Hello", isTruncated: true)
        try await screen.show()
        #expect(screen.model.isTruncated)
    }

    @Test func `a mail over the parser's limit is marked as truncated`() async throws {
        let long = "<p>" + String(repeating: "Hello ", count: 180_000)
        for (html, isTruncated) in [("<p>Hello", false), (long, true)] {
            let screen = MailScreen(html: html)
            try await screen.show()
            #expect(screen.model.isTruncated == isTruncated)
        }
    }

    @Test func `offline, a mail fails, and a retry shows it`() async throws {
        let screen = MailScreen(html: "<p>Hello")
        screen.log.isOffline = true
        let offline = MailBodyModel(
            MailScreen.message,
            pictures: MailPictureAccess(load: { _, _, _, _ in MailPictures() }, allow: nil)
        ) { [log = screen.log] in
            log.note("other")
            if log.isOffline { throw MailError(.notConnected, "no network") }
            return MailScreen.body(html: "<p>Hello", text: "", isTruncated: false)
        }
        offline.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { if case .failed = offline.state { true } else { false } })
        screen.log.isOffline = false
        offline.retry()
        guard case .loading = offline.state else {
            Issue.record("not loading")
            return
        }
        #expect(try await eventually { offline.state.parts.count == 1 })
        // What has succeeded isn't tried again.
        offline.retry()
        #expect(screen.log.count("other") == 2)
    }

    @Test func `a rotation, a dark view and another text size make the mail again`() async throws {
        let screen = MailScreen(
            html: """
                <style>@media (max-width: 500px) { p { color: red } } @media (prefers-color-scheme: dark) { b { color: \
                blue } }</style><p>Hello <b>you</b>
                """
        )
        try await screen.show(width: 400)
        #expect(try await eventually { screen.markup().contains("<p style=\"color: red\">") })
        try await screen.show(width: 800)
        #expect(try await eventually { !screen.markup().contains("red") && !screen.markup().contains("blue") })
        try await screen.show(width: 800, isDark: true)
        #expect(try await eventually { screen.markup().contains("<b style=\"color: blue\">") })
        let loads = screen.log.count("load")
        try await screen.show(width: 800, isDark: true, textScale: 2)
        #expect(try await eventually { screen.markup().contains("text-size-adjust:200%") })
        // The text size has nothing to do with pictures.
        #expect(screen.log.count("load") == loads)
    }

    @Test func `a view that can't show a document is a failure, and a retry makes it again`() async throws {
        let screen = MailScreen(html: "<p>Hello")
        try await screen.show()
        screen.model.fail(MailScreen.Failure())
        guard case .failed = screen.model.state else {
            Issue.record("no failure")
            return
        }
        screen.model.retry()
        #expect(try await eventually { screen.model.state.parts.count == 1 })
        #expect(screen.log.count("body") == 1)
    }

    @Test func `links of a part are opened, and nothing else`() async throws {
        let screen = MailScreen(
            html: """
                <p><a href="https://example.com/a">a</a><a href="mailto:ada@example.com">b</a>\
                <a href="app://offer">c</a></p><blockquote type=cite><a href="https://example.com/q">q</a></blockquote>
                """
        )
        try await screen.show()
        let parts = screen.model.state.parts
        for url in [
            "https://example.com/a", "mailto:ada@example.com", "app://offer", "javascript:alert(1)", "about:blank",
            "https://example.com/b", "file:///etc/passwd", "https://example.com/q",
        ] {
            screen.model.clicked(url, in: parts[0])
        }
        #expect(screen.opened == ["https://example.com/a", "mailto:ada@example.com"])
        screen.model.clicked("https://example.com/q", in: parts[1])
        #expect(screen.opened.last == "https://example.com/q")
    }

    @Test func `a released model is deallocated`() async throws {
        weak var gone: MailBodyModel?
        let screen = MailScreen(html: "<p>Hello")
        do {
            let model = MailBodyModel(
                MailScreen.message,
                pictures: MailPictureAccess(load: { _, _, _, _ in MailPictures() }, allow: nil)
            ) { MailScreen.body(html: "<p>Hello", text: "", isTruncated: false) }
            model.show(in: HTMLViewport(width: 400))
            gone = model
            #expect(try await eventually { model.state.parts.count == 1 })
        }
        #expect(try await eventually { gone == nil })
        #expect(screen.log.count("load") == 0)
    }
}
