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
    }

    @Test func `the policy has the first 50 origins of a message`() throws {
        let many = (10..<70).map { "<img src=https://\($0).example/a.png><img src=https://10.example/\($0).png>" }
        let message = HTMLCleaner().clean(many.joined())
        #expect(message.pictureOrigins.count == 60)
        let policy = HTMLDocument(message, title: "T").contentSecurityPolicy
        let images = try #require(policy.split(separator: "; ").first { $0.hasPrefix("img-src ") })
        #expect(images.split(separator: " ").dropFirst() == (10..<60).map { "https://\($0).example" }[...])
    }

    @Test func `notes are below the message, as text`() {
        let message = HTMLCleaner().clean("<p class=note>Hello")
        #expect(!HTMLDocument(message, title: "T").markup.contains("note"))
        let noted = HTMLDocument(message, title: "T", notes: ["Cut <b>", "More"]).markup
        let notes = "<p class=\"note\" dir=\"auto\">Cut &lt;b&gt;</p><p class=\"note\" dir=\"auto\">More</p>"
        #expect(noted.contains("<p>Hello</p>\(notes)</body>") && noted.contains(".note{"))
    }

    @Test func `the keyboard stops at a document on request`() {
        let message = HTMLCleaner().clean("<p>Hello")
        let focusable = HTMLDocument(message, title: "T", isFocusable: true).markup
        #expect(focusable.contains("<body dir=\"auto\" tabindex=\"0\"><p>"))
        #expect(HTMLDocument(message, title: "T").markup.contains("<body dir=\"auto\"><p>"))
    }

    @Test func `a host can't add to the policy`() {
        let html = "<img src=\"https://a.example;script-src%20*/1.png\"><img src=\"https://a.example' *,/1.png\">"
        #expect(document(html).contentSecurityPolicy.contains("img-src 'none';"))
    }

    @Test func `a message with colors is readable on its background, another follows the scheme`() {
        #expect(document("<p>Hello").background == .scheme)
        #expect(document("<p style='color:#333'>Hello").background == .color(.white, text: .black))
        guard case .color(let background, let text) = document("<p style='color:#fff'>Hello").background else {
            Issue.record("white text has a background of its own")
            return
        }
        #expect(HTMLColor.white.isReadable(on: background) && text.isReadable(on: background))
        let own = document("<body bgcolor=#102030><p>Hello")
        #expect(own.background == .color(HTMLColor(red: 0x10, green: 0x20, blue: 0x30), text: .white))
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
