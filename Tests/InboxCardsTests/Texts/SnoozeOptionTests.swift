import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct SnoozeOptionTests {
    private let vienna = TimeZone(identifier: "Europe/Vienna")!
    private let german = CardTexts(preferring: ["de-AT"])

    /// The options with their times in the time zone, such as `tomorrow 2026-11-24 08:00`.
    private func choices(_ now: String, _ texts: CardTexts? = nil, in zone: TimeZone? = nil) throws -> [String] {
        let format = format(zone ?? vienna)
        let date = try #require(format.date(from: now))
        return SnoozeOption.choices(at: date, texts: texts ?? german, timeZone: zone ?? vienna)
            .map { "\($0.option) \(format.string(from: $0.time))" }
    }

    private func format(_ zone: TimeZone) -> DateFormatter {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = zone
        format.dateFormat = "yyyy-MM-dd HH:mm"
        return format
    }

    @Test func `on a Monday morning all four are offered, in order`() throws {
        #expect(
            try choices("2026-11-23 09:10") == [
                "laterToday 2026-11-23 13:00", "tomorrow 2026-11-24 08:00", "thisWeekend 2026-11-28 08:00",
                "nextWeek 2026-11-30 08:00",
            ]
        )
    }

    @Test(arguments: [("2026-11-23 18:59", true), ("2026-11-23 19:00", false), ("2026-11-23 23:30", false)])
    func `later today ends at ten in the evening`(_ now: String, _ isOffered: Bool) throws {
        #expect(try choices(now).contains { $0.hasPrefix("laterToday 2026-11-23 22:00") } == isOffered)
    }

    @Test(arguments: [
        ("2026-11-27 20:00", ["tomorrow 2026-11-28", "nextWeek 2026-11-30"]),
        ("2026-11-28 20:00", ["tomorrow 2026-11-29", "nextWeek 2026-11-30"]),
        ("2026-11-29 20:00", ["tomorrow 2026-11-30"]),
    ])
    func `around a weekend no time is offered twice`(_ now: String, _ expected: [String]) throws {
        #expect(try choices(now) == expected.map { "\($0) 08:00" })
    }

    @Test(arguments: [
        ("2026-11-23 09:10", ["2026-11-23 13:00", "2026-11-24 08:00", "2026-11-28 08:00", "2026-11-30 08:00"]),
        ("2026-11-27 20:00", ["2026-11-27 22:00", "2026-11-28 08:00", "2026-11-28 08:00", "2026-11-30 08:00"]),
        ("2026-11-28 07:00", ["2026-11-28 11:00", "2026-11-29 08:00", "2026-12-05 08:00", "2026-11-30 08:00"]),
        ("2026-11-29 22:00", ["2026-11-29 23:00", "2026-11-30 08:00", "2026-12-05 08:00", "2026-11-30 08:00"]),
        ("2026-11-29 23:30", ["2026-11-30 00:00", "2026-11-30 08:00", "2026-12-05 08:00", "2026-11-30 08:00"]),
        ("2026-11-30 00:10", ["2026-11-30 04:00", "2026-12-01 08:00", "2026-12-05 08:00", "2026-12-07 08:00"]),
    ])
    func `each option has a time on every day`(_ now: String, _ expected: [String]) throws {
        let format = format(vienna)
        let date = try #require(format.date(from: now))
        let times = SnoozeOption.allCases.compactMap { $0.time(at: date, texts: german, timeZone: vienna) }
        #expect(times.map { format.string(from: $0) } == expected)
        for choice in SnoozeOption.choices(at: date, texts: german, timeZone: vienna) {
            #expect(choice.option.time(at: date, texts: german, timeZone: vienna) == choice.time)
        }
    }

    @Test func `the weekend is the region's`() throws {
        // In Egypt it is Friday and Saturday; in the United States Saturday and Sunday.
        let egypt = try choices("2026-11-23 20:00", CardTexts(preferring: ["ar-EG"]))
        #expect(egypt.contains("thisWeekend 2026-11-27 08:00") && egypt.contains("nextWeek 2026-11-29 08:00"))
        let states = try choices("2026-11-23 20:00", CardTexts(preferring: ["en-US"]))
        #expect(states.contains("thisWeekend 2026-11-28 08:00") && states.contains("nextWeek 2026-11-30 08:00"))
    }

    @Test func `a morning stays at eight when the clocks change`() throws {
        // Summer time ends in Vienna on 2026-10-25.
        #expect(try choices("2026-10-24 20:00").first == "tomorrow 2026-10-25 08:00")
        #expect(try choices("2026-10-25 20:00").first == "tomorrow 2026-10-26 08:00")
    }

    @Test func `a snooze ends in the future, within five years`() throws {
        let now = try #require(format(vienna).date(from: "2026-11-23 20:00"))
        for (seconds, isAccepted) in [
            (0, false), (-1, false), (0.001, true), (SnoozeOption.maximumDuration, true),
            (SnoozeOption.maximumDuration + 1, false),
        ] {
            #expect(SnoozeOption.accepts(now.addingTimeInterval(seconds), at: now) == isAccepted, "\(seconds)")
        }
        #expect(!SnoozeOption.accepts(.distantFuture, at: now) && !SnoozeOption.accepts(.distantPast, at: now))
    }

    @Test func `a local time exists, or there is none`() throws {
        func text(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 8) -> String? {
            SnoozeOption.time(year: year, month: month, day: day, hour: hour, minute: 30, timeZone: vienna)
                .map(format(vienna).string)
        }
        #expect(text(2026, 11, 23) == "2026-11-23 08:30" && text(2028, 2, 29) == "2028-02-29 08:30")
        for (year, month, day, hour) in [
            (2026, 2, 29, 8), (2026, 13, 1, 8), (2026, 0, 1, 8), (2026, 4, 31, 8), (2026, 4, 0, 8), (2026, 4, 1, 24),
            (0, 1, 1, 8), (10_000, 1, 1, 8),
        ] {
            #expect(text(year, month, day, hour) == nil)
        }
        // Vienna has no 2:30 on this day.
        #expect(text(2026, 3, 29, 2) == "2026-03-29 03:00" || text(2026, 3, 29, 2) == "2026-03-29 03:30")
    }

    @Test func `each language names the options`() {
        #expect(
            SnoozeOption.allCases.map { CardTexts().name(of: $0) } == [
                "Later Today", "Tomorrow", "This Weekend", "Next Week",
            ]
        )
    }
}
