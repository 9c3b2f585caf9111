import Foundation
import InboxCards
import InboxHTML
import InboxModel

/// One page of the gallery.
struct GalleryPage {
    let texts: CardTexts
    let isDark: Bool

    private var theme: String { isDark ? "dark" : "light" }

    /// Returns the name of a page, without an extension.
    func name(_ what: String) -> String { "\(what)-\(theme)-\(texts.language.rawValue)" }

    /// Returns the page with all templates, each card in its possible states.
    func cards(now: Date) -> String {
        var indicator = UnreadIndicator()
        indicator.background = "#EAF3FF"
        indicator.darkBackground = "#14263D"
        var context = CardContext(relativeTime: RelativeTime(texts: texts, timeZone: .gmt), now: now)
        var drawing = CardHTML(
            addresses: CardAddresses(
                open: CardAddresses.direct.open,
                button: CardAddresses.direct.button,
                dismiss: { card in CardAddress("/dismiss/\(card.id)") }
            )
        )
        var body = HTMLWriter()
        let samples = GallerySamples(isRightToLeft: texts.isRightToLeft, now: now)
        let sections = samples.sections.map { ($0.heading, $0.messages.map { ($0, indicator) }) }
        for (heading, cards) in sections + [("Unread indicators", samples.indicatorSamples)] {
            body.markup("<section><h2>")
            body.text(heading)
            body.markup("</h2><div class=\"gallery\">")
            for (message, indicator) in cards {
                context.unreadIndicator = indicator
                var card = Card(message, in: context)
                card.title?.role = .heading(level: 3)
                drawing.writer = HTMLWriter()
                drawing.draw(card)
                body.append(drawing.writer)
            }
            body.markup("</div></section>")
        }
        return page(title: "Cards", body, css: drawing.sheet.css)
    }

    private func page(title: String, _ body: borrowing HTMLWriter, css: String) -> String {
        var page = HTMLWriter()
        page.markup("<!doctype html><html")
        page.attribute("lang", texts.languageTag)
        page.attribute("dir", texts.isRightToLeft ? "rtl" : "ltr")
        page.attribute("class", theme)
        page.markup("><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>")
        page.text(title)
        page.markup("</title><style>")
        page.style(BaseStyle.css)
        page.style(css)
        page.style(Self.css)
        page.markup("</style></head><body><main><h1>")
        page.text(title)
        page.markup("</h1>")
        page.append(body)
        page.markup("</main></body></html>")
        return String(decoding: page.bytes, as: UTF8.self)
    }

    private static let css = """
        .light{color-scheme:light}.dark{color-scheme:dark}
        main{padding:1rem;max-width:75rem;margin:auto}
        h1,h2{font-size:1.25rem;margin-block:1.5rem .75rem}
        article h3{margin:0}
        .gallery{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));\
        align-items:start}
        """
}
