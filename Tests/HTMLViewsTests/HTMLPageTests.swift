import HTMLCleaning
import HTMLViews
import Testing

/// A page for a web view: its document, its links, its height and the view that it is made for.
@Suite(.timeLimit(.minutes(5)))
struct HTMLPageTests {
    private func page(_ html: String, for viewport: HTMLViewport = HTMLViewport(width: 400)) -> HTMLPage {
        let options = HTMLCleaner.Options(linkSchemes: nil, readsActions: true, medium: viewport.medium)
        return HTMLPage(HTMLCleaner(options).clean(html), title: "Title", language: "de", for: viewport)
    }

    /// The address, the kind and the label of the action that a click does; nil if it does none.
    private func action(_ page: HTMLPage, _ url: String) -> [String]? {
        guard case .action(let action) = page.click(on: url) else { return nil }
        return [action.url, action.kind.rawValue, action.label ?? ""]
    }

    @Test func `the document has its title, its language and the reader's text size`() {
        let page = page("<p>Hello", for: HTMLViewport(width: 400, textScale: 1.5))
        #expect(page.title == "Title")
        #expect(page.document.markup.contains("<html lang=\"de\">"))
        #expect(page.document.markup.contains("<title>Title</title>"))
        #expect(page.document.markup.contains("-webkit-text-size-adjust:150%"))
        #expect(page.document.contentSecurityPolicy.hasPrefix("default-src 'none'"))
    }

    @Test func `a document for a browser leaves the text size to it`() {
        let html = HTMLCleaner().clean("<p>Hello")
        #expect(!HTMLDocument(html, title: "").markup.contains("text-size-adjust"))
        #expect(HTMLDocument(html, title: "", textScale: .nan) == HTMLDocument(html, title: ""))
        #expect(HTMLDocument(html, title: "", textScale: 99).markup.contains("-webkit-text-size-adjust:1000%"))
    }

    @Test func `another width, other colors and another text size make another page`() {
        let html = """
            <style>@media (max-width: 500px) { p { color: red } } @media (prefers-color-scheme: dark) { b { color: blue } }
            </style><p>Hello <b>you</b>
            """
        let pages = Set([
            page(html), page(html, for: HTMLViewport(width: 600)),
            page(html, for: HTMLViewport(width: 400, isDark: true)),
            page(html, for: HTMLViewport(width: 400, textScale: 2)),
        ])
        #expect(pages.count == 4)
        #expect(page(html) == page(html, for: HTMLViewport(width: 450)))
    }

    @Test func `links are found by what they mean`() {
        let page = page(
            """
            <a href="https://example.com/a">Read</a><a href="https://example.com/x" data-link="app://offer">Offer</a>
            <a href="tel:+15550100">Call</a>
            """
        )
        #expect(action(page, "https://example.com/a") == ["https://example.com/a", "browser", "Read"])
        #expect(action(page, "app://offer") == ["app://offer", "deep-link", "Offer"])
        #expect(action(page, "tel:+15550100") == ["tel:+15550100", "deep-link", "Call"])
    }

    @Test(arguments: [
        "https://example.com/x", "https://example.com/b", "http://example.com/a", "javascript:alert(1)",
        "file:///etc/passwd", "data:text/html,x", "mailto:a@example.com", "", "a",
    ])
    func `an address that the document doesn't have is blocked`(_ url: String) {
        let page = page(
            "<a href='https://example.com/a'>a</a><a href='https://example.com/x' data-link='app://offer'>b</a>"
        )
        #expect(page.click(on: url) == .blocked)
    }

    @Test func `a host in another script is found in ASCII`() {
        let page = page("<a href='https://bücher.example/a?b=1'>Books</a>")
        let address = "https://xn--bcher-kva.example/a?b=1"
        #expect(action(page, address) == ["https://bücher.example/a?b=1", "browser", "Books"])
        #expect(page.click(on: "https://xn--bcher-kva.example/a") == .blocked)
    }

    @Test func `a viewport is limited to what can be shown`() {
        #expect(HTMLViewport(width: .nan, textScale: .nan) == HTMLViewport(width: 1, textScale: 1))
        #expect(HTMLViewport(width: -.infinity, textScale: -1) == HTMLViewport(width: 1, textScale: 0.5))
        #expect(HTMLViewport(width: .infinity, textScale: .infinity) == HTMLViewport(width: 10_000, textScale: 4))
        #expect(HTMLViewport(width: 390.4).medium == HTMLMedium(width: 390))
        #expect(HTMLViewport(width: 390, isDark: true).medium.isDark)
        #expect(HTMLViewport(width: 1, textScale: 23 / HTMLViewport.bodySize).textPercentage == 135)
    }
}

/// The height of a document.
@Suite(.timeLimit(.minutes(5)))
struct HTMLHeightTests {
    @Test func `a measurement is rounded up, and an equal one changes nothing`() {
        var height = HTMLHeight()
        #expect(height.points == 0)
        let round = height.begin()
        let changes = [height.measured(499.2, in: round), height.measured(500, in: round)]
        #expect(changes == [true, false])
        #expect(height.points == 500)
    }

    @Test func `a measurement from before a change is ignored, and the height stays`() {
        var height = HTMLHeight()
        let first = height.begin()
        _ = height.measured(500, in: first)
        let second = height.begin()
        let late = height.measured(900, in: first)
        #expect(!late && height.points == 500)
        let new = height.measured(300, in: second)
        #expect(new && height.points == 300)
    }

    @Test(arguments: [nil, Double.nan, -1])
    func `an invalid height leaves the earlier one`(_ value: Double?) {
        var height = HTMLHeight()
        let round = height.begin()
        let changes = [height.measured(80, in: round), height.measured(value, in: round)]
        #expect(changes == [true, false])
        #expect(height.points == 80)
    }

    @Test func `a hostile height is limited`() {
        var height = HTMLHeight()
        let round = height.begin()
        _ = height.measured(.infinity, in: round)
        #expect(height.points == HTMLHeight.maximum)
    }
}
