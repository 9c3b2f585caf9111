import Foundation
import InboxCards
import InboxHTML
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct CardHTMLTests {
    private let now = Date(timeIntervalSince1970: 1_777_593_600)

    private func html(_ change: (inout Message) -> Void, dismiss: String? = "/dismiss") -> (body: String, css: String) {
        var message = Message(id: "m", title: "Title", body: "Body", deliverAt: now.addingTimeInterval(-7_200))
        change(&message)
        let context = CardContext(
            relativeTime: RelativeTime(texts: CardTexts(.english), timeZone: .gmt),
            now: now
        )
        var drawing = CardHTML(
            addresses: CardAddresses(
                open: CardAddresses.direct.open,
                button: CardAddresses.direct.button,
                dismiss: { _ in dismiss.map { CardAddress($0) } }
            )
        )
        drawing.draw(Card(message, in: context))
        return (String(decoding: drawing.writer.bytes, as: UTF8.self), drawing.sheet.css)
    }

    @Test func `a card is an article with a heading, a time and a label`() {
        let (body, _) = html { _ in }
        #expect(body.hasPrefix("<article "))
        #expect(body.contains("<h2 "))
        #expect(body.contains("<time datetime=\"2026-04-30T22:00:00Z\""))
        #expect(body.contains(">2 hours ago</time>"))
        #expect(body.contains("aria-label=\"Unread, Title, Body, 2 hours ago\""))
        #expect(body.contains("<button"))
        #expect(body.contains("aria-label=\"Dismiss: Title\" title=\"Dismiss\""))
    }

    @Test func `a dismiss button is named after its card, shortly`() {
        func label(_ change: (inout Message) -> Void) -> String? {
            html(change).body.firstMatch(of: /aria-label="(Dismiss[^"]*)"/).map { String($0.1) }
        }
        let long = String(repeating: "a", count: 1_000)
        #expect(label { ($0.title, $0.body) = ("", "Dear Ann,\nhow are you?") } == "Dismiss: Dear Ann,")
        #expect(label { $0.title = long } == "Dismiss: \(long.prefix(79))…")
        let picture = Media(url: "https://e.com/a.png", alt: "A cat")
        #expect(label { ($0.title, $0.body, $0.media) = ("", "", picture) } == "Dismiss: A cat")
        #expect(label { ($0.title, $0.body, $0.media) = ("", "", Media(url: picture.url)) } == "Dismiss")
    }

    @Test(arguments: CardTemplate.allCases, [0, 1, 2, 3, 4, 5, 6, 7])
    func `every card has one link to its message, with a name`(_ template: CardTemplate, _ parts: Int) throws {
        let address = "https://e.com/a.png"
        let media = [Media(url: address), Media(icon: "tray"), Media(url: address, alt: "A")]
        for picture in media {
            let (body, _) = html {
                $0.templateID = template.rawValue
                $0.link = "https://example.com/"
                if parts & 1 == 0 { $0.title = "" }
                if parts & 2 == 0 { $0.body = "" }
                if parts & 4 != 0 { $0.media = picture }
            }
            let links = body.matches(of: /<a class="ib-open"([^>]*)>(.*?)<\/a>/)
            #expect(links.count == 1)
            let link = try #require(links.first)
            let words = link.2.replacing(/<[^>]*>/, with: "")
            #expect(!words.isEmpty || link.1.contains("aria-label=\"Unread") || link.2.contains("alt=\"A\""))
        }
    }

    @Test func `the first of heading, picture and text links to the message`() {
        func link(_ title: String, _ text: String, _ media: Media?) -> String {
            let (body, _) = html {
                ($0.title, $0.body, $0.media, $0.link) = (title, text, media, "https://example.com/")
            }
            return body.firstMatch(of: /<a class="ib-open"[^>]*>(.*?)<\/a>/).map { String($0.1) } ?? ""
        }
        let picture = Media(url: "https://e.com/a.png", alt: "A map")
        #expect(link("Title", "Body", picture) == "Title")
        #expect(link("", "Body", picture).contains("<img"))
        #expect(link("", "Body", nil) == "Body")
        #expect(link("", "Body", Media(icon: "tray")) == "Body")
    }

    @Test func `a link without text has the card's label`() {
        for media in [Media(url: "https://e.com/a.png"), Media(bundle: "map"), Media(icon: "tray")] {
            let (body, _) = html { ($0.title, $0.body, $0.media, $0.link) = ("", "", media, "https://example.com/") }
            #expect(body.contains("aria-label=\"Unread, Message\" rel="), "\(media)")
        }
    }

    @Test func `invisible texts name neither a link nor a button`() {
        let picture = Media(url: "https://e.com/a.png", alt: " ")
        let (body, _) = html {
            ($0.title, $0.body, $0.media, $0.link) = (" ", "\u{200B}", picture, "https://example.com/")
            $0.templateID = "SmallImage"
            $0.actions = [MessageAction(id: "a", text: " ", link: "https://e.com/3")]
        }
        #expect(body.contains("aria-label=\"Unread, Message\" rel="))
        let (buttons, _) = html { $0.actions = [MessageAction(id: "a", text: " ", link: "https://e.com/3")] }
        #expect(buttons.contains(">e.com</a>"))
    }

    @Test func `a card has the beginning of a long text, and its label has less of it`() throws {
        let long = String(repeating: "é ", count: 30_000)
        let (body, _) = html { ($0.title, $0.body) = (long, long) }
        #expect(body.utf8.count < 8_000)
        #expect(body.contains("é…</h2>") && body.contains("é…</p>"))
        let label = try #require(body.firstMatch(of: /aria-label="([^"]*)"/)).1
        #expect(label.utf8.count < 1_100)
        // A character of any length isn't cut.
        let marks = String(repeating: "\u{301}", count: 10_000)
        #expect(html { $0.body = "ab" + marks }.body.contains(">a…</p>"))
        #expect(html { $0.body = String(repeating: "a", count: 2_000) }.body.contains("aaa</p>"))
    }

    @Test func `no script and no style is inline`() {
        let (body, _) = html { $0.actions = [MessageAction(id: "a", text: "Go", link: "https://example.com/")] }
        #expect(!body.contains("style="))
        #expect(!body.contains("<script"))
        #expect(body.firstMatch(of: /\son[a-z]+=/) == nil)
    }

    @Test func `hostile text stays text`() {
        let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>"
        let (body, css) = html {
            ($0.id, $0.title, $0.body, $0.category) = (hostile, hostile, hostile, hostile)
            $0.media = Media(url: "https://example.com/a.png", alt: hostile)
            $0.actions = [MessageAction(id: hostile, text: hostile, link: "https://example.com/")]
        }
        #expect(!body.contains("<script") && !body.contains("<img src=x"))
        #expect(!css.contains("script"))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", " https://example.com/", "vbscript:x", "file:///etc/passwd",
    ])
    func `a link that isn't allowed on a page is dropped`(_ link: String) {
        let (body, _) = html {
            $0.link = link
            $0.actions = [MessageAction(id: "a", text: "Go", link: link)]
            $0.media = Media(url: link, darkURL: link)
        }
        #expect(!body.contains("href="))
        #expect(!body.contains("src="))
    }

    /// A page may contain a deep link, but no picture that isn't on the web.
    @Test(arguments: [
        "ftp://example.com/a.png", "shop://pictures/a.png", "blob:a", "content://a.png", "//example.com/a.png", "a.png",
    ])
    func `a picture that isn't on the web is a placeholder`(_ address: String) {
        let (body, css) = html { $0.media = Media(url: address, darkURL: address, alt: "A map") }
        #expect(!body.contains(address) && !css.contains(address))
        #expect(body.contains("ib-placeholder"))
        let dark = html { $0.media = Media(url: "https://e.com/a.png", darkURL: address) }.body
        #expect(dark.contains("src=\"https://e.com/a.png\"") && !dark.contains("srcset="))
    }

    @Test func `an app's bundled picture is a placeholder with its description, or nothing`() {
        #expect(
            html { $0.media = Media(bundle: "map", alt: "A map") }.body.contains("ib-placeholder")
        )
        #expect(!html { $0.media = Media(bundle: "map") }.body.contains("ib-placeholder"))
    }

    @Test func `a dark picture is for dark color schemes`() {
        let (body, _) = html { $0.media = Media(url: "https://e.com/a.png", darkURL: "https://e.com/b.png", alt: "A") }
        // Paper is light.
        let media = "media=\"screen and (prefers-color-scheme: dark)\""
        #expect(body.contains("<source \(media) srcset=\"https://e.com/b.png\">"))
        #expect(body.contains("src=\"https://e.com/a.png\" alt=\"A\""))
    }

    @Test func `each style has one rule for any number of cards`() {
        let context = CardContext(relativeTime: RelativeTime(texts: CardTexts(.english), timeZone: .gmt), now: now)
        var drawing = CardHTML(addresses: .direct)
        drawing.draw(Card(Message(id: "a", title: "A", deliverAt: now), in: context))
        let one = drawing.sheet.css
        for number in 0..<20 { drawing.draw(Card(Message(id: "\(number)", title: "B", deliverAt: now), in: context)) }
        #expect(drawing.sheet.css == one)
        #expect(one.contains("font-size:0.9375rem;font-weight:500"))
        #expect(one.contains("text-align:-webkit-match-parent;text-align:match-parent"))
        #expect(one.contains("--ib-radius:0.75rem;border-radius:var(--ib-radius);"))
        #expect(one.contains("light-dark(#1c1c1e,#f5f5f7)"))
    }

    @Test func `a card without dismissal has no form`() {
        #expect(!html({ _ in }, dismiss: nil).body.contains("<form"))
    }
}
