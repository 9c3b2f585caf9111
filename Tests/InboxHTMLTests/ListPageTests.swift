import Foundation
import InboxCards
import InboxHTML
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListPageTests {
    private func frame(_ language: String = "en") throws -> PageFrame {
        PageFrame(
            language: PageLanguage(RelativeTime(texts: CardTexts(acceptLanguage: language), timeZone: .gmt)),
            now: Date(timeIntervalSince1970: 1_778_600_000),
            addresses: PageAddresses(root: "/inbox"),
            nonce: "n"
        )
    }

    private func html(_ page: ListPage, _ language: String = "en") throws -> String {
        String(decoding: page.html(try frame(language)), as: UTF8.self)
    }

    @Test func `each card's links are below the root and return to the same list`() throws {
        let message = Message(
            id: "m1",
            title: "Parcel",
            actions: [MessageAction(id: "a b", text: "Track", link: "https://example.com/")],
            deliverAt: Date(timeIntervalSince1970: 1_778_599_880)
        )
        let view = ListView(surface: "a&b", limit: 5)
        let page = try html(
            ListPage(
                messages: [message],
                counts: TabCounts(unread: UnreadCount(1)),
                settings: InboxSettings(),
                view: view
            )
        )
        #expect(page.contains("href=\"/inbox/messages/m1?surface=a%26b&amp;limit=5\""))
        #expect(page.contains("href=\"/inbox/messages/m1/go?surface=a%26b&amp;limit=5&amp;action=a%20b\""))
        #expect(page.contains("action=\"/inbox/messages/m1/dismiss?surface=a%26b&amp;limit=5\""))
        #expect(page.contains("2 minutes ago"))
        #expect(page.contains("<title>(1) Inbox</title>"))
    }

    @Test func `a stored button without a label has the name of its link on the message's page`() throws {
        let message = Message(
            id: "m1",
            title: "Parcel",
            actions: [MessageAction(id: "a", text: "", link: "https://e.com/3"), MessageAction(id: "b", text: "")],
            deliverAt: Date(timeIntervalSince1970: 1_778_599_880)
        )
        let page = String(decoding: DetailPage(message: message).html(try frame()), as: UTF8.self)
        let labels = page.matches(of: /<a class="ib-action[^>]*>([^<]*)<\/a>/).map { String($0.1) }
        #expect(labels == ["e.com", "b"])
    }

    @Test(arguments: [
        ("Parcel", "Text", "Parcel"), ("  \u{A0}", "Text", "Text"), ("", "\n  Dear Ann,\nBye", "Dear Ann,"),
        (" ", " \n", "Message"), ("", String(repeating: "a", count: 200), String(repeating: "a", count: 79) + "…"),
    ])
    func `a message is named by its title, or else by the beginning of its text`(
        _ title: String,
        _ body: String,
        _ name: String
    ) throws {
        let message = Message(id: "m1", title: title, body: body, deliverAt: .now)
        let list = try html(
            ListPage(messages: [message], counts: TabCounts(unread: UnreadCount(1)), settings: InboxSettings())
        )
        #expect(list.contains("aria-label=\"Select: \(name)\"") && list.contains("aria-label=\"Actions: \(name)\""))
        let page = String(decoding: DetailPage(message: message).html(try frame()), as: UTF8.self)
        #expect(page.contains("<title>\(name)</title>"))
        // A text without a title has no heading above it but for screen readers.
        let isText = title != "Parcel" && name != "Message"
        #expect(
            page.contains(
                isText ? "<h1 class=\"ib-unseen\" dir=\"auto\">\(name)</h1>" : "<h1 dir=\"auto\">\(name)</h1>"
            )
        )
    }

    @Test func `a message's page links back to its place in the list`() throws {
        let message = Message(id: "m1", title: "Parcel", deliverAt: .now)
        let view = ListView(surface: "offers", limit: 90)
        let page = String(decoding: DetailPage(message: message, view: view).html(try frame()), as: UTF8.self)
        let back = try #require(page.firstMatch(of: /<a class="ib-quiet ib-up" href="([^"]*)"/)).1
        #expect(back == "/inbox?surface=offers&amp;limit=90#message-m1")
        let list = try html(
            ListPage(
                messages: [message],
                counts: TabCounts(unread: UnreadCount(1)),
                settings: InboxSettings(),
                view: view
            )
        )
        #expect(list.contains("<li data-key=\"m1\" id=\"message-m1\">"))
    }

    @Test func `older pages link back to the newest page at its usual length`() throws {
        func back(_ view: ListView) throws -> String? {
            let page = try html(
                ListPage(messages: [], counts: TabCounts(unread: UnreadCount(0)), settings: InboxSettings(), view: view)
            )
            return page.firstMatch(of: /<p class="ib-back"><a class="ib-quiet" href="([^"]*)"/).map { String($0.1) }
        }
        #expect(try back(ListView(surface: "offers", before: "m1", limit: 40)) == "/inbox?surface=offers")
        #expect(try back(ListView(surface: "offers", limit: 40)) == nil)
    }

    @Test(arguments: [(MessageChange.archive, "Archived"), (.delete, "Deleted"), (.unarchive, "Moved to inbox")])
    func `the notice names the change and the message, or their number`(_ change: MessageChange, _ word: String) throws
    {
        func page(_ done: ListNotice.Done) throws -> String {
            try html(
                ListPage(
                    messages: [],
                    counts: TabCounts(unread: UnreadCount(0)),
                    settings: InboxSettings(),
                    view: ListView(tab: .archived),
                    notice: .done(done, undo: "t")
                )
            )
        }
        let one = try page(ListNotice.Done(change, count: 1, title: "<Parcel>"))
        #expect(one.contains("<span>\(word) · <bdi>&lt;Parcel&gt;</bdi></span>"))
        #expect(one.contains("action=\"/inbox/undo?tab=archived\"><input type=\"hidden\" name=\"undo\" value=\"t\">"))
        #expect(try page(ListNotice.Done(change, count: 3)).contains("<span>\(word) · 3 messages</span>"))
    }

    @Test(arguments: [(ListNotice.Outcome.time, true), (.nothing, true), (.gone, false), (.undone, false)])
    func `the notice of a refused form is marked, so that the script keeps the selection`(
        _ outcome: ListNotice.Outcome,
        _ isRefusal: Bool
    ) throws {
        let page = try html(
            ListPage(
                messages: [],
                counts: TabCounts(unread: UnreadCount(0)),
                settings: InboxSettings(),
                view: ListView(),
                notice: .outcome(outcome)
            )
        )
        #expect(page.contains("<div class=\"ib-notice\" data-refused><span>") == isRefusal)
        #expect(page.contains("<div class=\"ib-notice\"><span>") != isRefusal)
        #expect(PageScript.source.contains("[data-refused]"))
    }

    @Test func `a pinned message is named as such, on the list and on its own page`() throws {
        let until = Date(timeIntervalSince1970: 1_778_650_000)
        let messages = [
            Message(id: "m1", title: "One", isPinned: true, deliverAt: .now, snoozedUntil: until),
            Message(id: "m2", title: "Two", deliverAt: .now),
        ]
        func page(_ tab: InboxTab) throws -> String {
            try html(
                ListPage(
                    messages: messages,
                    counts: TabCounts(unread: UnreadCount(0)),
                    settings: InboxSettings(),
                    view: ListView(tab: tab)
                )
            )
        }
        let list = try page(.inbox)
        #expect(list.components(separatedBy: "<span class=\"ib-until\">Pinned</span>").count == 2)
        #expect(try page(.snoozed).contains("<span class=\"ib-until\">Pinned · <time"))
        let shown = try messages.map { String(decoding: DetailPage(message: $0).html(try frame()), as: UTF8.self) }
        #expect(shown[0].contains("</time> · Pinned</p>") && !shown[1].contains("Pinned"))
    }

    @Test(arguments: [
        (0, false, false, "No messages"), (1, false, false, "1 message"), (2, true, false, "2+ messages"),
        (2, false, true, "2+ messages"), (0, false, true, ""),
    ])
    func `a search has the number of what it has found, also in the document's title`(
        _ count: Int,
        _ hasNext: Bool,
        _ isCut: Bool,
        _ text: String
    ) throws {
        let messages = (0..<count).map { Message(id: "m\($0)", title: "One", deliverAt: .now) }
        func page(_ view: ListView) throws -> String {
            try html(
                ListPage(
                    messages: messages,
                    counts: TabCounts(unread: UnreadCount(3)),
                    settings: InboxSettings(),
                    view: view,
                    next: hasNext ? ListView(before: "1-m1") : nil,
                    isCut: isCut
                )
            )
        }
        let search = try page(ListView(search: "a<b"))
        #expect(search.contains("role=\"status\">\(text)</p>") && search.contains("id=\"found\""))
        #expect(search.contains("<title>a&lt;b · \(text.isEmpty ? "" : text + " · ")Inbox</title>"))
        #expect(search.contains(">Clear Search</a>") && search.contains("href=\"/inbox\">Clear Search"))
        let list = try page(ListView())
        #expect(!list.contains("id=\"found\"") && list.contains("<title>(3) Inbox</title>"))
    }

    @Test func `cards have the spacing of the surface`() throws {
        let message = Message(id: "m1", title: "One", deliverAt: .now)
        let page = try html(
            ListPage(
                messages: [message],
                counts: TabCounts(unread: UnreadCount(0)),
                settings: InboxSettings(cardSpacing: 32)
            )
        )
        let name = try #require(page.firstMatch(of: /<ul class="ib-list ([a-z0-9-]+)"/)).1
        #expect(page.contains(".\(name){gap:2rem}"))
    }

    @Test(
        arguments: [
            // Readable in both modes only with a color for each.
            ("#FFF3E0", "#2B1D0E", "light-dark(#fff3e0,#2b1d0e)"),
            ("#000000", "#2B1D0E", "light-dark(#ffffff,#2b1d0e)"),
            ("#FFF3E0", "#FFFFFF", "light-dark(#fff3e0,#1c1c1e)"), ("#FFF3E0", nil, "light-dark(#fff3e0,#1c1c1e)"),
            (nil, "#2B1D0E", "light-dark(#ffffff,#2b1d0e)"), ("#FF0000", "#FF0000", "light-dark(#ffffff,#1c1c1e)"),
            // Nearly transparent, so that the page's background is seen.
            ("#0000000A", nil, "#0000000a"),
        ] as [(String?, String?, String)]
    )
    func `an unread background on which text can't be read isn't used`(
        _ light: String?,
        _ dark: String?,
        _ expected: String
    ) throws {
        let message = Message(id: "m1", title: "One", deliverAt: .now)
        var settings = InboxSettings()
        (settings.unreadIndicator.background, settings.unreadIndicator.darkBackground) = (light, dark)
        let page = try html(
            ListPage(messages: [message], counts: TabCounts(unread: UnreadCount(1)), settings: settings)
        )
        #expect(
            page.contains("background-color:\(expected)"),
            "\(page.matches(of: /background-color:[^;}]*/).map(\.output))"
        )
    }

    @Test func `an empty list has the surface's texts, or the default ones`() throws {
        #expect(
            try html(ListPage(messages: [], counts: TabCounts(unread: UnreadCount(0)), settings: InboxSettings()))
                .contains("No Messages")
        )
        let own = InboxSettings(
            emptyTitle: "All done",
            emptyImage: Media(url: "https://example.com/a.png", alt: "A cat")
        )
        let page = try html(ListPage(messages: [], counts: TabCounts(unread: UnreadCount(0)), settings: own))
        #expect(page.contains(">All done</h2>"))
        #expect(page.contains("src=\"https://example.com/a.png\" alt=\"A cat\""))
        #expect(!page.contains("New messages appear here."))
    }

    @Test(arguments: CardLanguage.allCases)
    func `every language has its direction`(language: CardLanguage) throws {
        let page = try html(
            ListPage(messages: [], counts: TabCounts(unread: UnreadCount(0)), settings: InboxSettings()),
            language.rawValue
        )
        let direction = language == .arabic || language == .hebrew ? "rtl" : "ltr"
        #expect(page.contains("<html lang=\"\(language.rawValue)\" dir=\"\(direction)\">"))
    }

    @Test func `while more is loading, a status and blank cards follow the others`() throws {
        let message = Message(id: "m1", title: "One", deliverAt: .now)
        func page(_ messages: [Message], isLoading: Bool) throws -> Substring {
            let page = ListPage(
                messages: messages,
                counts: TabCounts(unread: UnreadCount(0)),
                settings: InboxSettings(),
                isLoading: isLoading
            )
            return try #require(try html(page).firstMatch(of: /<div id="messages".*?<p id="more"/)).output
        }
        let blanks = /<li class="ib-blank" aria-hidden="true">/
        for messages in [[], [message]] {
            let loading = try page(messages, isLoading: true)
            #expect(loading.contains("aria-busy=\"true\"") && loading.contains("role=\"status\">Loading…</p>"))
            let parts = loading.split(separator: "<template")
            #expect(parts[0].matches(of: blanks).count == 3)
            #expect(!parts[0].contains("No Messages"))
            // The server's page keeps blank cards in a template for the script, and shows none.
            let still = try page(messages, isLoading: false).split(separator: "<template")
            #expect(!still[0].contains(blanks) && !still[0].contains("aria-busy") && !still[1].contains("Loading"))
            #expect(still[1].matches(of: blanks).count == 3)
        }
    }

    @Test func `the notice of a problem has causes and a retry in the reader's language`() throws {
        let page = try html(
            ListPage(messages: [], counts: TabCounts(unread: UnreadCount(0)), settings: InboxSettings()),
            "fr"
        )
        for text in [CardText.actionFailed, .noNetwork, .offline, .errorMessage] {
            #expect(page.contains("=\"\(CardTexts(.french)[text])\""), "\(text)")
        }
        #expect(page.contains(/<template id="problem">.*<button type="button" class="ib-quiet">Réessayer<\/button>/))
        // It stays in view while the list is scrolled.
        #expect(PageStyle.css.contains("#notice:has(.ib-problem){position:sticky"))
    }

    @Test func `nothing is animated when the reader prefers reduced motion`() throws {
        // Each animation is in a media rule for readers without that preference.
        let reducedMotion = PageStyle.css.replacing(
            /@media \(prefers-reduced-motion:no-preference\)\{(?:[^{}]*\{(?:[^{}]|\{[^{}]*\})*\})*\}/,
            with: ""
        )
        #expect(
            PageStyle.css.contains("animation:") && !reducedMotion.contains("animation:")
                && !reducedMotion.contains("transition:")
        )
    }

    @Test func `a page's CSS needs no escaping`() {
        for css in [BaseStyle.css, PageStyle.css] { #expect(!css.contains("</")) }
    }
}
