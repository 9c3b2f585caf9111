import Foundation
import Groundwork
import InboxModel
package import InboxCards

/// Draws cards as HTML: an `article` each, with a heading, alternative texts, a `time`, and nothing inline, neither
/// script nor style.
///
/// The page needs ``sheet`` and ``BaseStyle`` beside it.
package struct CardHTML: ~Copyable {
    /// What was drawn.
    package var writer: HTMLWriter
    /// The styles of what was drawn.
    package private(set) var sheet: StyleSheet
    private let addresses: CardAddresses
    /// Of the card that is being drawn.
    private var id = ""
    /// Its label, for a link that says nothing itself.
    private var label = ""
    /// Where it leads, until a part of it has led there.
    private var open: CardAddress?
    /// Which part leads there.
    private var opener = CardOpener.heading

    package init(addresses: CardAddresses, sheet: StyleSheet = StyleSheet(), capacity: Int = 0) {
        writer = HTMLWriter(capacity: capacity)
        self.sheet = sheet
        self.addresses = addresses
    }

    /// Draws a card.
    package mutating func draw(_ card: borrowing Card) {
        id = card.id
        open = addresses.open(card)
        opener = CardOpener.of(card)
        label = opener == .picture && card.image?.alt == nil ? card.label : ""
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
        card.give(to: &self)
        if open != nil {
            // Nothing of it could be the link, such as a picture of the app's own without an alternative text.
            label = card.label
            if beginLink(isNamed: false) { writer.markup("</a>") }
        }
        if let dismiss = card.dismissButton, let address = addresses.dismiss(card) { draw(dismiss, to: address) }
        writer.markup("</article>")
    }

    private mutating func drawLabel(of card: borrowing Card) {
        var isFirst = true
        card.forEachPartOfLabel { part in
            if !isFirst { writer.text(Card.labelSeparator) }
            isFirst = false
            writer.text(part)
        }
    }

    /// A picture of the web; in place of one of an app's own stands what it shows.
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
        if let dark = WebLink.picture(image.media.darkUrl) {
            writer.markup("<source media=\"(prefers-color-scheme: dark)\"")
            writer.attribute("srcset", dark.replacing(",", with: "%2C"))
            writer.markup(">")
        }
        writer.markup("<img src=\"")
        writer.text(address)
        writer.markup("\" alt=\"")
        if let alt { writer.text(alt) }
        writer.markup("\" loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\"></picture>")
    }

    /// Begins the link to the message, once a card.
    ///
    /// - Parameter isNamed: Whether what lies within says where it leads.
    /// - Returns: Whether it has to be ended.
    private mutating func beginLink(isNamed: Bool = true) -> Bool {
        guard let address = open else { return false }
        open = nil
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

    private mutating func draw(_ dismiss: DismissElement, to address: CardAddress) {
        writer.markup("<form class=\"ib-dismiss\" method=\"post\" action=\"")
        address.write(to: &writer)
        writer.markup("\"><button class=\"")
        writer.name(sheet.name(for: .dismiss(dismiss.font, dismiss.color, size: dismiss.targetSize)))
        writer.markup("\" aria-label=\"")
        writer.text(dismiss.label)
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

/// What lies within the card.
extension CardHTML: CardParts {
    package mutating func begin(_ axis: StackElement.Axis, _ style: StackStyle, fillsWidth: Bool) {
        writer.markup("<div class=\"")
        writer.name(sheet.name(for: axis, style, fillsWidth: fillsWidth))
        writer.markup(fillsWidth ? " ib-fill\">" : "\">")
    }

    package mutating func end() {
        writer.markup("</div>")
    }

    package mutating func add(_ text: TextElement) {
        switch text.role {
        case .heading(let level):
            writer.markup(level == 1 ? "<h1 class=\"" : level == 2 ? "<h2 class=\"" : "<h3 class=\"")
            writer.name(sheet.name(for: text))
            writer.markup("\" dir=\"auto\">")
            lines(of: text, leads: opener == .heading)
            writer.markup(level == 1 ? "</h1>" : level == 2 ? "</h2>" : "</h3>")
        case .text, .caption:
            writer.markup("<p class=\"")
            writer.name(sheet.name(for: text))
            writer.markup("\" dir=\"auto\">")
            lines(of: text, leads: opener == .text && text.role == .text)
            writer.markup("</p>")
        }
    }

    private mutating func lines(of text: TextElement, leads: Bool) {
        let isLink = leads && !text.content.isEmpty && beginLink()
        writer.lines(text.content)
        if isLink { writer.markup("</a>") }
    }

    package mutating func add(_ time: TimeElement) {
        writer.markup("<time datetime=\"")
        writer.time(time.time)
        writer.markup("\" class=\"")
        writer.name(sheet.name(for: time.text))
        writer.markup("\">")
        writer.text(time.text.content)
        writer.markup("</time>")
    }

    package mutating func add(_ image: ImageElement) {
        let isLink = opener == .picture && beginLink(isNamed: image.alt != nil)
        draw(image, alt: image.alt)
        if isLink { writer.markup("</a>") }
    }

    package mutating func add(_ button: ButtonElement) {
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
