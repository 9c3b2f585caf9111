import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct CardTextsTests {
    @Test(arguments: CardLanguage.allCases)
    func every_text_says_something_without_stray_spaces(_ language: CardLanguage) {
        let texts = CardTexts(language)
        for text in CardText.allCases {
            #expect(!texts[text].isEmpty, "\(text)")
            #expect(texts[text].trimmingCharacters(in: .whitespacesAndNewlines) == texts[text], "\(text)")
            #expect(!texts[text].contains("  "), "\(text)")
        }
    }

    /// Words that are the same in both languages.
    private static let shared: [CardLanguage: Set<CardText>] = [.french: [.message, .actions]]

    @Test(arguments: CardLanguage.allCases.filter { $0 != .english })
    func no_text_was_left_in_English(_ language: CardLanguage) {
        let same = CardText.allCases.filter { CardTexts(language)[$0] == CardTexts()[$0] }
        #expect(Set(same) == Self.shared[language, default: []])
    }

    @Test(arguments: [(CardLanguage.arabic, 0x600...0x6FF), (.hebrew, 0x590...0x5FF)])
    func texts_from_right_to_left_have_letters_of_their_script_alone(
        _ language: CardLanguage,
        _ script: ClosedRange<Int>
    ) {
        for text in CardText.allCases {
            let letters = CardTexts(language)[text].unicodeScalars.filter(\.properties.isAlphabetic)
            #expect(!letters.isEmpty && letters.allSatisfy { script.contains(Int($0.value)) }, "\(text)")
        }
    }

    @Test func what_other_systems_document_is_word_for_word() {
        let documented: [CardText: String] = [
            .inbox: "Inbox", .screenTitle: "AppInbox", .emptyTitle: "Empty Inbox",
            .emptyMessage: "You have no messages yet.", .errorTitle: "Something went wrong :(",
            .errorMessage: "We could not retrieve your messages.", .message: "Message", .seeMore: "See more",
            .loading: "Loading...", .noCards: "No content cards available", .tryAgain: "Try Again",
            .loadingFailed: "An error occurred while loading your inbox",
        ]
        for (text, english) in documented { #expect(CardTexts()[text] == english) }
    }

    @Test(arguments: CardLanguage.allCases)
    func texts_that_stand_side_by_side_differ(_ language: CardLanguage) {
        let texts = CardTexts(language)
        let groups: [[CardText]] = [
            [
                .open, .back, .close, .dismiss, .markAsRead, .markAsUnread, .archive, .moveToInbox, .delete, .undo,
                .remindLater,
            ],
            [.unread, .pinned, .archived, .snoozed, .dismissed],
            [.signIn, .signOut, .signInAgain, .wrongToken, .linkEnded, .secureConnectionNeeded, .token],
            [.justNow, .now],
            [.loading, .noCards, .loadingFailed, .offline, .actionFailed, .messageGone, .nothingHere, .ownPageOnly],
            [.tryAgain, .refresh, .loadMore, .newMessages],
        ]
        for group in groups { #expect(Set(group.map { texts[$0] }).count == group.count) }
    }

    @Test(arguments: CardLanguage.allCases)
    func an_app_replaces_any_text_in_any_language_and_no_other(_ language: CardLanguage) {
        let original = CardTexts(language)
        for text in CardText.allCases {
            let changed = original.replacing(text, with: "Letters")
            #expect(changed[text] == "Letters")
            #expect(CardText.allCases.filter { changed[$0] != original[$0] } == [text])
            #expect(changed != original)
        }
    }

    @Test func a_later_replacement_counts_and_an_empty_one_too() {
        var texts = CardTexts().replacing([.inbox: "Letters", .open: "Read on"]).replacing([.inbox: "Mail"])
        #expect(texts[.inbox] == "Mail")
        #expect(texts[.open] == "Read on")
        texts[.inbox] = ""
        #expect(texts[.inbox] == "")
        #expect(texts == CardTexts().replacing([.inbox: "", .open: "Read on"]))
    }

    @Test func a_language_of_the_apps_own_has_its_direction_numbers_and_times() {
        var persian = CardTexts()
        persian.locale = Locale(identifier: "fa-IR")
        persian.unreadMessages = PluralText(other: "{count} پیام")
        #expect(persian.isRightToLeft)
        #expect(persian.languageTag == "fa-IR")
        #expect(persian.unreadCount(12) == "۱۲ پیام")
        let time = Date(timeIntervalSince1970: 1_778_594_700)
        let relative = RelativeTime(texts: persian, timeZone: .gmt).text(time, now: time + 7200)
        #expect(relative == "۲ ساعت پیش")
    }

    @Test(arguments: CardLanguage.allCases)
    func only_Arabic_and_Hebrew_go_from_right_to_left(_ language: CardLanguage) {
        #expect(CardTexts(language).isRightToLeft == [.arabic, .hebrew].contains(language))
        #expect(CardTexts(language).languageTag == language.rawValue)
    }
}
