package import InboxCards

/// The page for what can't be shown or done.
package struct ErrorPage: Sendable {
    /// The title.
    package var title: CardText
    /// The text beneath it; nil for none.
    package var message: CardText?
    /// Whether the same may work later.
    package var isRetryable: Bool

    package init(title: CardText, message: CardText? = nil, isRetryable: Bool = false) {
        (self.title, self.message, self.isRetryable) = (title, message, isRetryable)
    }

    /// The page in HTML, with nothing inline.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let texts = frame.texts
        var writer = HTMLWriter(capacity: 1_024)
        writer.markup("<main class=\"ib-main ib-center\"><div class=\"ib-state\">")
        writer.emptyTray()
        writer.markup("<h1>")
        writer.text(texts[title])
        writer.markup("</h1>")
        if let message {
            writer.markup("<p>")
            writer.text(texts[message])
            writer.markup("</p>")
        }
        writer.markup("<p class=\"ib-buttons\">")
        writer.link(
            to: frame.addresses.list(ListView()),
            class: "ib-action ib-main-action",
            label: texts[isRetryable ? .tryAgain : .back]
        )
        writer.markup("</p></div></main>")
        return frame.page(title: texts[title], isLive: false, writer)
    }
}
