import Foundation
import HTMLCleaning
import InboxCards
import InboxModel
import Testing

@testable import inbox

/// Cards as the terminal shows them.
@Suite(.timeLimit(.minutes(10))) struct CardDrawingTests {
    private let now = Date(timeIntervalSince1970: 1_778_600_000)

    private func lines(_ message: Message, width: Int = 48, showsFullText: Bool = false) -> [String] {
        let context = CardContext(
            relativeTime: RelativeTime(texts: CardTexts(), timeZone: .gmt),
            now: now
        )
        return CardDrawing(width: width, showsFullText: showsFullText)
            .lines(Card(message, in: context), id: showsFullText ? "" : "x4k2p9", isPinned: message.isPinned)
    }

    private func message(title: String = "Your parcel is out for delivery", body: String = "") -> Message {
        Message(
            id: "m1",
            title: title,
            body: body,
            media: Media(url: "https://example.com/a.png", alt: "A map"),
            actions: [MessageAction(id: "a", text: "Follow the rider"), MessageAction(id: "b", text: "Later")],
            isPinned: true,
            deliverAt: now.addingTimeInterval(-7_200)
        )
    }

    @Test func `a card has marks, id, text, time, buttons and the picture's description`() {
        #expect(
            lines(message(body: "Our rider rings between 14:00 and 16:00, or a little later.")) == [
                "●▲ Your parcel is out for delivery        x4k2p9",
                "   Our rider rings between 14:00 and 16:00, or a",
                "   little later.",
                "   2 hours ago",
                "   [Follow the rider]  [Later]",
                "   ▣ A map",
            ]
        )
    }

    @Test func `a read card has no unread mark`() {
        var read = message()
        read.readAt = now
        #expect(lines(read)[0].hasPrefix(" ▲ "))
    }

    @Test func `a surface's settings hide the unread mark and add a title`() {
        var offers = InboxSettings(title: "Offers\u{1B}[2J of the week")
        offers.unreadIndicator.isShown = false
        let settings = SurfaceSettings(["offers": offers])
        var message = message()
        func lines(_ surface: String?) -> [String] {
            CardList(width: 48, now: now, settings: settings, surface: surface).lines([message])
        }
        // The settings are another surface's.
        #expect(lines(nil)[0].hasPrefix("●▲ ") && lines("inbox")[0].hasPrefix("●▲ "))
        message.surface = "offers"
        #expect(lines(nil)[0].hasPrefix(" ▲ "))
        #expect(lines("offers")[0].contains("Offers[2J of the week") && lines("offers")[1].isEmpty)
        #expect(lines("offers")[2].hasPrefix(" ▲ "))
        #expect(MessagePage(width: 48, now: now, settings: settings).lines(message)[0].hasPrefix(" ▲ "))
    }

    @Test func `long text is cut in a list and whole on its own page`() {
        let body = (1...40).map { "word\($0)" }.joined(separator: " ") + "\n\nlast"
        let short = lines(message(body: body))
        #expect(short.count == 7)
        #expect(short[3].hasSuffix("…"))
        let whole = lines(message(body: body), showsFullText: true).joined(separator: " ")
        #expect(whole.contains("word40") && whole.contains("last"))
    }

    @Test(arguments: 10...100)
    func `no line is wider than the terminal`(width: Int) {
        for title in [
            "Your parcel is out for delivery today", "東京からの荷物が通関しました", "طردك جاهز للاستلام اليوم", "",
            "Donaudampfschifffahrt🚲",
        ] {
            for line in lines(message(title: title, body: title + " " + title), width: max(20, width)) {
                #expect(line.columns <= max(20, width), "\(line)")
            }
        }
    }

    @Test func `a picture without a description has words beside its id`() {
        let picture = Message(
            id: "m1",
            media: Media(url: "https://example.com/a.png"),
            templateID: "ImageOnly",
            deliverAt: now
        )
        #expect(lines(picture) == ["●  (no text)                              x4k2p9"])
        #expect(picture.headline == "(no text)")
    }

    @Test func `the id stays on its line where the parts of an emoji are drawn side by side`() {
        #expect("a👩‍🚀b".columns == 4 && "a👩‍🚀b".widestColumns == 6 && "👍🏽🇩🇪 ❤️".widestColumns == 7)
        for title in [
            "👨‍👩‍👧‍👦 Family", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦 A title that needs more than the line it has", "👩‍🚀",
        ] {
            let first = lines(message(title: title))[0]
            #expect(first.hasSuffix("  x4k2p9") && first.widestColumns <= 48, "\(first)")
        }
    }

    @Test func `right-to-left text is isolated from the rest of its line`() {
        let lines = lines(message(title: "طردك جاهز", body: "يمكنك استلامه"))
        #expect(lines[0].contains("\u{2068}طردك جاهز\u{2069}"))
        #expect(lines[0].hasPrefix("●▲ ") && lines[0].hasSuffix("x4k2p9"))
        #expect(lines[1] == "   \u{2068}يمكنك استلامه\u{2069}")
    }

    @Test func `hostile text can't move the cursor`() {
        let hostile = "a\u{1B}[2J\u{202E}b\rc"
        for line in lines(message(title: hostile, body: hostile)) {
            #expect(!line.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\r" })
        }
    }

    private func page(html: String, width: Int = 48) -> [String] {
        var message = message()
        message.html = html
        return MessagePage(width: width, now: now, settings: SurfaceSettings([:])).lines(message)
    }

    @Test func `a message's HTML is drawn below its card, with its links numbered`() throws {
        let html = """
            <h1>Spring</h1><ul><li>Tulips<li data-link="app://shop/1">Daffodils</ul><script>no()</script>\
            <table><tr><td>Pots<td>3</table><blockquote>Lovely</blockquote><a href=https://example.com/all>All</a>
            """
        let lines = page(html: html)
        let start = try #require(lines.firstIndex(of: "# Spring"))
        #expect(
            lines[start..<(start + 13)] == [
                "# Spring", "", "- Tulips", "- Daffodils [1]", "", "Pots  3", "", "> Lovely", "", "All [2]", "",
                "[1] app://shop/1", "[2] https://example.com/all",
            ]
        )
        #expect(lines[start - 1] == "")
    }

    @Test(arguments: [20, 48, 200])
    func `hostile HTML can't move the cursor, and no line is too wide`(width: Int) {
        let hostile = "a&#27;[2J\u{1B}]0;x\u{7}\u{202E}b&#x202E;&#13;\u{9B}c" + String(repeating: "日", count: 300)
        let html = """
            <h1>\(hostile)</h1><pre>\(hostile)</pre><table><tr><td>\(hostile)<td>\(hostile)</table>\
            <img alt="\(hostile)" src=x><blockquote>\(hostile)</blockquote>\
            <a href="https://example.com/\(hostile)">\(hostile)</a><a data-link="app://\(hostile)">b</a><a href="https://example.com/a">c</a>
            """
        let drawn = HTMLDrawing(width: width, options: .init(linkSchemes: nil, readsActions: true)).lines(html)
        for line in page(html: html, width: width) + drawn {
            #expect(
                !line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" },
                "\(line)"
            )
        }
        let links = drawn.filter { $0.wholeMatch(of: /\[[0-9]+\] [a-z]+:.*/) != nil }
        #expect(!links.isEmpty)
        #expect(drawn.allSatisfy { $0.columns <= width || links.contains($0) })
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], "de-AT"), (["LANG": "C"], "en"), (["LC_ALL": "POSIX", "LANG": "fr_FR"], "en"),
        (["LC_ALL": "", "LANG": "he_IL.UTF-8@x"], "he-IL"), ([:], "en"), (["LANG": "xx"], "en"),
        (["LC_MESSAGES": "ja_JP.eucJP", "LANG": "fr"], "ja-JP"),
    ])
    func `the language is the environment's`(environment: [String: String], tag: String) {
        #expect(TerminalLanguage.texts(environment).languageTag == tag)
    }
}
