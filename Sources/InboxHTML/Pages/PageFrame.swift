package import Foundation
package import InboxCards

/// The properties that all pages share: the reader's language, the current time and the addresses.
package struct PageFrame: Sendable {
    /// The reader's texts and time zone.
    package var language: PageLanguage
    /// The current time.
    package var now: Date
    package var addresses: PageAddresses
    /// The nonce in the response's Content-Security-Policy. Only styles with the nonce are applied.
    package var nonce: String

    package init(language: PageLanguage, now: Date, addresses: PageAddresses, nonce: String) {
        self.language = language
        self.now = now
        self.addresses = addresses
        self.nonce = nonce
    }

    var relativeTime: RelativeTime { language.relativeTime }
    var texts: CardTexts { language.relativeTime.texts }

    /// Returns a complete page.
    ///
    /// - Parameters:
    ///   - title: The title in the browser's tab.
    ///   - isLive: Whether the script updates the page.
    ///   - css: The styles of the body.
    ///   - body: The content.
    func page(title: String, isLive: Bool, css: String = "", _ body: borrowing HTMLWriter) -> [UInt8] {
        var writer = HTMLWriter(capacity: body.count + css.utf8.count + 2_048)
        writer.markup("<!DOCTYPE html>\n<html")
        writer.attribute("lang", language.tag)
        writer.attribute("dir", language.isRightToLeft ? "rtl" : "ltr")
        writer.markup("><head><meta charset=\"utf-8\">")
        writer.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        writer.markup("<meta name=\"color-scheme\" content=\"light dark\"><title>")
        writer.text(title)
        writer.markup("</title><link rel=\"icon\" type=\"image/svg+xml\"")
        writer.attribute("href", addresses.icon)
        writer.markup("><link rel=\"stylesheet\"")
        writer.attribute("href", addresses.style)
        writer.markup("><style id=\"rules\"")
        writer.attribute("nonce", nonce)
        writer.markup(">")
        // The styles are generated, so escaping changes nothing in them.
        writer.text(css)
        writer.markup("</style><script defer")
        writer.attribute("src", addresses.script)
        writer.markup("></script></head><body")
        writer.attribute("data-root", addresses.root)
        writer.attribute("data-zone", relativeTime.timeZone.identifier)
        if isLive {
            writer.attribute("data-events", addresses.events)
            ProblemNotice.drawCauses(texts, &writer)
            writer.attribute("data-loading", texts[.loading])
        }
        writer.markup(">")
        writer.append(body)
        if isLive { ProblemNotice.draw(texts, &writer) }
        writer.markup("</body></html>\n")
        return writer.bytes
    }
}

extension HTMLWriter {
    /// Writes a form that consists of a button.
    mutating func form(to address: String, class name: String, label: String) {
        markup("<form method=\"post\"")
        attribute("action", address)
        markup("><button")
        attribute("class", name)
        markup(">")
        text(label)
        markup("</button></form>")
    }

    /// Writes an image with a validated address, and with a variant for dark mode if that one's address is valid.
    mutating func picture(at address: String, dark: String?, alt: String?) {
        markup("<picture>")
        if let dark = WebLink.picture(dark) {
            markup("<source media=\"screen and (prefers-color-scheme: dark)\"")
            attribute("srcset", dark.replacing(",", with: "%2C"))
            markup(">")
        }
        markup("<img")
        attribute("src", address)
        attribute("alt", alt ?? "")
        markup(" referrerpolicy=\"no-referrer\"></picture>")
    }

    mutating func link(to address: String, class name: String, label: String) {
        markup("<a")
        attribute("class", name)
        attribute("href", address)
        markup(">")
        text(label)
        markup("</a>")
    }
}

/// A reader's language and time zone, with the texts that every page contains. Creating it costs as much as rendering
/// several cards.
package struct PageLanguage: Sendable {
    package let relativeTime: RelativeTime
    /// The BCP 47 tag of the language.
    let tag: String
    let isRightToLeft: Bool
    let snoozeMenu = SnoozeMenu()

    package init(_ relativeTime: RelativeTime) {
        self.relativeTime = relativeTime
        tag = relativeTime.texts.languageTag
        isRightToLeft = relativeTime.texts.isRightToLeft
    }
}
