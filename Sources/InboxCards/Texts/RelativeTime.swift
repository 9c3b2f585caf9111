public import Foundation
import Groundwork

/// Times as a person reads them: "2 hours ago", in a language and a time zone.
///
/// The answers depend on what is given alone, not on the device's clock, zone or language. Times are taken to the
/// millisecond; such as no calendar has are moved to one that it has.
public struct RelativeTime: Sendable {
    /// The reader's texts, with the locale that dates and numbers are written in.
    public let texts: CardTexts
    private let days: LocalDays
    private let locale: Locale
    private let madeTexts: MadeTexts

    /// Times for a reader. A locale that follows the device's settings is taken as it is now.
    ///
    /// - Parameters:
    ///   - texts: The texts in the reader's language.
    ///   - timeZone: Where the reader is: it says when it is yesterday, and what an exact time shows.
    public init(texts: CardTexts, timeZone: TimeZone) {
        self.texts = texts
        days = LocalDays(timeZone)
        locale = texts.locale == .autoupdatingCurrent ? .current : texts.locale
        madeTexts = MadeTexts.place(for: locale)
    }

    /// Where the reader is.
    public var timeZone: TimeZone { days.calendar.timeZone }

    /// How far a time is from now: "just now" (``CardText/justNow``) for a minute, "5 minutes ago", "2 hours ago" up to
    /// 24 hours, then "yesterday" and "3 days ago" by the days of the reader's calendar, and past a week the date, with
    /// its year if that is another one.
    ///
    /// What is to come is "now" (``CardText/now``) for the last minute before it, which is also what a message from a
    /// clock that is a little fast shows, then "in 5 minutes", "in 2 hours" (rounded), "tomorrow", "in 3 days", and the
    /// date.
    public func text(_ time: Date, now: Date) -> String {
        let time = time.settled
        switch TimeDistance(of: time, now: now.settled, in: days) {
        case .justNow: return texts[.justNow]
        case .soon: return texts[.now]
        case .minutes(let minutes):
            return made(.minutes, minutes) { RelativeUnits.text(minutes, .minute, locale: locale) }
        case .hours(let hours):
            return made(.hours, hours) { RelativeUnits.text(hours, .hour, locale: locale) }
        case .days(let count):
            return made(.days, count) { RelativeUnits.text(count, .day, locale: locale) }
        case .date(withYear: false):
            return made(.date, days.number(time)) { style().day().month(.abbreviated).format(time) }
        case .date(withYear: true):
            return made(.dateWithYear, days.number(time)) { style().day().month(.abbreviated).year().format(time) }
        }
    }

    /// When the text for a time will next be another one than it is now, to the millisecond; nil for never.
    ///
    /// Until then a screen has nothing to draw again. The device's time zone may change before.
    public func nextChange(of time: Date, after now: Date) -> Date? {
        TimeDistance.change(of: time.settled, after: now.settled, in: days)
    }

    /// The day and the time of day in full, for who asks when exactly: "Tuesday, May 12, 2026 at 11:35 AM".
    public func exact(_ time: Date) -> String {
        let time = time.settled
        return made(.exact, days.minute(time)) { style(date: .complete, time: .shortened).format(time) }
    }

    /// The time for a machine, as a page's `<time datetime>` has it: RFC 3339 in UTC, `2026-05-12T14:05:00Z`.
    public func machine(_ time: Date) -> String {
        RFC3339.string(from: time)
    }

    private func made(_ form: MadeTexts.Form, _ number: Int, make: () -> String) -> String {
        madeTexts.text(MadeTexts.Key(form: form, number: number), make: make)
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

/// Equal where they say the same of all times.
extension RelativeTime: Hashable {
    /// Whether texts, time zone and locale are the same.
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
    /// The same to the millisecond, and finite.
    fileprivate var settled: Date { Date(milliseconds: milliseconds) }
}
