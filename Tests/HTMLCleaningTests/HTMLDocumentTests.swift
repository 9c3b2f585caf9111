import Testing

@testable import HTMLCleaning

/// The documents of cleaned messages, for frames and web views.
@Suite(.timeLimit(.minutes(5))) struct HTMLDocumentTests {
    private func document(_ html: String, _ decision: HTMLPicture.Decision = .keep) -> HTMLDocument {
        HTMLDocument(HTMLCleaner().clean(html, pictures: { _ in decision }), title: "T")
    }

    @Test func `the policy names the origins of the pictures that are left`() {
        let html = """
            <img src="https://a.example/1.png"><img src="https://a.example/2.png"><img src="http://b.example:8080/3.png">
            <p style="background-image:url(https://c.example/4.png)">x</p><img src="https://müller.example/5.png">
            """
        #expect(
            document(html).contentSecurityPolicy
                == "default-src 'none'; style-src 'unsafe-inline'; "
                + "img-src http://b.example:8080 https://a.example https://c.example; "
                + "base-uri 'none'; form-action 'none'"
        )
        #expect(document(html, .placeholder).contentSecurityPolicy.contains("img-src 'none';"))
        let inlined = document(html, .replace("data:image/png;base64,iVBORw0KGgo="))
        #expect(inlined.contentSecurityPolicy.contains("img-src data:;"))
        let many = (0..<60).map { "<img src=https://\($0).example/a.png>" }.joined()
        #expect(document(many).contentSecurityPolicy.contains("img-src https: data:;"))
    }

    @Test func `a host can't add to the policy`() {
        let html = "<img src=\"https://a.example;script-src%20*/1.png\"><img src=\"https://a.example' *,/1.png\">"
        #expect(document(html).contentSecurityPolicy.contains("img-src 'none';"))
    }

    @Test func `a message with colors is readable on its ground, another follows the scheme`() {
        #expect(document("<p>Hello").ground == .scheme)
        #expect(document("<p style='color:#333'>Hello").ground == .color(.white, text: .black))
        guard case .color(let ground, let text) = document("<p style='color:#fff'>Hello").ground else {
            Issue.record("white text has a ground of its own")
            return
        }
        #expect(HTMLColor.white.isReadable(on: ground) && text.isReadable(on: ground))
        let own = document("<body bgcolor=#102030><p>Hello")
        #expect(own.ground == .color(HTMLColor(red: 0x10, green: 0x20, blue: 0x30), text: .white))
        #expect(own.markup.contains("background:#102030;color:#ffffff"))
    }

    @Test func `title and language can't end their places`() {
        let message = HTMLCleaner().clean("<p>x")
        let markup = HTMLDocument(message, title: "</title><script>\u{0}", language: "de\"><b>").markup
        #expect(markup.contains("<title>&lt;/title&gt;&lt;script&gt;\u{FFFD}</title>"))
        #expect(markup.contains("<html lang=\"de&quot;&gt;&lt;b&gt;\">"))
        #expect(markup.contains("content=\"HTMLCleaning \(HTMLDocument.version)\""))
    }
}
