import Coverage
import Eventually
import Foundation
import HTMLViews
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// The statements of Bloomreach's document on links in HTML messages, tried on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct BloomreachHTMLTests {
    /// Where the links of a message lead, each clicked once: `browser …` or `app …`.
    private func opened(_ html: String, clicking urls: [String]) async throws -> [String] {
        let screen = try await Screen([message("a") { $0.html = html }], syncsFirst: true)
        let model = MessageHTMLModel("a", in: screen.inbox)
        var opened: [String] = []
        model.linkOpener = LinkOpener(
            inApp: { opened.append("in app \($0)") },
            systemBrowser: { opened.append("browser \($0)") },
            app: { opened.append("app \($0)") }
        )
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        for url in urls { try await model.clicked(url) }
        return opened
    }

    @Test(.shows(.b44)) func `a web address in HTML opens the browser`() async throws {
        let html = "<a href='https://example.com/a'>A</a> <a data-link='http://example.com/b'>B</a>"
        let opened = try await opened(html, clicking: ["https://example.com/a", "http://example.com/b"])
        #expect(opened == ["browser https://example.com/a", "browser http://example.com/b"])
    }

    @Test(.shows(.b45)) func `any other address in HTML is a deep link`() async throws {
        let html = "<a href='myapp://sale/7'>A</a> <div data-link='tel:+43123'>B</div>"
        let opened = try await opened(html, clicking: ["myapp://sale/7", "tel:+43123"])
        #expect(opened == ["app myapp://sale/7", "app tel:+43123"])
    }

    /// The sample of the document, but for its styles, and its opposite.
    @Test(.shows(.b46)) func `data-actiontype next to data-link decides what opens it`() async throws {
        let html = """
            <div class="bee-block bee-button"><div data-link="https://example.com" data-actiontype="browser"
            class="bee-button-content"><span>Action</span></div></div>
            <div data-link="https://example.com/shoes" data-actiontype="deep-link">Shoes</div>
            """
        let opened = try await opened(html, clicking: ["https://example.com", "https://example.com/shoes"])
        #expect(opened == ["browser https://example.com", "app https://example.com/shoes"])
    }

    @Test(.shows(.b47)) func `data-actiontype on an anchor decides, too`() async throws {
        let html = """
            <div class="bee-block bee-button"><a data-link="https://example.com" data-actiontype="deep-link">Click me</a></div>
            <a href="https://example.com/hat" data-actiontype="deep-link">Hat</a>
            <a href="https://example.com/bag" data-actiontype="browser">Bag</a>
            """
        let urls = ["https://example.com", "https://example.com/hat", "https://example.com/bag"]
        #expect(
            try await opened(html, clicking: urls) == [
                "app https://example.com", "app https://example.com/hat", "browser https://example.com/bag",
            ]
        )
    }
}
