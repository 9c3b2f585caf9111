import Foundation
import Groundwork
import SeededRandom
import Testing

/// Dates parsed from text and written as text.
@Suite(.timeLimit(.minutes(5))) struct RFC3339Tests {
    private static let day = 86_400_000

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-05-01T08:00:00Z", 1_777_622_400_000),
        ("2026-05-01T08:00:00.25Z", 1_777_622_400_250),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2000-03-01T00:00:00Z", 951_868_800_000),
        ("2024-02-29T12:34:56.7Z", 1_709_210_096_700),
        ("1900-03-01T00:00:00Z", -2_203_891_200_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("0000-02-29T00:00:00Z", -62_162_121_600_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `dates at the limits are read and written`(text: String, milliseconds: Int) throws {
        let date = try #require(RFC3339.date(from: text))
        #expect(date.milliseconds == milliseconds)
        #expect(RFC3339.string(from: Date(milliseconds: milliseconds)) == text)
        var bytes = Array("at ".utf8)
        RFC3339.write(milliseconds: milliseconds, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "at " + text)
    }

    @Test(arguments: [
        ("2026-05-01T10:00:00+02:00", "2026-05-01T08:00:00Z"),
        ("2026-05-01T00:30:00.25+05:30", "2026-04-30T19:00:00.25Z"),
        ("2026-12-31T23:00:00-01:15", "2027-01-01T00:15:00Z"), ("2026-05-01T08:00:00-00:00", "2026-05-01T08:00:00Z"),
        ("2026-05-01T08:00:00Z", "2026-05-01T08:00:00Z"),
    ])
    func `a date with an offset is read only where offsets are accepted`(text: String, inUTC: String) throws {
        let date = try #require(RFC3339.date(from: text, takesOffset: true))
        #expect(RFC3339.string(from: date) == inUTC)
        #expect((RFC3339.date(from: text) == nil) == !text.hasSuffix("Z"))
    }

    @Test(arguments: [
        "2026-05-01T10:00:00+24:00", "2026-05-01T10:00:00+02:60", "2026-05-01T10:00:00+0200", "2026-05-01T10:00+02:00",
        "2026-05-01T10:00:00.+02:00", "2026-05-01T10:00:00 02:00", "2026-05-01T10:00:00+2:000",
    ])
    func `a malformed offset is rejected`(text: String) {
        #expect(RFC3339.date(from: text, takesOffset: true) == nil)
    }

    @Test func `every millisecond is the same after it is written and read`() {
        var random = Seeded(7)
        for _ in 0..<5000 {
            let milliseconds = Int.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
            let text = RFC3339.string(from: Date(milliseconds: milliseconds))
            #expect(RFC3339.date(from: text)?.milliseconds == milliseconds, "\(text)")
        }
    }

    /// Advances the calendar by its rules and compares each day around the ends of three centuries.
    @Test func `each day follows the day before`() {
        var (year, month, day) = (1896, 1, 1)
        var days = -27_028
        while year < 2104 {
            let text = RFC3339.string(from: Date(milliseconds: days * Self.day))
            let expected = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, day)
            if text != expected || RFC3339.date(from: expected)?.milliseconds != days * Self.day {
                Issue.record("\(expected) isn't day \(days)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            days += 1
            day += 1
            if day > length { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(days == 48_942)
    }

    @Test(arguments: [
        ("2026-05-01T08:00:00.1Z", 100), ("2026-05-01T08:00:00.12Z", 120), ("2026-05-01T08:00:00.123Z", 123),
        ("2026-05-01T08:00:00.000Z", 0), ("2026-05-01T08:00:00.0019Z", 1),
        ("2026-05-01T08:00:00.99999999999999999Z", 999),
    ])
    func `a fraction is read to the millisecond`(text: String, milliseconds: Int) {
        #expect(RFC3339.date(from: text)?.milliseconds == 1_777_622_400_000 + milliseconds)
    }

    @Test func `a leap second is read as the second after it`() {
        #expect(RFC3339.date(from: "2016-12-31T23:59:60Z") == RFC3339.date(from: "2017-01-01T00:00:00Z"))
    }

    @Test(arguments: [
        "", "2026", "2026-05-01", "2026-05-01T08:00Z", "2026-05-01T08:00:00", "2026-05-01T08:00:00z",
        "2026-05-01t08:00:00Z",
        "2026-05-01 08:00:00Z", "2026-05-01T08:00:00+00:00", "2026-05-01T08:00:00+02:00", "2026-05-01T08:00:00.Z",
        "2026-05-01T08:00:00,5Z", "2026-05-01T08:00:00.5", "2026-05-01T08:00:00.5xZ",
        "2026-05-01T08:00:00.1234567890123xZ",
        "2026-05-01T08:00:00ZZ", " 2026-05-01T08:00:00Z", "2026-05-01T08:00:00Z ", "26-05-01T08:00:00Z",
        "2026-5-01T08:00:00Z", "+026-05-01T08:00:00Z", "-026-05-01T08:00:00Z", "2026/05/01T08:00:00Z",
        "2026-05-01T08.00.00Z", "2026-00-01T08:00:00Z", "2026-13-01T08:00:00Z", "2026-05-00T08:00:00Z",
        "2026-05-32T08:00:00Z", "2026-04-31T08:00:00Z", "2026-06-31T08:00:00Z", "2026-09-31T08:00:00Z",
        "2026-11-31T08:00:00Z", "2026-02-29T08:00:00Z", "1900-02-29T08:00:00Z", "2100-02-29T08:00:00Z",
        "2024-02-30T08:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T08:60:00Z", "2026-05-01T08:00:61Z",
        "٢٠٢٦-05-01T08:00:00Z",
    ])
    func `text that isn't a date in UTC is rejected`(text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test func `a date out of range is written as the nearest limit`() {
        #expect(RFC3339.string(from: .distantFuture.addingTimeInterval(1e12)) == "9999-12-31T23:59:59.999Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: -1e12)) == "0000-01-01T00:00:00Z")
    }

    @Test func `milliseconds are rounded and never trap`() {
        #expect(Date(timeIntervalSince1970: 1.0004).milliseconds == 1000)
        #expect(Date(timeIntervalSince1970: 1.0006).milliseconds == 1001)
        #expect(Date(timeIntervalSince1970: .infinity).milliseconds == 1_000_000_000_000_000)
        #expect(Date(timeIntervalSince1970: -.infinity).milliseconds == -1_000_000_000_000_000)
        #expect(Date(timeIntervalSince1970: .nan).milliseconds == 0)
    }
}
