import Foundation
import Groundwork
import InboxModel
package import InboxCards

/// Draws cards as HTML: an `article` each, with a heading, alternative texts, a `time`, and nothing inline, neither script nor style.
///
/// The page needs ``sheet`` and ``BaseStyle`` beside it.
package struct CardHTML: Sendable {
    /// What was drawn.
    package var writer: HTMLWriter
    /// The styles of what was drawn.
    package private(set) var sheet: StyleSheet
    private let addresses: CardAddresses

    package init(addresses: CardAddresses, sheet: StyleSheet = StyleSheet(), capacity: Int = 0) {
        writer = HTMLWriter(capacity: capacity)
        self.sheet = sheet
        self.addresses = addresses
    }

    /// Draws a card.
    package mutating func draw(_ card: Card) {
        let look = sheet.name(
            for: .card(card.background, radius: card.cornerRadius, padding: card.padding)
        )
        writer.markup("<article class=\"ib-card ")
        writer.text("ib-\(card.template.name) \(look)")
        if card.isUnread { writer.markup(" ib-unread") }
        if card.dismissButton != nil { writer.markup(" ib-dismissible") }
        writer.markup("\"")
        writer.attribute("data-id", card.id)
        writer.attribute("aria-label", card.label)
        writer.markup(">")
        if let icon = card.shownUnreadIcon { draw(icon) }
        draw(card.content, of: card)
        if let dismiss = card.dismissButton, let address = addresses.dismiss(card) { draw(dismiss, to: address) }
        writer.markup("</article>")
    }

    private mutating func draw(_ element: CardElement, of card: Card) {
        switch element {
        case .text(let text): draw(text, of: card)
        case .time(let time):
            writer.markup("<time datetime=\"")
            writer.time(time.time)
            writer.markup("\"")
            writer.attribute("class", sheet.name(for: time.text))
            writer.markup(">")
            writer.text(time.text.content)
            writer.markup("</time>")
        case .image(let image):
            // A picture alone is what leads to the message.
            let address = card.template == .imageOnly ? addresses.open(card) : nil
            if let address { link(to: address, class: "ib-open") }
            draw(image)
            if address != nil { writer.markup("</a>") }
        case .button(let button): draw(button, of: card)
        case .stack(let stack):
            writer.markup("<div")
            writer.attribute("class", sheet.name(for: stack) + (stack.fillsWidth ? " ib-fill" : ""))
            writer.markup(">")
            for child in stack.children { draw(child, of: card) }
            writer.markup("</div>")
        }
    }

    private mutating func draw(_ text: TextElement, of card: Card) {
        let name = sheet.name(for: text)
        switch text.role {
        case .heading(let level):
            let address = addresses.open(card)
            level == 1 ? writer.markup("<h1") : level == 2 ? writer.markup("<h2") : writer.markup("<h3")
            writer.attribute("class", name)
            writer.markup(" dir=\"auto\">")
            if let address { link(to: address, class: "ib-open") }
            writer.lines(text.content)
            if address != nil { writer.markup("</a>") }
            level == 1 ? writer.markup("</h1>") : level == 2 ? writer.markup("</h2>") : writer.markup("</h3>")
        case .text, .caption:
            writer.markup("<p")
            writer.attribute("class", name)
            writer.markup(" dir=\"auto\">")
            writer.lines(text.content)
            writer.markup("</p>")
        }
    }

    /// A picture of the web; in place of one of an app's own stands what it shows.
    private mutating func draw(_ image: ImageElement) {
        let name = sheet.name(
            for: .picture(
                radius: image.cornerRadius,
                width: image.width,
                maxHeight: image.maxHeight,
                isSquare: image.contentMode == .fill
            )
        )
        guard let address = WebLink.picture(image.media.url) else {
            guard let alt = image.alt else { return }
            writer.markup("<span")
            writer.attribute("class", "ib-picture ib-placeholder \(name)")
            writer.markup(" dir=\"auto\">")
            writer.text(alt)
            writer.markup("</span>")
            return
        }
        writer.markup("<picture")
        writer.attribute("class", "ib-picture \(name)\(image.contentMode == .fill ? " ib-cropped" : "")")
        writer.markup(">")
        if let dark = WebLink.picture(image.media.darkUrl) {
            writer.markup("<source media=\"(prefers-color-scheme: dark)\"")
            writer.attribute("srcset", dark.replacing(",", with: "%2C"))
            writer.markup(">")
        }
        writer.markup("<img")
        writer.attribute("src", address)
        writer.attribute("alt", image.alt ?? "")
        writer.markup(" loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\"></picture>")
    }

    private mutating func draw(_ button: ButtonElement, of card: Card) {
        let part = StyleSheet.Part.button(
            button.backgroundColor,
            radius: button.cornerRadius,
            padding: button.padding
        )
        let name = "ib-button \(sheet.name(for: button.text)) \(sheet.name(for: part))"
        if let address = addresses.button(card, button) {
            link(to: address, class: name)
            writer.text(button.text.content)
            writer.markup("</a>")
        } else {
            writer.markup("<span")
            writer.attribute("class", name)
            writer.markup(">")
            writer.text(button.text.content)
            writer.markup("</span>")
        }
    }

    private mutating func link(to address: String, class name: String) {
        writer.markup("<a")
        writer.attribute("class", name)
        writer.attribute("href", address)
        writer.markup(" rel=\"noopener noreferrer\">")
    }

    private mutating func draw(_ icon: UnreadElement) {
        let name = sheet.name(for: .mark(icon.image == nil ? icon.color : nil, size: icon.size))
        writer.markup("<span")
        writer.attribute("class", "ib-mark ib-\(icon.placement.name) \(name)")
        writer.markup(" role=\"img\"")
        writer.attribute("aria-label", icon.label)
        writer.markup(">")
        if let image = icon.image {
            var silent = image
            silent.alt = nil
            draw(silent)
        }
        writer.markup("</span>")
    }

    private mutating func draw(_ dismiss: DismissElement, to address: String) {
        let look = sheet.name(for: .dismiss(dismiss.font, dismiss.color, size: dismiss.targetSize))
        let circle = dismiss.style == .circle ? " ib-circle " + sheet.name(for: .circle(dismiss.circleColor)) : ""
        writer.markup("<form class=\"ib-dismiss\" method=\"post\"")
        writer.attribute("action", address)
        writer.markup("><button")
        writer.attribute("class", look)
        writer.attribute("aria-label", dismiss.label)
        writer.attribute("title", dismiss.label)
        writer.markup("><span")
        writer.attribute("class", "ib-cross\(circle)")
        writer.markup(" aria-hidden=\"true\">✕</span></button></form>")
    }
}

extension CardTemplate {
    /// In the names of classes.
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
    /// In the names of classes.
    fileprivate var name: String {
        switch self {
        case .topLeading: "top-leading"
        case .topTrailing: "top-trailing"
        case .bottomLeading: "bottom-leading"
        case .bottomTrailing: "bottom-trailing"
        }
    }
}
