import Foundation
import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct RelativeTimeChangesTests {
    private static let zones = ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Africa/Cairo", "Pacific/Apia"]

    /// Times around days on which clocks are set, years begin or end, or a day is skipped (Samoa, 30 December 2011);
    /// one with milliseconds.
    private static let times: [Date] =
        [
            "2026-05-12T12:00:00Z", "2026-03-08T05:29:59Z", "2026-03-05T14:00:00Z", "2026-03-11T14:00:00Z",
            "2026-11-01T02:30:00Z", "2026-10-29T14:00:00Z", "2010-11-05T12:00:00Z", "2010-11-07T03:00:00Z",
            "2010-11-09T12:00:00Z",
            "2026-12-31T23:59:59Z", "2028-02-29T03:30:00Z", "2011-12-29T20:00:00Z", "2026-04-21T00:30:00Z",
        ].map(RelativeTimeTests.date) + [Date(timeIntervalSince1970: 1_778_594_700.123)]

    private static func relative(_ zone: String, _ language: CardLanguage = .english) -> RelativeTime {
        RelativeTime(texts: CardTexts(language), timeZone: TimeZone(identifier: zone)!)
    }

    @Test(arguments: zones, times)
    func `the text is constant until its next change and differs after it`(_ zone: String, _ time: Date) throws {
        let relative = Self.relative(zone)
        var now = time - 12 * 86_400
        let end = time + 12 * 86_400
        var changes = 0
        while now < end {
            let text = relative.text(time, now: now)
            guard let next = relative.nextChange(of: time, after: now) else {
                #expect(relative.text(time, now: now + 1000 * 86_400) == text)
                break
            }
            try #require(next > now)
            #expect(relative.text(time, now: next - 0.001) == text, "\(zone) \(time) \(next)")
            #expect(relative.text(time, now: next) != text, "\(zone) \(time) \(next)")
            // From any moment in between, the next change is the same.
            for part in [0.01, 0.37, 0.5, 0.81, 0.99] {
                let between = Date(
                    timeIntervalSince1970: now.timeIntervalSince1970 + next.timeIntervalSince(now) * part
                )
                guard between < next - 0.001 else { continue }
                #expect(relative.text(time, now: between) == text, "\(zone) \(time) \(between)")
                #expect(relative.nextChange(of: time, after: between) == next, "\(zone) \(time) \(between)")
            }
            now = next
            changes += 1
        }
        // 59 minutes, 23 hours and 6 days on either side, now, just now, and the dates.
        #expect(changes >= 2 * (59 + 23 + 6))
    }

    @Test(arguments: CardLanguage.allCases)
    func `in every language the text changes at its next change`(_ language: CardLanguage) {
        let relative = Self.relative("America/St_Johns", language)
        let time = Self.times[0]
        let days: [Double] = [
            -8, -3, -1.5, -0.7, -0.04, -0.01, -0.0001, 0, 0.0001, 0.01, 0.04, 0.7, 1.5, 3, 6.7, 8,
        ]
        for ahead in days {
            let now = time + ahead * 86_400
            guard let next = relative.nextChange(of: time, after: now) else { continue }
            #expect(relative.text(time, now: next - 0.001) == relative.text(time, now: now))
            #expect(relative.text(time, now: next) != relative.text(time, now: now))
        }
    }

    @Test func `a date with its year never changes`() {
        #expect(Self.relative("UTC").nextChange(of: Self.times[0], after: Self.times[0] + 400 * 86_400) == nil)
    }

    @Test func `a time years ahead changes at its new year or a week before it`() {
        let relative = Self.relative("UTC")
        let now = RelativeTimeTests.date("1990-01-01T00:00:00Z")
        #expect(relative.nextChange(of: Self.times[0], after: now) == RelativeTimeTests.date("2026-01-01T00:00:00Z"))
        let spring = RelativeTimeTests.date("2026-03-01T00:00:00Z")
        #expect(relative.nextChange(of: Self.times[0], after: spring) == RelativeTimeTests.date("2026-05-06T00:00:00Z"))
        let newYear = RelativeTimeTests.date("2027-01-03T12:00:00Z")
        #expect(relative.nextChange(of: newYear, after: spring) == RelativeTimeTests.date("2026-12-28T00:00:00Z"))
    }
}
