package import HTMLCleaning
import InboxCards
package import InboxModel

/// The HTML of a message, cleaned for the page (`Message.html`).
///
/// The server stores and sends HTML unchanged. The page and each client clean it when they show it, with the same code,
/// whose version is `HTMLDocument/version`.
package struct MessageHTML: Sendable {
    private let message: Message
    private let html: String

    /// Returns nil if the message has no HTML.
    package init?(_ message: Message) {
        guard let html = message.html, !html.isEmpty else { return nil }
        (self.message, self.html) = (message, html)
    }

    private static let wide = cleaner(HTMLMedium())
    private static let narrow = cleaner(HTMLMedium(width: 360))

    private static func cleaner(_ medium: HTMLMedium) -> HTMLCleaner {
        HTMLCleaner(.init(linkSchemes: nil, readsActions: true, opensLinksOutside: true, medium: medium))
    }

    /// A width of the frame for which a message's media queries are answered.
    package enum Width: String, Sendable {
        case wide
        case narrow

        fileprivate var cleaner: HTMLCleaner { self == .wide ? MessageHTML.wide : MessageHTML.narrow }
    }

    /// The message's layout, as far as the page needs it before the browser has shown the message.
    var layout: MessageLayout { MessageLayout(html) }

    /// Returns the document for the frame on a message's page. Its links lead through the redirect that counts clicks.
    package func document(_ frame: PageFrame, for width: Width = .wide, from view: ListView) -> HTMLDocument {
        let cleaned = width.cleaner.clean(
            html,
            links: { link in
                // Mail and telephone open in the person's own program.
                if link.url.hasPrefix("mailto:") || link.url.hasPrefix("tel:") { return .keep }
                return .replace(
                    frame.addresses.clickRedirect(
                        message.id,
                        .html(index: link.index, link.url),
                        from: view
                    )
                )
            },
            pictures: { $0.url.hasPrefix("cid:") ? .placeholder : .keep }
        )
        let title = frame.name(of: message)
        var notes: [CardText] = []
        if !cleaned.isComplete { notes.append(.messageTruncated) }
        if cleaned.pictureOrigins.count > HTMLDocument.maximumOriginCount { notes.append(.somePicturesHidden) }
        return HTMLDocument(cleaned, title: title, notes: notes.map { frame.texts[$0] }, isFocusable: true)
    }

    /// A link in the message's HTML.
    package struct Link: Hashable, Sendable {
        /// The link's target.
        package let target: String
        /// The link's text.
        package let text: String
    }

    /// Returns the link at a place, or nil if the message has none there. Links have the same places for all widths.
    package func link(at index: Int) -> Link? {
        let links = Self.wide.clean(html).links
        guard links.indices.contains(index), links[index].isWritten else { return nil }
        return Link(target: links[index].url, text: links[index].text)
    }
}
