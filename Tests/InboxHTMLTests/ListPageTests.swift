import Foundation
import InboxCards
import InboxHTML
import InboxModel
import Testing

struct ListPageTests {
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

    @Test func the_rules_of_a_page_are_not_changed_by_escaping() {
        for css in [BaseStyle.css, PageStyle.css] { #expect(!css.contains("</")) }
    }
}
