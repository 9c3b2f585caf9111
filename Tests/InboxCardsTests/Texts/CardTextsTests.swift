import Foundation
import InboxCards
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct CardTextsTests {
    @Test(arguments: CardLanguage.allCases)
    func `every text is non-empty, without superfluous spaces`(_ language: CardLanguage) {
        let texts = CardTexts(language)
        for text in CardText.allCases {
            #expect(!texts[text].isEmpty, "\(text)")
            #expect(texts[text].trimmingCharacters(in: .whitespacesAndNewlines) == texts[text], "\(text)")
            #expect(!texts[text].contains("  "), "\(text)")
        }
    }

    /// Texts that are the same in English.
    private static let shared: [CardLanguage: Set<CardText>] = [
        .german: [.cc, .bcc, .accounts], .french: [.message, .messages, .actions, .cc], .spanish: [.no, .cc],
        .portuguese: [.cc], .japanese: [.cc, .bcc],
    ]

    @Test(arguments: CardLanguage.allCases.filter { $0 != .english })
    func `no text is left in English`(_ language: CardLanguage) {
        let same = CardText.allCases.filter { CardTexts(language)[$0] == CardTexts()[$0] }
        #expect(Set(same) == Self.shared[language, default: []])
    }

    @Test(arguments: [(CardLanguage.arabic, 0x600...0x6FF), (.hebrew, 0x590...0x5FF)])
    func `right-to-left texts have letters of their script only`(
        _ language: CardLanguage,
        _ script: ClosedRange<Int>
    ) {
        for text in CardText.allCases {
            let letters = CardTexts(language)[text].unicodeScalars.filter(\.properties.isAlphabetic)
            #expect(!letters.isEmpty && letters.allSatisfy { script.contains(Int($0.value)) }, "\(text)")
        }
    }

    /// Requests are in the familiar form throughout, and the inbox has one name.
    @Test(arguments: [
        (CardLanguage.spanish, ["Elija", "Inténtelo", "Inicie", "Vuelva", "Revise", "Envíe", "usted"]),
        (.hebrew, ["תיבת הדואר"]),
    ])
    func `a language has one form of address and one word for the inbox`(_ language: CardLanguage, _ other: [String]) {
        for text in CardText.allCases {
            let words = other.filter { CardTexts(language)[text].contains($0) }
            #expect(words.isEmpty, "\(text)")
        }
    }

    /// The layers of other systems have texts of their own.
    @Test func `no text is another system's`() {
        let others = [
            "AppInbox", "Empty Inbox", "You have no messages yet.", "Something went wrong :(",
            "We could not retrieve your messages.", "See more", "Loading...", "No content cards available",
            "An error occurred while loading your inbox",
        ]
        for text in CardText.allCases { #expect(!others.contains(CardTexts()[text]), "\(text)") }
    }

    @Test(arguments: [
        (CardLanguage.french, "Non lus", "Archivés", "Supprimés · 2 messages", "Supprimé · 1 message"),
        (.spanish, "No leídos", "Archivados", "Eliminados · 2 mensajes", "Eliminado · 1 mensaje"),
        (.portuguese, "Não lidas", "Arquivadas", "Apagadas · 2 mensagens", "Apagada · 1 mensagem"),
        (.hebrew, "לא נקראו", "בארכיון", "נמחקו · שתי הודעות", "נמחקה · הודעה אחת"),
        (.german, "Ungelesen", "Archiviert", "Gelöscht · 2 Nachrichten", "Gelöscht · 1 Nachricht"),
    ])
    func `a tab's name and what was done are plural beside a number of messages`(
        _ language: CardLanguage,
        _ unread: String,
        _ archived: String,
        _ two: String,
        _ one: String
    ) {
        let texts = CardTexts(language)
        #expect(texts.name(of: InboxTab.unread) == unread && texts.name(of: InboxTab.archived) == archived)
        #expect(texts.pastName(of: .delete, count: 2).plainSpaces == two)
        #expect(texts.pastName(of: .delete, count: 1).plainSpaces == one)
        // One message alone is singular: the label of its unread indicator.
        #expect(language == .german || texts[.unread] != unread)
    }

    /// A message that a person has snoozed is in a list whose name has the action's word.
    @Test(arguments: [
        (CardLanguage.english, "snooze"), (.german, "zurück"), (.french, "report"), (.spanish, "posp"),
        (.portuguese, "adia"), (.japanese, "スヌーズ"), (.hebrew, "דח"),
    ])
    func `the action that snoozes and the list of snoozed messages have one name`(
        _ language: CardLanguage,
        _ stem: String
    ) {
        for text in [CardText.remindLater, .snoozed] {
            #expect(CardTexts(language)[text].lowercased().contains(stem), "\(text)")
        }
    }

    @Test(arguments: CardLanguage.allCases)
    func `texts shown side by side differ`(_ language: CardLanguage) {
        let texts = CardTexts(language)
        let groups: [[CardText]] = [
            [
                .open, .back, .close, .dismiss, .markAsRead, .markAsUnread, .archive, .moveToInbox, .delete, .undo,
                .remindLater,
            ],
            [.unread, .pinned, .archived, .snoozed, .dismissed],
            [.signIn, .signOut, .signInAgain, .wrongToken, .linkEnded, .secureConnectionNeeded, .token],
            [.justNow, .now],
            [.laterToday, .tomorrow, .thisWeekend, .nextWeek, .pickDate, .cancel],
            [.select, .selectAll, .cancel, .search, .markAllAsRead, .markAsRead],
            [.deleted, .archived, .snoozed, .markedAsRead, .markedAsUnread, .movedToInbox],
            [.loading, .offline, .actionFailed, .messageGone, .nothingHere, .ownPageOnly],
            [.tryAgain, .refresh, .loadMore, .newMessages],
            [.fromField, .toField, .ccField, .bccField, .subject, .message],
            [.send, .sendLater, .sendAnyway, .sendAgain, .sendNow, .cancelSending, .edit, .cancel],
            [.keepWriting, .saveDraft, .discardDraft, .useOtherVersion, .discardOtherVersion],
            [.waitingToSend, .sending, .notSent, .maybeSent, .mailSent],
            [.sendingAttempts, .lastAttempt, .mailNotOnServer, .mailNotAmongSent, .mailHeldNoLonger],
            [.yes, .no],
            Self.signInFailures,
        ]
        for group in groups { #expect(Set(group.map { texts[$0] }).count == group.count) }
    }

    /// Each failure of a sign-in has words of its own.
    private static let signInFailures: [CardText] = [
        .invalidMailAddress, .accessDenied, .signInRefused, .wrongIssuer, .wrongRedirect, .signInExpired, .noNetwork,
        .serverTimedOut, .noMailServer, .oldMailServer, .noBrowserSignIn, .appNotRegistered, .unreadableAnswer,
        .serverFailed, .noBrowser, .signInNotStored, .signInAgain,
    ]

    @Test(arguments: CardLanguage.allCases)
    func `a text has the same placeholders in each language`(_ language: CardLanguage) {
        for text in CardText.allCases {
            let places = { (texts: CardTexts) in texts[text].components(separatedBy: CardTexts.placeholder).count }
            #expect(places(CardTexts(language)) == places(CardTexts()), "\(text)")
        }
        let texts = CardTexts(language)
        #expect(texts.filled(.hostQuestion, with: "mail.example.net").contains("mail.example.net"))
        #expect(!texts.filled(.hostQuestion, with: "%@").contains("%@%@"))
    }

    @Test(arguments: CardLanguage.allCases)
    func `an app replaces any text in any language, and only that text`(_ language: CardLanguage) {
        let original = CardTexts(language)
        for text in CardText.allCases {
            let changed = original.replacing(text, with: "Letters")
            #expect(changed[text] == "Letters")
            #expect(CardText.allCases.filter { changed[$0] != original[$0] } == [text])
            #expect(changed != original)
        }
    }

    @Test func `the later replacement counts, and it can be empty`() {
        var texts = CardTexts().replacing([.inbox: "Letters", .open: "Read on"]).replacing([.inbox: "Mail"])
        #expect(texts[.inbox] == "Mail")
        #expect(texts[.open] == "Read on")
        texts[.inbox] = ""
        #expect(texts[.inbox] == "")
        #expect(texts == CardTexts().replacing([.inbox: "", .open: "Read on"]))
    }

    @Test func `an app's own language has its direction, numbers and times`() {
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
    func `only Arabic and Hebrew are right to left`(_ language: CardLanguage) {
        #expect(CardTexts(language).isRightToLeft == [.arabic, .hebrew].contains(language))
        #expect(CardTexts(language).languageTag == language.rawValue)
    }
}
