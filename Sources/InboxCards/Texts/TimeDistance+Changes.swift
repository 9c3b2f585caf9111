import Foundation
import Groundwork

extension TimeDistance {
    /// Returns the next time at which the distance changes, to the millisecond, or nil if it never does.
    static func change(of time: Date, after now: Date, in days: LocalDays) -> Date? {
        let shown = TimeDistance(of: time, now: now, in: days)
        var reached = now
        // Each step leads to the next time at which the distance may change. It stays the same in few steps: at clock
        // changes, and at midnights before a date.
        for _ in 0..<64 {
            guard let next = shown.nextBoundary(of: time, after: reached, in: days) else { return nil }
            if TimeDistance(of: time, now: next, in: days) != shown { return next }
            reached = next
        }
        return reached
    }

    /// Returns a time after `now` up to which the distance certainly stays the same.
    private func nextBoundary(of time: Date, after now: Date, in days: LocalDays) -> Date? {
        switch self {
        case .justNow: time.later(Span.minute)
        case .soon: time
        case .minutes(let minutes) where minutes < 0: time.later((1 - minutes) * Span.minute)
        case .minutes(let minutes):
            // Half a minute is rounded up, so the number changes one millisecond later.
            time.later(1 - max(minutes * Span.minute - Span.minute / 2, Span.minute))
        case .hours(let hours):
            if abs(now.milliseconds - time.milliseconds) >= Span.day {
                Self.first([days.change(after: now), time.later(1 - Span.day)], after: now)
            } else if hours < 0 {
                time.later((1 - hours) * Span.hour)
            } else {
                time.later(1 - (hours == 1 ? Span.hour - Span.minute / 2 : hours * Span.hour - Span.hour / 2))
            }
        case .days: Self.first([days.change(after: now), time.later(1 - Span.day)], after: now)
        case .date(let withYear) where time <= now: withYear ? nil : days.yearInterval(now)?.end
        case .date(let withYear):
            Self.first(
                [
                    withYear ? days.yearInterval(time)?.start : nil,
                    // Time zones differ by less than a day, so the distance is a date until then.
                    time.later(-8 * Span.day) > now ? time.later(-8 * Span.day) : days.change(after: now),
                ],
                after: now
            )
        }
    }

    private static func first(_ times: [Date?], after now: Date) -> Date? {
        times.compactMap { $0 }.filter { $0 > now }.min()
    }
}

extension Date {
    fileprivate func later(_ milliseconds: Int) -> Date { Date(milliseconds: self.milliseconds + milliseconds) }
}
