import Foundation
import Groundwork
import InboxCards
package import InboxModel

/// The page with a complete message.
package struct DetailPage: Sendable {
    package var message: Message
    /// The list to which the page links back.
    package var view: ListView
    /// The sentence about the last action, or nil for none.
    package var notice: ListNotice.Outcome?
    /// The local time that was typed for a snooze and can't be accepted, which is shown again. Nil if there is none.
    package var typed: String?

    package init(
        message: Message,
        view: ListView = ListView(),
        notice: ListNotice.Outcome? = nil,
        typed: String? = nil
    ) {
        (self.message, self.view, self.notice, self.typed) = (message, view, notice, typed)
    }

    /// Returns the page as HTML. The only inline content are styles with the frame's nonce.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let texts = frame.texts
        let title = frame.name(of: message)
        var writer = HTMLWriter(capacity: 4_096 + message.body.utf8.count)
        writer.markup("<a class=\"ib-skip\" href=\"#message\">")
        writer.text(texts[.skipToMessages])
        writer.markup("</a><header class=\"ib-header\"><nav>")
        writer.link(to: frame.addresses.list(view, at: message.id), class: "ib-quiet ib-up", label: texts[.back])
        writer.markup("</nav>")
        writer.form(to: frame.addresses.signOut, class: "ib-quiet", label: texts[.signOut])
        writer.markup("</header><main class=\"ib-main\"><div id=\"notice\" role=\"status\">")
        if let notice { ListNotice.outcome(notice).draw(frame, view: view, &writer) }
        writer.markup("</div><div id=\"message\" data-live tabindex=\"-1\"><article class=\"ib-detail\">")
        if let category = message.category, !category.isEmpty {
            writer.markup("<p class=\"ib-caption\" dir=\"auto\">")
            writer.text(category)
            writer.markup("</p>")
        }
        // A message without a title has a heading for screen readers alone.
        let isNamed =
            message.title.hasVisibleCharacters
            || (message.pageName.isEmpty && message.media == nil && message.html == nil)
        writer.markup(isNamed ? "<h1 dir=\"auto\">" : "<h1 class=\"ib-unseen\" dir=\"auto\">")
        writer.lines(title)
        writer.markup("</h1><p class=\"ib-caption\"><time")
        writer.attribute("datetime", frame.relativeTime.machine(message.deliverAt))
        writer.markup(">")
        writer.text(frame.exactText(message.deliverAt))
        writer.markup("</time>")
        if message.isPinned {
            writer.markup(" · ")
            writer.text(texts[.pinned])
        }
        writer.markup("</p>")
        if let media = message.media { draw(media, &writer) }
        var css = ""
        if let layout = MessageHTML(message)?.layout {
            css = ".ib-html{height:min(75vh,\(layout.height)rem)}"
            css += "@media (max-width:30rem){.ib-html{height:min(75vh,\(layout.narrowHeight)rem)}}"
            for width in layout.widths {
                let kind = layout.widths.count == 1 ? "" : " ib-\(width.rawValue)"
                drawFrame(frame, title: title, kind: kind, for: width, &writer)
            }
        } else {
            for paragraph in Self.paragraphs(message.body) {
                writer.markup("<p class=\"ib-body\" dir=\"auto\">")
                writer.lines(paragraph)
                writer.markup("</p>")
            }
        }
        drawLinks(frame, &writer)
        writer.markup("</article></div>")
        MessageForms(frame, from: view).drawActions(of: message, typed: typed, &writer)
        writer.markup("</main>")
        return frame.page(title: title, isLive: true, css: css, writer)
    }

    /// Renders the frame with the message's HTML.
    ///
    /// The document in the frame has an origin of its own, without scripts, forms and cookies. So the page can't ask
    /// for its height: the frame has an estimated one, scrolls, and can be made larger where the browser offers it.
    /// Links open in a new tab, outside of the sandbox.
    ///
    /// A message with media queries has a frame for wide views and one for narrow ones. The page's style shows one of
    /// them, and a browser that loads lazily doesn't load the other.
    private func drawFrame(
        _ frame: PageFrame,
        title: String,
        kind: String,
        for width: MessageHTML.Width,
        _ writer: inout HTMLWriter
    ) {
        writer.markup("<iframe loading=\"lazy\" referrerpolicy=\"no-referrer\"")
        writer.attribute("class", "ib-html" + kind)
        writer.markup(" sandbox=\"allow-popups allow-popups-to-escape-sandbox\"")
        writer.attribute("title", title)
        writer.attribute("src", frame.addresses.html(of: message.id, for: width, from: view))
        writer.markup("></iframe>")
    }

    private func draw(_ media: Media, _ writer: inout HTMLWriter) {
        guard let address = WebLink.picture(media.url) else { return }
        writer.markup("<div class=\"ib-cover\">")
        writer.picture(at: address, dark: media.darkURL, alt: media.alt)
        writer.markup("</div>")
    }

    /// Renders the message's own link and its buttons, in the sender's order.
    private func drawLinks(_ frame: PageFrame, _ writer: inout HTMLWriter) {
        let own = message.link.flatMap(WebLink.checked)
        guard own != nil || !message.actions.isEmpty else { return }
        writer.markup("<div class=\"ib-buttons\">")
        var name = "ib-action ib-main-action"
        func draw(_ label: String, _ link: MessageLink, _ writer: inout HTMLWriter) {
            writer.markup("<a")
            writer.attribute("class", name)
            writer.attribute(
                "href",
                frame.addresses.clickRedirect(message.id, link, from: view, returnsToMessage: true)
            )
            writer.markup(" dir=\"auto\" rel=\"noopener noreferrer\">")
            writer.text(label)
            writer.markup("</a>")
            name = "ib-action"
        }
        if own != nil { draw(frame.texts[.seeMore], .own(message.link ?? ""), &writer) }
        for action in message.actions { draw(action.label, .button(id: action.id, action.link), &writer) }
        writer.markup("</div>")
    }

    /// Returns the paragraphs, which are separated by empty lines.
    static func paragraphs(_ text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.allSatisfy(\.isWhitespace) {
                paragraphs[paragraphs.count - 1].append(line)
            } else if paragraphs.last?.isEmpty == false {
                paragraphs.append([])
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }
}
