import Foundation
import Groundwork
import Testing

@testable import inbox

/// Measuring and cleaning of senders' texts.
@Suite(.timeLimit(.minutes(10))) struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("طرد", 3), ("🚲", 2), ("🇯🇵", 2), ("…", 1), ("●", 1),
        ("\u{1B}[1mab\u{1B}[0m", 2), ("\u{2068}ab\u{2069}", 2), ("", 0),
    ])
    func `text has its width in columns`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `entries of the audit log are in columns, without those that are empty`() {
        func lines(_ entries: [JSON]) -> [String] {
            // Without colors, which a terminal has.
            AuditCommand.lines(entries).map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        }
        let made: JSON = ["at": "2026-12-01T08:00:00Z", "kind": "key.made", "by": "k1", "detail": ["key": "k12"]]
        let erased: JSON = [
            "at": "2026-12-01T08:00:00.5Z", "kind": "person.erased", "by": "k12", "person": "東京", "erasure": "e1",
        ]
        let refused: JSON = [
            "at": "2026-12-01T09:00:00Z", "kind": "key.refused", "count": 3, "reason": "wrong",
        ]
        let rotated: JSON = ["at": "2026-12-01T10:00:00Z", "kind": "signingKey.rotated", "by": "tool"]
        #expect(
            lines([made, erased, refused, rotated]) == [
                #"2026-12-01T08:00:00Z    key.made            by k1          {"key":"k12"}"#,
                "2026-12-01T08:00:00.5Z  person.erased       by k12   東京  erased: e1",
                "2026-12-01T09:00:00Z    key.refused                        3 in one hour  wrong",
                "2026-12-01T10:00:00Z    signingKey.rotated  by tool",
            ]
        )
        #expect(lines([made]) == [#"2026-12-01T08:00:00Z  key.made  by k1  {"key":"k12"}"#])
        #expect(lines([]) == [])
    }

    @Test(arguments: 0...12)
    func `cut text is never wider than its limit`(limit: Int) {
        for text in ["Your parcel", "東京からの荷物", "a東b京c", "🚲🚲🚲🚲🚲🚲🚲"] {
            #expect(text.cut(to: limit).columns <= limit)
        }
        #expect("short".cut(to: 5) == "short")
        #expect("東京から".cut(to: 6) == "東京…")
    }

    @Test func `a cut line keeps the ends of its colors and isolates`() {
        let line = "\u{1B}[1mInbox 3\u{1B}[22m · \u{1B}[2m\u{2068}طردك جاهز\u{2069}\u{1B}[22m"
        #expect(line.cutLine(to: 100) == line)
        #expect(line.cutLine(to: 12) == "\u{1B}[1mInbox 3\u{1B}[22m · \u{1B}[2m\u{2068}ط…\u{2069}\u{1B}[22m")
        #expect(line.cutLine(to: 5) == "\u{1B}[1mInbo…\u{1B}[22m\u{1B}[2m\u{2069}\u{1B}[22m")
        for limit in 0...20 {
            for text in [line, "東京からの荷物", "🚲🚲🚲🚲🚲🚲🚲", "plain"] {
                #expect(text.cutLine(to: limit).columns <= limit, "\(limit)")
            }
        }
    }

    @Test(arguments: 2...20)
    func `wrapped text has no wide line and loses nothing`(width: Int) {
        let text = "Is 12 Harbour Lane still right?\n\n東京からの荷物が通関しました 🚲 yes"
        let lines = text.wrapped(to: width)
        for line in lines { #expect(line.columns <= width) }
        let letters = text.filter { !$0.isWhitespace }
        #expect(lines.joined().filter { !$0.isWhitespace } == letters)
    }

    @Test func `a plain line has no controls, one line and whole emoji`() {
        #expect("a\u{1B}[31mb\r\n\tc\u{202E}d\u{7}".plainLine == "a[31mb cd")
        #expect("👩‍🚀 ❤️ 👍🏽 👨‍👩‍👧‍👦".plainLine == "👩‍🚀 ❤️ 👍🏽 👨‍👩‍👧‍👦")
        #expect("👩‍🚀❤️👍🏽👨‍👩‍👧‍👦🇩🇪".map(\.columns) == [2, 2, 2, 2, 2])
        #expect("  x  ".plainLine == "x")
    }

    @Test func `plain text keeps line breaks only`() {
        #expect("a\r\nb\u{1B}]0;title\u{7}\tc".plainText == "a\nb]0;title    c")
    }

    private static let relativeTimes: [(Double, String)] = [
        (0, "now"), (59, "now"), (60, "1 min ago"), (157, "2 min ago"), (3_599, "59 min ago"), (7_000, "1 h ago"),
        (86_399, "23 h ago"), (90_000, "1 d ago"), (-10, "in a moment"), (-100, "in 2 min"), (-7_000, "in 2 h"),
        (-7_200, "in 2 h"), (-85_000, "in 23 h"), (864_000, "21 Apr"), (34_560_000, "2025-03-27"),
        // Days are those of the calendar, as on a card.
        (130_000, "2 d ago"), (-130_000, "in 2 d"), (518_400, "6 d ago"), (570_240, "24 Apr"),
    ]

    @Test(arguments: relativeTimes)
    func `a relative time is short`(secondsAgo: Double, text: String) throws {
        let now = try Date("2026-05-01T12:00:00Z", strategy: .iso8601)
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        #expect(ShortTime.text(now.addingTimeInterval(-secondsAgo), now: now, timeZone: zone) == text)
    }

    @Test(arguments: [
        (7_200, "2026-05-01 10:00 (2 h ago)"), (-90_000, "2026-05-02 13:00 (in 1 d)"),
        (604_800, "2026-04-24 12:00"), (570_240, "2026-04-24 21:36"), (-34_560_000, "2027-06-05 12:00"),
    ])
    func `an exact time has the distance within a week`(secondsAgo: Double, text: String) throws {
        let now = try Date("2026-05-01T12:00:00Z", strategy: .iso8601)
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        #expect(ShortTime.exact(now.addingTimeInterval(-secondsAgo), now: now, timeZone: zone) == text)
    }
}
