import Foundation
import Groundwork

/// The distance of a time from now, as precise as its text: two distances with the same text are equal.
///
/// Past distances count full units: it is "1 hour ago" until two hours have passed. Future distances are rounded, so
/// that a message just snoozed for two hours returns "in 2 hours". From 24 hours on, calendar days count: yesterday is
/// the day before today. A day of 25 hours ends with "23 hours ago", since it isn't yesterday yet. From seven days on,
/// the distance is the date.
enum TimeDistance: Hashable {
    /// Less than a minute in the past.
    case justNow
    /// Less than a minute in the future.
    case soon
    /// 1 to 59 minutes, negative in the past.
    case minutes(Int)
    /// 1 to 23 hours, negative in the past.
    case hours(Int)
    /// 1 to 6 calendar days, negative in the past.
    case days(Int)
    /// A greater distance, with the year if it isn't the current one.
    case date(withYear: Bool)

    init(of time: Date, now: Date, in days: LocalDays) {
        let passed = now.milliseconds - time.milliseconds
        let distance = abs(passed)
        let sign = passed < 0 ? 1 : -1
        switch distance {
        case ..<Span.minute:
            self = passed < 0 ? .soon : .justNow
        case ..<Span.day:
            let minutes = sign < 0 ? distance / Span.minute : (distance + Span.minute / 2) / Span.minute
            let hours = sign < 0 ? distance / Span.hour : (distance + Span.hour / 2) / Span.hour
            self = minutes < 60 ? .minutes(sign * minutes) : .hours(sign * min(hours, 23))
        default:
            switch days.number(time) - days.number(now) {
            case 0: self = .hours(sign * 23)
            case let difference where abs(difference) < 7: self = .days(difference)
            default: self = .date(withYear: days.year(time) != days.year(now))
            }
        }
    }

    /// Durations in milliseconds.
    enum Span {
        static let minute = 60_000
        static let hour = 60 * minute
        static let day = 24 * hour
    }
}
