package import Foundation

/// Dates as text: RFC 3339 in UTC, which JMAP calls UTCDate (RFC 8620, section 1.4).
package enum RFC3339 {
    /// Formats a date to the millisecond, without a fraction of zero: `2026-05-01T08:00:00Z`, `…:00.25Z`.
    ///
    /// Dates outside of the years 0 to 9999 are clamped.
    package static func string(from date: Date) -> String {
        var bytes: [UInt8] = []
        write(milliseconds: date.milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The maximum length of a date in bytes.
    package static let maxByteCount = 24

    /// Appends a date, in milliseconds since 1970, in the format of ``string(from:)``.
    package static func write(milliseconds: Int, to bytes: inout [UInt8]) {
        let (days, inDay) = min(max(milliseconds, earliest), latest).quotientFloor(86_400_000)
        let (year, month, day) = civil(days: days)
        let seconds = inDay / 1000
        bytes.reserveCapacity(bytes.count + maxByteCount)
        write(year / 100, to: &bytes)
        write(year % 100, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        write(month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        write(day, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        write(seconds / 3600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(seconds / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(seconds % 60, to: &bytes)
        let fraction = inDay % 1000
        if fraction != 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(UInt8(ascii: "0") + UInt8(fraction / 100))
            write(fraction % 100, to: &bytes)
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Parses a date. Returns nil if the text isn't a date in UTC or the day doesn't exist.
    ///
    /// Digits beyond milliseconds are dropped. A leap second (`:60`) is read as the following second.
    ///
    /// - Parameter takesOffset: Whether other time zones are accepted too, such as `2026-05-01T10:00:00+02:00` (JMAP's
    ///   Date).
    package static func date(from text: String, takesOffset: Bool = false) -> Date? {
        var text = text
        return text.withUTF8 { date(from: $0, takesOffset: takesOffset) }
    }

    package static func date(from bytes: UnsafeBufferPointer<UInt8>, takesOffset: Bool = false) -> Date? {
        guard bytes.count >= 20, let (end, offset) = zone(bytes, takesOffset), end >= 19,
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...daysIn(month: month, year: year)).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var fraction = 0
        if end > 19 {
            let digits = bytes[20..<max(20, end)]
            guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty,
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            for digit in 0..<3 {
                fraction *= 10
                if 20 + digit < end { fraction += Int(bytes[20 + digit] - UInt8(ascii: "0")) }
            }
        }
        let days = daysFromCivil(year, month, day)
        return Date(milliseconds: ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + fraction)
    }

    /// Returns the offset at which the time zone begins, and its difference from UTC in minutes.
    private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, _ takesOffset: Bool) -> (end: Int, minutes: Int)? {
        let count = bytes.count
        if bytes[count - 1] == UInt8(ascii: "Z") { return (count - 1, 0) }
        let isBehind = bytes[count - 6] == UInt8(ascii: "-")
        guard takesOffset, isBehind || bytes[count - 6] == UInt8(ascii: "+"), bytes[count - 3] == UInt8(ascii: ":"),
            let hours = number(bytes[(count - 5)..<(count - 3)]), let minutes = number(bytes[(count - 2)..<count]),
            hours < 24, minutes < 60
        else { return nil }
        return (count - 6, (hours * 60 + minutes) * (isBehind ? -1 : 1))
    }

    private static let earliest = daysFromCivil(0, 1, 1) * 86_400_000
    private static let latest = daysFromCivil(10_000, 1, 1) * 86_400_000 - 1

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Writes two digits.
    private static func write(_ value: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(value / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days since 1970-01-01 in the proleptic Gregorian calendar. The year is shifted to start in
    /// March, so that the leap day is its last day and the number of days before a month is a linear formula.
    private static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = shifted.quotientFloor(400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date of a day, given as the number of days since 1970-01-01, in the proleptic Gregorian calendar.
    package static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientFloor(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

extension Int {
    /// Returns the quotient, rounded down, and the remainder, which is never negative.
    fileprivate func quotientFloor(_ divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Date {
    /// The milliseconds since 1970, the unit of all stored dates.
    package var milliseconds: Int {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int(exactly: min(max(value, -1e15), 1e15)) ?? 0
    }

    package init(milliseconds: Int) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
