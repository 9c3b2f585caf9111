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
            for: "\(CSS.color("background-color", card.background));border-radius:\(CSS.length(card.cornerRadius));"
                + CSS.insets("padding", card.padding)
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
            writer.markup("<time")
            writer.attribute("datetime", RFC3339.string(from: time.time))
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
        var css = "border-radius:\(CSS.length(image.cornerRadius))"
        if let width = image.width {
            css += ";width:\(CSS.length(width));flex:none"
            if image.contentMode == .fill { css += ";height:\(CSS.length(width))" }
        }
        if let height = image.maxHeight { css += ";max-height:\(CSS.length(height))" }
        let name = sheet.name(for: css)
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
        writer.attribute("class", "ib-picture \(name)\(image.contentMode == .fill ? " ib-cover" : "")")
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
        var css = "border-radius:\(CSS.length(button.cornerRadius));" + CSS.insets("padding", button.padding)
        if let color = button.backgroundColor { css += ";" + CSS.color("background-color", color) }
        let name = "ib-button \(sheet.name(for: button.text)) \(sheet.name(for: css))"
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
        let size = CSS.length(icon.size)
        let name = sheet.name(
            for: "width:\(size);height:\(size)"
                + (icon.image == nil ? ";border-radius:50%;" + CSS.color("background-color", icon.color) : "")
        )
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
        let target = CSS.length(dismiss.targetSize)
        let look = sheet.name(
            for: "\(CSS.font(dismiss.font));\(CSS.color("color", dismiss.color));width:\(target);height:\(target)"
        )
        let circle =
            dismiss.style == .circle ? " " + sheet.name(for: CSS.color("background-color", dismiss.circleColor)) : ""
        writer.markup("<form class=\"ib-dismiss\" method=\"post\"")
        writer.attribute("action", address)
        writer.markup("><button")
        writer.attribute("class", look)
        writer.attribute("aria-label", dismiss.label)
        writer.attribute("title", dismiss.label)
        writer.markup("><span")
        writer.attribute("class", "ib-cross\(dismiss.style == .circle ? " ib-circle" : "")\(circle)")
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
