import Foundation
import InboxCards
import Testing

@testable import inbox

/// The times on the command line.
@Suite(.timeLimit(.minutes(5))) struct TimeArgumentTests {
    private let vienna = TimeZone(identifier: "Europe/Vienna")!

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    /// In Vienna the clocks change on 2026-03-29 and on 2026-10-25, at 1 a.m. UTC.
    @Test(arguments: [
        ("+1d", "2026-10-24T10:30:00Z", "2026-10-25T11:30:00Z"),
        ("+1w", "2026-10-24T10:30:00Z", "2026-10-31T11:30:00Z"),
        ("+24h", "2026-10-24T10:30:00Z", "2026-10-25T10:30:00Z"),
        ("+2d", "2026-03-28T08:00:00Z", "2026-03-30T07:00:00Z"),
        ("+1440m", "2026-03-28T08:00:00Z", "2026-03-29T08:00:00Z"),
        ("-7d", "2026-10-27T07:00:00Z", "2026-10-20T06:00:00Z"),
        ("+105d", "2026-11-29T07:00:00Z", "2027-03-14T07:00:00Z"),
        ("+30s", "2026-10-25T00:59:40Z", "2026-10-25T01:00:10Z"),
    ])
    func `days and weeks keep the time of day, and hours are exact`(text: String, now: String, time: String) throws {
        let (now, time) = (try date(now), try date(time))
        let argument = try #require(TimeArgument(argument: text))
        #expect(argument.date(now: now, timeZone: vienna) == time)
        // For a snooze, and for a mail that is sent later.
        guard text.hasPrefix("+") else { return }
        let snooze = try SnoozeArgument(argument: text)
        let texts = CardTexts(preferring: ["de-AT"])
        #expect(try snooze.time(at: now, texts: texts, timeZone: vienna) == time)
    }

    @Test(arguments: ["1d", "+", "+d", "+1", "+1y", "+-1d", "+1000001d", "+1.5h", "tomorrow", ""])
    func `other texts aren't times`(text: String) {
        #expect(TimeArgument(argument: text) == nil)
    }

    @Test func `each name has a time on a Sunday`() throws {
        let sunday = try date("2026-11-29T19:00:00Z")
        let texts = CardTexts(preferring: ["de-AT"])
        for (name, time) in [
            ("later-today", "2026-11-29T21:00:00Z"), ("tomorrow", "2026-11-30T07:00:00Z"),
            ("next-week", "2026-11-30T07:00:00Z"), ("weekend", "2026-12-05T07:00:00Z"),
        ] {
            let found = try SnoozeArgument(argument: name).time(at: sunday, texts: texts, timeZone: vienna)
            let expected = try date(time)
            #expect(found == expected, "\(name)")
        }
    }
}
