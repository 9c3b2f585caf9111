import InboxCards
package import InboxModel

/// The page with the list of cards.
package struct ListPage: Sendable {
    /// The messages in display order.
    package var messages: [Message]
    /// The number of unread messages in the whole inbox.
    package var unread: UnreadCount
    /// The surface's settings.
    package var settings: InboxSettings
    /// The part of the inbox that the page shows.
    package var view: ListView
    /// The next part, or nil at the end.
    package var next: ListView?
    /// The message that was just dismissed or archived and can be restored.
    package var undoable: Message?
    /// Whether placeholders are shown for more cards. The server never sets it; the script shows placeholders if
    /// loading is slow.
    package var isLoading: Bool

    package init(
        messages: [Message],
        unread: UnreadCount,
        settings: InboxSettings,
        view: ListView = ListView(),
        next: ListView? = nil,
        undoable: Message? = nil,
        isLoading: Bool = false
    ) {
        self.messages = messages
        self.unread = unread
        self.settings = settings
        self.view = view
        self.next = next
        self.undoable = undoable
        self.isLoading = isLoading
    }

    /// Returns the page as HTML. The only inline content are styles with the frame's nonce.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let (texts, addresses, appearance) = (frame.texts, frame.addresses, SurfaceAppearance(settings))
        let title = appearance.heading?.content ?? texts[.inbox]
        var writer = HTMLWriter(capacity: 4_096 + messages.count * 1_400)
        writer.markup("<a class=\"ib-skip\" href=\"#messages\">")
        writer.text(texts[.skipToMessages])
        writer.markup("</a><header class=\"ib-header\"><div class=\"ib-titles\">")
        writer.markup("<h1 id=\"heading\" data-live tabindex=\"-1\" dir=\"auto\">")
        writer.lines(title)
        writer.markup("</h1><p id=\"unread\" data-live role=\"status\">")
        writer.text(unread.isExact ? texts.unreadCount(unread.count) : "\(texts[.unread]): \(unread.text)")
        writer.markup("</p></div>")
        writer.form(to: addresses.signOut, class: "ib-quiet", label: texts[.signOut])
        writer.markup("</header><main class=\"ib-main\"><div id=\"notice\" role=\"status\">")
        if let undoable { draw(undoable, frame, &writer) }
        writer.markup("</div>")
        if view.before != nil {
            var newest = view
            newest.before = nil
            newest.limit = nil
            writer.markup("<p class=\"ib-back\">")
            writer.link(to: addresses.list(newest), class: "ib-quiet", label: texts[.back])
            writer.markup("</p>")
        }

        writer.markup("<div id=\"messages\" data-live=\"list\" tabindex=\"-1\"")
        if isLoading { writer.markup(" aria-busy=\"true\"") }
        writer.markup(">")
        let isEmpty = messages.isEmpty && !isLoading
        let css = isEmpty ? draw(appearance.emptyState, frame, &writer) : draw(appearance, frame, &writer)
        writer.markup("</div><template id=\"blank\">")
        writer.markup(
            appearance.layout == .horizontal
                ? "<ul class=\"ib-list ib-row ib-blanks\">" : "<ul class=\"ib-list ib-blanks\">"
        )
        BlankCards.draw(&writer)
        writer.markup("</ul></template><p id=\"waiting\" class=\"ib-unseen\" role=\"status\">")
        if isLoading { writer.text(texts[.loading]) }
        writer.markup("</p><p id=\"more\" data-live class=\"ib-more\">")
        if let next {
            let grows = next.before == view.before
            writer.link(
                to: addresses.list(next),
                class: grows ? "ib-action ib-grow" : "ib-action",
                label: texts[.loadMore]
            )
        }
        writer.markup("</p></main>")
        return frame.page(title: unread.count > 0 ? "(\(unread.text)) \(title)" : title, isLive: true, css: css, writer)
    }

    /// Renders the cards.
    ///
    /// - Returns: The styles of the cards.
    private func draw(_ appearance: SurfaceAppearance, _ frame: PageFrame, _ writer: inout HTMLWriter) -> String {
        let context = CardContext(
            unreadIndicator: appearance.unreadIndicator,
            relativeTime: frame.relativeTime,
            now: frame.now
        )
        var sheet = StyleSheet()
        let gap = sheet.name(for: .gap(Double(settings.cardSpacing)))
        var cards = CardHTML(addresses: frame.addresses.cards(of: view), sheet: sheet)
        // The cards are written to the page's own memory, without a copy.
        swap(&cards.writer, &writer)
        let isRow = appearance.layout == .horizontal
        cards.writer.markup(isRow ? "<ul class=\"ib-list ib-row " : "<ul class=\"ib-list ")
        cards.writer.name(gap)
        cards.writer.markup("\">")
        for message in messages {
            cards.writer.markup("<li data-key=\"")
            cards.writer.text(message.id)
            cards.writer.markup("\">")
            cards.draw(context.card(of: message))
            cards.writer.markup("</li>")
        }
        if isLoading { BlankCards.draw(&cards.writer) }
        cards.writer.markup("</ul>")
        swap(&cards.writer, &writer)
        return cards.sheet.css
    }

    /// Renders the empty state.
    private func draw(_ settings: SurfaceAppearance.EmptyState?, _ frame: PageFrame, _ writer: inout HTMLWriter)
        -> String
    {
        writer.markup("<div class=\"ib-state\">")
        if let address = WebLink.picture(settings?.image?.media.url) {
            writer.picture(at: address, dark: settings?.image?.media.darkURL, alt: settings?.image?.alt)
        } else {
            writer.emptyTray()
        }
        let hasCustomTexts = self.settings.emptyTitle != nil || self.settings.emptyMessage != nil
        let title = hasCustomTexts ? self.settings.emptyTitle : frame.texts[.emptyTitle]
        let message = hasCustomTexts ? self.settings.emptyMessage : frame.texts[.emptyMessage]
        if let title, !title.isEmpty {
            writer.markup("<h2 dir=\"auto\">")
            writer.lines(title)
            writer.markup("</h2>")
        }
        if let message, !message.isEmpty {
            writer.markup("<p dir=\"auto\">")
            writer.lines(message)
            writer.markup("</p>")
        }
        writer.markup("</div>")
        return ""
    }

    private func draw(_ undoable: Message, _ frame: PageFrame, _ writer: inout HTMLWriter) {
        writer.markup("<div class=\"ib-notice\"><span>")
        writer.text(frame.texts[undoable.deletedAt == nil ? .archived : .dismissed])
        writer.markup(" · <bdi>")
        writer.text(undoable.title.isEmpty ? frame.texts[.message] : undoable.title)
        writer.markup("</bdi></span>")
        writer.form(
            to: frame.addresses.action(.restore, of: undoable.id, from: view),
            class: "ib-quiet",
            label: frame.texts[.undo]
        )
        writer.markup("</div>")
    }
}

extension HTMLWriter {
    /// Writes a decorative icon of an empty tray.
    mutating func emptyTray() {
        markup("<svg class=\"ib-tray\" viewBox=\"0 0 64 48\" aria-hidden=\"true\" focusable=\"false\">")
        markup("<path d=\"M12 4h40l8 24v14a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V28z\"/>")
        markup("<path d=\"M4 28h16l4 7h16l4-7h16\"/></svg>")
    }
}
