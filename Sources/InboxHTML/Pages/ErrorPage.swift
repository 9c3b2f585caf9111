package import InboxCards

/// The page for content that can't be shown or an action that failed.
package struct ErrorPage: Sendable {
    /// The title.
    package var title: CardText
    /// The text below the title, or nil if there is none.
    package var message: CardText?
    /// The details of the error in English, or nil if they aren't shown.
    package var detail: String?
    /// Whether a retry may succeed.
    package var isRetryable: Bool

    package init(title: CardText, message: CardText? = nil, isRetryable: Bool = false) {
        (self.title, self.message, self.isRetryable) = (title, message, isRetryable)
    }

    /// Returns the page as HTML, without inline scripts and styles.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let texts = frame.texts
        var writer = HTMLWriter(capacity: 1_024)
        writer.markup("<main class=\"ib-main ib-center\"><div class=\"ib-state\">")
        writer.emptyInboxIcon()
        writer.markup("<h1>")
        writer.text(texts[title])
        writer.markup("</h1>")
        if let message {
            writer.markup("<p>")
            writer.text(texts[message])
            writer.markup("</p>")
        }
        if let detail {
            writer.markup("<p class=\"ib-caption\" lang=\"en\" dir=\"ltr\">")
            writer.text(detail)
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
