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

    @Test func each_message_is_a_card_whose_parts_lead_below_the_root_and_back_to_the_same_list() throws {
        let message = Message(
            id: "m1",
            title: "Parcel",
            actions: [MessageAction(id: "a b", text: "Track", link: "https://example.com/")],
            deliverAt: Date(timeIntervalSince1970: 1_778_599_880)
        )
        let view = ListView(surface: "a&b", limit: 5)
        let page = try html(
            ListPage(messages: [message], unread: UnreadCount(1), settings: InboxSettings(), view: view)
        )
        #expect(page.contains("href=\"/inbox/messages/m1?surface=a%26b&amp;limit=5\""))
        #expect(page.contains("href=\"/inbox/messages/m1/go?surface=a%26b&amp;limit=5&amp;action=a%20b\""))
        #expect(page.contains("action=\"/inbox/messages/m1/dismiss?surface=a%26b&amp;limit=5\""))
        #expect(page.contains("2 minutes ago"))
        #expect(page.contains("<title>(1) Inbox</title>"))
    }

    @Test func from_older_messages_a_link_leads_back_to_the_newest_as_many_as_are_usual() throws {
        func back(_ view: ListView) throws -> String? {
            let page = try html(
                ListPage(messages: [], unread: UnreadCount(0), settings: InboxSettings(), view: view)
            )
            return page.firstMatch(of: /<p class="ib-back"><a class="ib-quiet" href="([^"]*)"/).map { String($0.1) }
        }
        #expect(try back(ListView(surface: "offers", before: "m1", limit: 40)) == "/inbox?surface=offers")
        #expect(try back(ListView(surface: "offers", limit: 40)) == nil)
    }

    @Test(arguments: [(nil, "Archived"), (Date(timeIntervalSince1970: 0), "Dismissed")])
    func what_was_just_put_away_is_named_with_what_was_done(deletedAt: Date?, word: String) throws {
        var message = Message(id: "m1", title: "Parcel", deliverAt: .now)
        message.deletedAt = deletedAt
        let page = try html(
            ListPage(messages: [], unread: UnreadCount(0), settings: InboxSettings(), undoable: message)
        )
        #expect(page.contains("<span>\(word) · <bdi>Parcel</bdi></span>"))
    }

    @Test func cards_are_as_far_apart_as_the_surface_says() throws {
        let message = Message(id: "m1", title: "One", deliverAt: .now)
        let page = try html(
            ListPage(messages: [message], unread: UnreadCount(0), settings: InboxSettings(cardSpacing: 32))
        )
        let name = try #require(page.firstMatch(of: /<ul class="ib-list ([a-z0-9-]+)"/)).1
        #expect(page.contains(".\(name){gap:2rem}"))
    }

    @Test func without_messages_it_says_what_the_surface_says_or_else_the_usual() throws {
        #expect(
            try html(ListPage(messages: [], unread: UnreadCount(0), settings: InboxSettings())).contains("Empty Inbox")
        )
        let own = InboxSettings(
            emptyTitle: "All done",
            emptyImage: Media(url: "https://example.com/a.png", alt: "A cat")
        )
        let page = try html(ListPage(messages: [], unread: UnreadCount(0), settings: own))
        #expect(page.contains(">All done</h2>"))
        #expect(page.contains("src=\"https://example.com/a.png\" alt=\"A cat\""))
        #expect(!page.contains("You have no messages yet."))
    }

    @Test(arguments: CardLanguage.allCases)
    func every_language_has_its_direction(language: CardLanguage) throws {
        let page = try html(
            ListPage(messages: [], unread: UnreadCount(0), settings: InboxSettings()),
            language.rawValue
        )
        let direction = language == .arabic || language == .hebrew ? "rtl" : "ltr"
        #expect(page.contains("<html lang=\"\(language.rawValue)\" dir=\"\(direction)\">"))
    }

    @Test func while_more_is_awaited_blank_cards_follow_the_others_and_words_say_so() throws {
        let message = Message(id: "m1", title: "One", deliverAt: .now)
        func page(_ messages: [Message], isLoading: Bool) throws -> Substring {
            let page = ListPage(
                messages: messages,
                unread: UnreadCount(0),
                settings: InboxSettings(),
                isLoading: isLoading
            )
            return try #require(try html(page).firstMatch(of: /<div id="messages".*?<p id="more"/)).output
        }
        let blanks = /<li class="ib-blank" aria-hidden="true">/
        for messages in [[], [message]] {
            let loading = try page(messages, isLoading: true)
            #expect(loading.contains("aria-busy=\"true\"") && loading.contains("role=\"status\">Loading...</p>"))
            let parts = loading.split(separator: "<template")
            #expect(parts[0].matches(of: blanks).count == 3)
            #expect(!parts[0].contains("Empty Inbox"))
            // What the server sends keeps them ready for the script, and shows none.
            let still = try page(messages, isLoading: false).split(separator: "<template")
            #expect(!still[0].contains(blanks) && !still[0].contains("aria-busy") && !still[1].contains("Loading"))
            #expect(still[1].matches(of: blanks).count == 3)
        }
    }

    @Test func nothing_moves_where_the_reader_wants_that() throws {
        // Each animation stands in a rule for readers who didn't ask for less.
        let calm = PageStyle.css.replacing(
            /@media \(prefers-reduced-motion:no-preference\)\{(?:[^{}]*\{(?:[^{}]|\{[^{}]*\})*\})*\}/,
            with: ""
        )
        #expect(PageStyle.css.contains("animation:") && !calm.contains("animation:") && !calm.contains("transition:"))
    }

    @Test func the_rules_of_a_page_are_not_changed_by_escaping() {
        for css in [BaseStyle.css, PageStyle.css] { #expect(!css.contains("</")) }
    }
}
