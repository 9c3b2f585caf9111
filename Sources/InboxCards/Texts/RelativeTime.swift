public import Foundation
import Groundwork

/// A formatter of times relative to now, such as "2 hours ago", for a language and a time zone.
///
/// Results depend only on the parameters, not on the device's clock, time zone or language. Times are rounded to
/// milliseconds. Out-of-range dates are clamped. A formatter and its copies cache the texts.
public struct RelativeTime: Sendable {
    /// The reader's texts, with the locale of dates and numbers.
    public let texts: CardTexts
    private let days: LocalDays
    private let locale: Locale
    private let cache = FormattedTimeCache()

    /// Creates a formatter. An autoupdating locale is fixed to its current value.
    ///
    /// - Parameters:
    ///   - texts: The texts in the reader's language.
    ///   - timeZone: The reader's time zone, which determines the days and exact times.
    public init(texts: CardTexts, timeZone: TimeZone) {
        self.texts = texts
        days = LocalDays(timeZone)
        locale = texts.locale == .autoupdatingCurrent ? .current : texts.locale
    }

    /// The reader's time zone.
    public var timeZone: TimeZone { days.calendar.timeZone }

    /// Returns the distance of a time from now.
    ///
    /// In the past it is "just now" (``CardText/justNow``) for a minute, "5 minutes ago", "2 hours ago" up to 24 hours,
    /// then "yesterday" and "3 days ago" by calendar days. From a week on it is the date, with the year if it isn't the
    /// current one.
    ///
    /// In the future it is "now" (``CardText/now``) for the last minute, which also covers messages from a clock that
    /// is slightly fast. Before, it is "in 5 minutes", "in 2 hours" (rounded), "tomorrow", "in 3 days" and the date.
    public func text(_ time: Date, now: Date) -> String {
        let time = time.roundedToMilliseconds
        switch TimeDistance(of: time, now: now.roundedToMilliseconds, in: days) {
        case .justNow: return texts[.justNow]
        case .soon: return texts[.now]
        case .minutes(let minutes):
            return formatted(.minutes, minutes) { RelativeUnits.text(minutes, .minute, locale: locale) }
        case .hours(let hours):
            return formatted(.hours, hours) { RelativeUnits.text(hours, .hour, locale: locale) }
        case .days(let count):
            return formatted(.days, count) { RelativeUnits.text(count, .day, locale: locale) }
        case .date(withYear: false):
            return formatted(.date, days.number(time)) { style().day().month(.abbreviated).format(time) }
        case .date(withYear: true):
            return formatted(.dateWithYear, days.number(time)) { style().day().month(.abbreviated).year().format(time) }
        }
    }

    /// Returns the next time at which the text for a time changes, to the millisecond, or nil if it never does.
    ///
    /// Until then a screen isn't redrawn, unless the device's time zone changes.
    public func nextChange(of time: Date, after now: Date) -> Date? {
        TimeDistance.change(of: time.roundedToMilliseconds, after: now.roundedToMilliseconds, in: days)
    }

    /// Returns the full date and time: "Tuesday, May 12, 2026 at 11:35 AM".
    public func exact(_ time: Date) -> String {
        let time = time.roundedToMilliseconds
        return formatted(.exact, days.minute(time)) { style(date: .complete, time: .shortened).format(time) }
    }

    /// Returns the day and the time of day of a time in the near future, such as the end of a snooze: "Tue, May 12 at
    /// 11:35 AM". The year is added if it isn't the current one.
    public func short(_ time: Date, now: Date) -> String {
        let time = time.roundedToMilliseconds
        let short = style().weekday(.abbreviated).day().month(.abbreviated).hour().minute()
        if days.year(time) == days.year(now) {
            return formatted(.short, days.minute(time)) { short.format(time) }
        }
        return formatted(.shortWithYear, days.minute(time)) { short.year().format(time) }
    }

    /// Returns the machine-readable time for a page's `<time datetime>`: RFC 3339 in UTC, `2026-05-12T14:05:00Z`.
    public func machine(_ time: Date) -> String {
        RFC3339.string(from: time)
    }

    private func formatted(_ form: FormattedTimeCache.Form, _ number: Int, make: () -> String) -> String {
        cache.text(FormattedTimeCache.Key(form: form, number: number), make: make)
    }

    private func style(
        date: Date.FormatStyle.DateStyle? = nil,
        time: Date.FormatStyle.TimeStyle? = nil
    ) -> Date.FormatStyle {
        Date.FormatStyle(
            date: date,
            time: time,
            locale: locale,
            calendar: days.calendar,
            timeZone: timeZone
        )
    }
}

/// Two formatters are equal if they return the same texts for all times.
extension RelativeTime: Hashable {
    /// Whether texts, time zone and locale are equal.
    public static func == (lhs: RelativeTime, rhs: RelativeTime) -> Bool {
        lhs.texts == rhs.texts && lhs.days == rhs.days && lhs.locale == rhs.locale
    }

    /// Hashes the texts, the time zone and the locale.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(texts)
        hasher.combine(days)
        hasher.combine(locale)
    }
}

extension Date {
    /// The date rounded to milliseconds and clamped to a finite range.
    fileprivate var roundedToMilliseconds: Date { Date(milliseconds: milliseconds) }
}
