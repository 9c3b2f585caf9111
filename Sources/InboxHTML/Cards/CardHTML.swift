import Foundation
import Groundwork
package import InboxCards
import InboxModel

/// Renders cards as HTML: an `article` for each, with a heading, alternative texts and a `time`, without inline scripts
/// and styles.
///
/// The page must include ``sheet`` and ``BaseStyle``.
package struct CardHTML: ~Copyable {
    /// The rendered HTML.
    package var writer: HTMLWriter
    /// The styles of the rendered cards.
    package private(set) var sheet: StyleSheet
    private let addresses: CardAddresses
    /// The id of the current card.
    private var id = ""
    /// The accessibility label of the current card, for a link without text.
    private var label = ""
    /// The target of the current card's link, until the link is written.
    private var pendingLink: CardAddress?
    /// The part of the current card that contains the link.
    private var linkedPart = LinkedPart.heading

    package init(addresses: CardAddresses, sheet: StyleSheet = StyleSheet(), capacity: Int = 0) {
        writer = HTMLWriter(capacity: capacity)
        self.sheet = sheet
        self.addresses = addresses
    }

    /// Renders a card.
    package mutating func draw(_ card: borrowing Card) {
        id = card.id
        pendingLink = addresses.open(card)
        linkedPart = LinkedPart.of(card)
        label = linkedPart == .picture && card.image?.alt == nil ? card.label : ""
        writer.markup("<article class=\"ib-card ib-")
        writer.name(card.template.name)
        writer.markup(" ")
        writer.name(sheet.name(for: .card(card.background, radius: card.cornerRadius, padding: card.padding)))
        if card.isUnread { writer.markup(" ib-unread") }
        if card.dismissButton != nil { writer.markup(" ib-dismissible") }
        writer.markup("\" data-id=\"")
        writer.text(card.id)
        writer.markup("\" aria-label=\"")
        drawLabel(of: card)
        writer.markup("\">")
        if let icon = card.shownUnreadIcon { draw(icon) }
        draw(card.content)
        if pendingLink != nil {
            // No part could contain the link, for instance an image of the app without an alternative text.
            label = card.label
            if beginLink(isNamed: false) { writer.markup("</a>") }
        }
        if let dismiss = card.dismissButton, let address = addresses.dismiss(card) {
            draw(dismiss, to: address, of: Self.name(of: card))
        }
        writer.markup("</article>")
    }

    private mutating func drawLabel(of card: borrowing Card) {
        var isFirst = true
        card.forEachLabelPart { part in
            if !isFirst { writer.text(Card.labelSeparator) }
            isFirst = false
            writer.text(part.beginning(maxLength: Self.maxLabelLength))
        }
    }

    /// The maximum length of a text in bytes. The page's style shows fewer lines; the whole text is on the message's
    /// page.
    private static let maxTextLength = 2_000
    /// The maximum length of each part of a card's label in bytes.
    private static let maxLabelLength = 500

    /// Renders a web image. An image of the app is replaced by its alternative text.
    private mutating func draw(_ image: ImageElement, alt: String?) {
        let name = sheet.name(
            for: .picture(
                radius: image.cornerRadius,
                width: image.width,
                maxHeight: image.maxHeight,
                isSquare: image.contentMode == .fill
            )
        )
        guard let address = WebLink.picture(image.media.url) else {
            guard let alt else { return }
            writer.markup("<span class=\"ib-picture ib-placeholder ")
            writer.name(name)
            writer.markup("\" dir=\"auto\">")
            writer.text(alt)
            writer.markup("</span>")
            return
        }
        writer.markup("<picture class=\"ib-picture ")
        writer.name(name)
        if image.contentMode == .fill { writer.markup(" ib-cropped") }
        writer.markup("\">")
        if let dark = WebLink.picture(image.media.darkURL) {
            writer.markup("<source media=\"screen and (prefers-color-scheme: dark)\"")
            writer.attribute("srcset", dark.replacing(",", with: "%2C"))
            writer.markup(">")
        }
        writer.markup("<img src=\"")
        writer.text(address)
        writer.markup("\" alt=\"")
        if let alt { writer.text(alt) }
        writer.markup("\" loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\"></picture>")
    }

    /// Begins the link to the message, once per card.
    ///
    /// - Parameter isNamed: Whether the link's content describes its target.
    /// - Returns: Whether the link was begun and has to be ended.
    private mutating func beginLink(isNamed: Bool = true) -> Bool {
        guard let address = pendingLink else { return false }
        pendingLink = nil
        writer.markup("<a class=\"ib-open\" href=\"")
        address.write(to: &writer)
        if !isNamed {
            writer.markup("\" aria-label=\"")
            writer.text(label)
        }
        writer.markup("\" rel=\"noopener noreferrer\">")
        return true
    }

    private mutating func draw(_ icon: UnreadElement) {
        writer.markup("<span class=\"ib-mark ib-")
        writer.name(icon.placement.name)
        writer.markup(" ")
        writer.name(sheet.name(for: .mark(icon.image == nil ? icon.color : nil, size: icon.size)))
        writer.markup("\" role=\"img\" aria-label=\"")
        writer.text(icon.label)
        writer.markup("\">")
        if let image = icon.image { draw(image, alt: nil) }
        writer.markup("</span>")
    }

    /// Returns a short name of a card for the labels of its buttons: its title, the beginning of its text, or the
    /// description of its picture. Empty if it has none.
    private static func name(of card: borrowing Card) -> String {
        if let title = card.title { return Message.shortName(title.content) }
        if let body = card.body { return Message.shortName(body.content) }
        guard let alt = card.image?.alt else { return "" }
        return Message.shortName(alt)
    }

    /// Writes the dismiss button, in a form of its own.
    ///
    /// - Parameter name: The card's name, which distinguishes the buttons of a list.
    private mutating func draw(_ dismiss: DismissElement, to address: CardAddress, of name: String) {
        writer.markup("<form class=\"ib-dismiss\" method=\"post\" action=\"")
        address.write(to: &writer)
        writer.markup("\"><button class=\"")
        writer.name(sheet.name(for: .dismiss(dismiss.font, dismiss.color, size: dismiss.targetSize)))
        writer.markup("\" aria-label=\"")
        writer.text(dismiss.label)
        if !name.isEmpty {
            writer.markup(": ")
            writer.text(name)
        }
        writer.markup("\" title=\"")
        writer.text(dismiss.label)
        writer.markup("\"><span class=\"ib-cross")
        if dismiss.style == .circle {
            writer.markup(" ib-circle ")
            writer.name(sheet.name(for: .circle(dismiss.circleColor)))
        }
        writer.markup("\" aria-hidden=\"true\">✕</span></button></form>")
    }
}

