import InboxCards
package import InboxModel

/// The page with the list of cards.
package struct ListPage: Sendable {
    /// The messages in display order.
    package var messages: [Message]
    /// The numbers of the tabs' messages.
    package var counts: TabCounts
    /// The surface's settings.
    package var settings: InboxSettings
    /// The part of the inbox that the page shows.
    package var view: ListView
    /// The next part, or nil at the end.
    package var next: ListView?
    /// Whether the page ends before it has as many messages as it may, because enough were examined.
    package var isCut: Bool
    /// The notice about the last action, or nil for none.
    package var notice: ListNotice?
    /// The state that the page shows, up to which all messages are marked as read. Nil if that isn't offered.
    package var state: String?
    /// Whether placeholders are shown for more cards. The server never sets it; the script shows placeholders if
    /// loading is slow.
    package var isLoading: Bool

    package init(
        messages: [Message],
        counts: TabCounts,
        settings: InboxSettings,
        view: ListView = ListView(),
        next: ListView? = nil,
        isCut: Bool = false,
        notice: ListNotice? = nil,
        state: String? = nil,
        isLoading: Bool = false
    ) {
        self.messages = messages
        self.counts = counts
        self.settings = settings
        self.view = view
        self.next = next
        self.isCut = isCut
        self.notice = notice
        self.state = state
        self.isLoading = isLoading
    }

    /// Returns the page as HTML. The only inline content are styles with the frame's nonce.
    package func html(_ frame: PageFrame) -> [UInt8] {
        let (texts, addresses, appearance) = (frame.texts, frame.addresses, SurfaceAppearance(settings))
        let (title, unread) = (appearance.heading?.content ?? texts[.inbox], counts.unread)
        var writer = HTMLWriter(capacity: 8_192 + messages.count * 3_000)
        writer.markup("<a class=\"ib-skip\" href=\"#messages\">")
        writer.text(texts[.skipToMessages])
        writer.markup("</a><header class=\"ib-header\"><div class=\"ib-titles\">")
        writer.markup("<h1 id=\"heading\" data-live tabindex=\"-1\" dir=\"auto\">")
        writer.lines(title)
        writer.markup("</h1><p id=\"unread\" data-live role=\"status\">")
        writer.text(unread.isExact ? texts.unreadCount(unread.count) : texts.unreadCount(atLeast: unread.count))
        writer.markup("</p></div>")
        writer.form(to: addresses.signOut, class: "ib-quiet", label: texts[.signOut])
        writer.markup("</header>")
        drawTabs(frame, &writer)
        writer.markup("<main class=\"ib-main\"><div id=\"notice\" role=\"status\" tabindex=\"-1\">")
        notice?.draw(frame, view: view, &writer)
        writer.markup("</div>")
        drawFound(frame, &writer)
        drawReadAll(frame, &writer)
        if view.before != nil {
            writer.markup("<p class=\"ib-back\">")
            writer.link(to: addresses.list(view.start), class: "ib-quiet", label: texts[.back])
            writer.markup("</p>")
        }

        writer.markup("<div id=\"messages\" data-live=\"list\" tabindex=\"-1\"")
        if isLoading { writer.markup(" aria-busy=\"true\"") }
        writer.markup(">")
        let isEmpty = messages.isEmpty && !isLoading
        let forms = MessageForms(frame, from: view)
        let css = isEmpty ? drawEmptyState(appearance.emptyState, frame, &writer) : draw(appearance, forms, &writer)
        writer.markup("</div><template id=\"blank\">")
        writer.markup(
            appearance.layout == .horizontal
                ? "<ul class=\"ib-list ib-row ib-blanks\">" : "<ul class=\"ib-list ib-blanks\">"
        )
        CardPlaceholders.draw(&writer)
        writer.markup("</ul></template><p id=\"waiting\" class=\"ib-unseen\" role=\"status\">")
        if isLoading { writer.text(texts[.loading]) }
        writer.markup("</p><p id=\"chosen\" class=\"ib-unseen\" role=\"status\"></p>")
        writer.markup("<p id=\"more\" data-live class=\"ib-more\">")
        if let next {
            let grows = next.before == view.before
            writer.link(
                to: addresses.list(next),
                class: grows ? "ib-action ib-grow" : "ib-action",
                label: texts[grows ? .loadMore : .olderMessages]
            )
        }
        writer.markup("</p>")
        if !isEmpty { forms.drawSelectionBar(&writer) }
        writer.markup("</main>")
        return frame.page(title: documentTitle(title, texts), isLive: true, css: css, writer)
    }

    /// Returns the title in the browser's tab, which a screen reader reads first. It has the number of unread messages,
    /// or that of the results of a search.
    private func documentTitle(_ title: String, _ texts: CardTexts) -> String {
        if let search = view.search {
            return [search, foundText(texts), title].compactMap { $0 }.joined(separator: " · ")
        }
        return counts.unread.count > 0 ? "(\(counts.unread.text)) \(title)" : title
    }

    /// Renders the cards.
    ///
    /// - Returns: The styles of the cards.
    private func draw(_ appearance: SurfaceAppearance, _ forms: MessageForms, _ writer: inout HTMLWriter) -> String {
        let frame = forms.frame
        let context = CardContext(
            unreadIndicator: appearance.unreadIndicator.readable,
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
            cards.writer.markup("\" id=\"")
            cards.writer.name(PageAddresses.anchor)
            cards.writer.text(message.id)
            cards.writer.markup("\">")
            cards.draw(context.card(of: message))
            forms.drawTools(of: message, &cards.writer)
            cards.writer.markup("</li>")
        }
        if isLoading { CardPlaceholders.draw(&cards.writer) }
        cards.writer.markup("</ul>")
        swap(&cards.writer, &writer)
        return cards.sheet.css
    }

    /// Renders the empty state: the surface's own in the inbox, else that of the tab or of the search.
    private func drawEmptyState(
        _ own: SurfaceAppearance.EmptyState?,
        _ frame: PageFrame,
        _ writer: inout HTMLWriter
    ) -> String {
        let isSearch = view.search != nil
        let settings = view.tab == .inbox && !isSearch ? own : nil
        writer.markup("<div class=\"ib-state\">")
        if let address = WebLink.picture(settings?.image?.media.url) {
            writer.picture(at: address, dark: settings?.image?.media.darkURL, alt: settings?.image?.alt)
        } else {
            writer.emptyInboxIcon()
        }
        let hasCustomTexts =
            view.tab == .inbox && !isSearch
            && (self.settings.emptyTitle != nil || self.settings.emptyMessage != nil)
        let texts = isSearch ? (frame.texts[.noMatches], nil) : frame.texts.emptyTexts(of: view.tab)
        let title = hasCustomTexts ? self.settings.emptyTitle : texts.0
        let message = hasCustomTexts ? self.settings.emptyMessage : isCut ? frame.texts[.moreToSearch] : texts.1
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
}

extension HTMLWriter {
    /// Writes a decorative icon of an empty tray.
    mutating func emptyInboxIcon() {
        markup("<svg class=\"ib-tray\" viewBox=\"0 0 64 48\" aria-hidden=\"true\" focusable=\"false\">")
        markup("<path d=\"M12 4h40l8 24v14a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V28z\"/>")
        markup("<path d=\"M4 28h16l4 7h16l4-7h16\"/></svg>")
    }
}
