import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct PluralTextTests {
    private static let numbers = [0, 1, 2, 3, 10, 11, 21, 100, 101, 103, 1_000_000]

    private static let expected: [(CardLanguage, [String])] = [
        (
            .english,
            [
                "No unread messages", "1 unread message", "2 unread messages", "3 unread messages",
                "10 unread messages",
                "11 unread messages", "21 unread messages", "100 unread messages", "101 unread messages",
                "103 unread messages", "1,000,000 unread messages",
            ]
        ),
        (
            .german,
            [
                "Keine ungelesenen Nachrichten", "1 ungelesene Nachricht", "2 ungelesene Nachrichten",
                "3 ungelesene Nachrichten", "10 ungelesene Nachrichten", "11 ungelesene Nachrichten",
                "21 ungelesene Nachrichten", "100 ungelesene Nachrichten", "101 ungelesene Nachrichten",
                "103 ungelesene Nachrichten", "1.000.000 ungelesene Nachrichten",
            ]
        ),
        (
            .french,
            [
                "Aucun message non lu", "1 message non lu", "2 messages non lus", "3 messages non lus",
                "10 messages non lus", "11 messages non lus", "21 messages non lus", "100 messages non lus",
                "101 messages non lus", "103 messages non lus", "1 000 000 de messages non lus",
            ]
        ),
        (
            .spanish,
            [
                "No hay mensajes no leídos", "1 mensaje no leído", "2 mensajes no leídos", "3 mensajes no leídos",
                "10 mensajes no leídos", "11 mensajes no leídos", "21 mensajes no leídos", "100 mensajes no leídos",
                "101 mensajes no leídos", "103 mensajes no leídos", "1.000.000 de mensajes no leídos",
            ]
        ),
        (
            .portuguese,
            [
                "Nenhuma mensagem não lida", "1 mensagem não lida", "2 mensagens não lidas", "3 mensagens não lidas",
                "10 mensagens não lidas", "11 mensagens não lidas", "21 mensagens não lidas", "100 mensagens não lidas",
                "101 mensagens não lidas", "103 mensagens não lidas", "1.000.000 de mensagens não lidas",
            ]
        ),
        (
            .japanese,
            [
                "未読メッセージはありません", "未読メッセージ1件", "未読メッセージ2件", "未読メッセージ3件", "未読メッセージ10件", "未読メッセージ11件",
                "未読メッセージ21件", "未読メッセージ100件", "未読メッセージ101件", "未読メッセージ103件", "未読メッセージ1,000,000件",
            ]
        ),
        (
            .arabic,
            [
                "لا توجد رسائل غير مقروءة", "رسالة واحدة غير مقروءة", "رسالتان غير مقروءتين", "3 رسائل غير مقروءة",
                "10 رسائل غير مقروءة", "11 رسالة غير مقروءة", "21 رسالة غير مقروءة", "100 رسالة غير مقروءة",
                "101 رسالة غير مقروءة", "103 رسائل غير مقروءة", "1,000,000 رسالة غير مقروءة",
            ]
        ),
        (
            .hebrew,
            [
                "אין הודעות שלא נקראו", "הודעה אחת שלא נקראה", "שתי הודעות שלא נקראו", "3 הודעות שלא נקראו",
                "10 הודעות שלא נקראו", "11 הודעות שלא נקראו", "21 הודעות שלא נקראו", "100 הודעות שלא נקראו",
                "101 הודעות שלא נקראו", "103 הודעות שלא נקראו", "1,000,000 הודעות שלא נקראו",
            ]
        ),
    ]

    @Test(arguments: expected)
    func `a number of unread messages has the plural form of its language`(
        _ language: CardLanguage,
        _ expected: [String]
    ) {
        let texts = CardTexts(language)
        #expect(Self.numbers.map { texts.unreadCount($0).plainSpaces } == expected)
    }

    @Test(arguments: [
        (CardLanguage.english, ["No messages", "1 message", "2 messages", "11 messages"]),
        (.german, ["Keine Nachrichten", "1 Nachricht", "2 Nachrichten", "11 Nachrichten"]),
        (.french, ["Aucun message", "1 message", "2 messages", "11 messages"]),
        (.spanish, ["Ningún mensaje", "1 mensaje", "2 mensajes", "11 mensajes"]),
        (.portuguese, ["Nenhuma mensagem", "1 mensagem", "2 mensagens", "11 mensagens"]),
        (.japanese, ["メッセージはありません", "メッセージ1件", "メッセージ2件", "メッセージ11件"]),
        (.arabic, ["لا توجد رسائل", "رسالة واحدة", "رسالتان", "11 رسالة"]),
        (.hebrew, ["אין הודעות", "הודעה אחת", "שתי הודעות", "11 הודעות"]),
    ])
    func `a number of messages has the plural form of its language`(_ language: CardLanguage, _ expected: [String]) {
        let texts = CardTexts(language)
        #expect([0, 1, 2, 11].map { texts.messageCount($0).plainSpaces } == expected)
        #expect(texts.messageCount(-1) == texts.messageCount(0))
    }

    @Test func `Arabic has six plural forms`() {
        var texts = CardTexts(.arabic)
        texts.unreadMessages = PluralText(zero: "0", one: "1", two: "2", few: "f", many: "m", other: "o")
        let forms = [0, 1, 2, 3, 10, 11, 99, 100, 101, 102, 103, 110, 111, 200].map(texts.unreadCount(_:))
        #expect(forms == ["0", "1", "2", "f", "f", "m", "m", "o", "o", "o", "f", "f", "m", "o"])
    }

    @Test(arguments: CardLanguage.allCases)
    func `plural forms for several numbers contain the number`(_ language: CardLanguage) {
        let text = language.unreadMessages
        for form in [text.few, text.many, text.other].compactMap({ $0 }) {
            #expect(form.components(separatedBy: PluralText.placeholder).count == 2)
        }
        for form in [text.zero, text.one, text.two, text.few, text.many, text.other].compactMap({ $0 }) {
            #expect(!form.replacing(PluralText.placeholder, with: "").contains { "{}%".contains($0) })
        }
    }

    @Test(arguments: CardLanguage.allCases)
    func `a missing plural form is the form for other numbers`(_ language: CardLanguage) {
        var texts = CardTexts(language)
        texts.unreadMessages = PluralText(other: "n")
        #expect(Self.numbers.map(texts.unreadCount(_:)).allSatisfy { $0 == "n" })
    }

    @Test func `zero without a form of its own is like one in French, like other in Spanish`() {
        for (language, form) in [(CardLanguage.french, "one"), (.portuguese, "one"), (.spanish, "n"), (.english, "n")] {
            var texts = CardTexts(language)
            texts.unreadMessages = PluralText(one: "one", many: "millions", other: "n")
            #expect(texts.unreadCount(0) == form)
        }
    }

    @Test(arguments: CardLanguage.allCases)
    func `a lower bound has its number and a plus sign, whatever it is`(_ language: CardLanguage) {
        let texts = CardTexts(language)
        for number in Self.numbers where number > 0 {
            let bound = number.formatted(.number.locale(texts.locale)) + "+"
            #expect(texts.messageCount(atLeast: number).contains(bound))
            #expect(texts.unreadCount(atLeast: number).contains(bound))
        }
        #expect(CardTexts().messageCount(atLeast: 1) == "1+ messages")
    }

    @Test func `a negative number is zero`() {
        #expect(CardTexts().unreadCount(-3) == "No unread messages")
        #expect(CardTexts().unreadCount(.min) == "No unread messages")
    }

    @Test func `digits are those of the locale`() {
        #expect(CardTexts(preferring: ["ar-EG"]).unreadCount(12) == "١٢ رسالة غير مقروءة")
        #expect(CardTexts(preferring: ["es-MX"]).unreadCount(12_345) == "12,345 mensajes no leídos")
    }
}