/// Renders the element tree of a card.
extension CardHTML {
    private mutating func draw(_ element: CardElement) {
        switch element {
        case .text(let text): draw(text)
        case .time(let time): draw(time)
        case .image(let image): draw(image)
        case .button(let button): draw(button)
        case .stack(let stack):
            writer.markup("<div class=\"")
            writer.name(sheet.name(for: stack.axis, stack.style, fillsWidth: stack.fillsWidth))
            writer.markup(stack.fillsWidth ? " ib-fill\">" : "\">")
            for child in stack.children { draw(child) }
            writer.markup("</div>")
        }
    }

    private mutating func draw(_ text: TextElement) {
        switch text.role {
        case .heading(let level):
            writer.markup(level == 1 ? "<h1 class=\"" : level == 2 ? "<h2 class=\"" : "<h3 class=\"")
            writer.name(sheet.name(for: text))
            writer.markup("\" dir=\"auto\">")
            lines(of: text, leads: linkedPart == .heading)
            writer.markup(level == 1 ? "</h1>" : level == 2 ? "</h2>" : "</h3>")
        case .text, .caption:
            writer.markup("<p class=\"")
            writer.name(sheet.name(for: text))
            writer.markup("\" dir=\"auto\">")
            lines(of: text, leads: linkedPart == .text && text.role == .text)
            writer.markup("</p>")
        }
    }

    private mutating func lines(of text: TextElement, leads: Bool) {
        let isLink = leads && !text.content.isEmpty && beginLink()
        writer.lines(text.content.beginning(maxLength: Self.maxTextLength))
        if isLink { writer.markup("</a>") }
    }

    private mutating func draw(_ time: TimeElement) {
        writer.markup("<time datetime=\"")
        writer.time(time.time)
        writer.markup("\" class=\"")
        writer.name(sheet.name(for: time.text))
        writer.markup("\">")
        writer.text(time.text.content)
        writer.markup("</time>")
    }

    private mutating func draw(_ image: ImageElement) {
        let isLink = linkedPart == .picture && beginLink(isNamed: image.alt != nil)
        draw(image, alt: image.alt)
        if isLink { writer.markup("</a>") }
    }

    private mutating func draw(_ button: ButtonElement) {
        let part = StyleSheet.Part.button(
            button.backgroundColor,
            radius: button.cornerRadius,
            padding: button.padding
        )
        let address = addresses.button(id, button)
        writer.markup(address == nil ? "<span class=\"ib-button " : "<a class=\"ib-button ")
        writer.name(sheet.name(for: button.text))
        writer.markup(" ")
        writer.name(sheet.name(for: part))
        if let address {
            writer.markup("\" href=\"")
            address.write(to: &writer)
            writer.markup("\" rel=\"noopener noreferrer")
        }
        writer.markup("\">")
        writer.text(button.text.content)
        writer.markup(address == nil ? "</span>" : "</a>")
    }
}

extension CardTemplate {
    /// The name in CSS classes.
    fileprivate var name: String {
        switch self {
        case .smallImage: "small-image"
        case .largeImage: "large-image"
        case .imageOnly: "image-only"
        case .plainText: "plain-text"
        case .push: "push"
        }
    }
}

extension UnreadElement.Corner {
    /// The name in CSS classes.
    fileprivate var name: String {
        switch self {
        case .topLeading: "top-leading"
        case .topTrailing: "top-trailing"
        case .bottomLeading: "bottom-leading"
        case .bottomTrailing: "bottom-trailing"
        }
    }
}

/// The part of a card that links to its message: the first of these that the card has.
enum LinkedPart {
    case heading, picture, text

    /// Returns the part for a card. This isn't an initializer, which would copy the card.
    static func of(_ card: Card) -> LinkedPart {
        let hasHeading = card.title?.isHeading ?? false || card.body?.isHeading ?? false
        let hasPicture = card.image.map { $0.alt != nil || WebLink.picture($0.media.url) != nil } ?? false
        return hasHeading ? .heading : hasPicture ? .picture : .text
    }
}

extension TextElement {
    /// Whether this is a heading with text, which can contain a link.
    fileprivate var isHeading: Bool {
        if case .heading = role { !content.isEmpty } else { false }
    }
}

extension String {
    /// Returns the text if it has at most that many bytes, else its beginning with an ellipsis, cut between two
    /// characters.
    func beginning(maxLength: Int) -> String {
        guard utf8.count > maxLength else { return self }
        let limit = utf8.index(startIndex, offsetBy: maxLength)
        // The character at the limit may begin before it, and be the first one.
        let end = index(before: index(after: limit))
        return self[..<end] + "…"
    }
}
