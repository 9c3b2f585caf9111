import Foundation

/// Times as short text: `now`, `5 min ago`, `2 h ago`, `3 d ago`, `in 2 h`; the date if it is a week away or more.
///
/// As on a card (`RelativeTime`), past times count full units and future ones are rounded, and from 24 hours on the
/// days of the calendar count: `show` has both.
enum ShortTime {
    static func text(_ time: Date, now: Date, timeZone: TimeZone = .current) -> String {
        distance(of: time, now: now, timeZone) ?? day(time, now: now, timeZone)
    }

    /// Returns the distance from now; nil for a week or more.
    private static func distance(of time: Date, now: Date, _ timeZone: TimeZone) -> String? {
        let passed = now.timeIntervalSince(time)
        let (isPast, seconds) = (passed >= 0, abs(passed))
        let amount: String
        if seconds < 60 {
            return isPast ? "now" : "in a moment"
        } else if seconds < 86_400 {
            let minutes = Int(isPast ? seconds / 60 : (seconds / 60).rounded())
            let hours = Int(isPast ? seconds / 3_600 : (seconds / 3_600).rounded())
            amount = minutes < 60 ? "\(minutes) min" : "\(min(hours, 23)) h"
        } else {
            let local = calendar(timeZone)
            let (start, end) = (local.startOfDay(for: time), local.startOfDay(for: now))
            let days = abs(local.dateComponents([.day], from: start, to: end).day ?? 0)
            guard days < 7 else { return nil }
            // A day of 25 hours.
            amount = days == 0 ? "23 h" : "\(days) d"
        }
        return isPast ? "\(amount) ago" : "in \(amount)"
    }

    /// Returns the date and the time of day, in the person's time zone.
    static func exact(_ time: Date, timeZone: TimeZone = .current) -> String {
        let parts = calendar(timeZone).dateComponents([.year, .month, .day, .hour, .minute], from: time)
        return String(
            format: "%04d-%02d-%02d %02d:%02d",
            parts.year ?? 0,
            parts.month ?? 0,
            parts.day ?? 0,
            parts.hour ?? 0,
            parts.minute ?? 0
        )
    }

    /// Returns the date and the time of day, and within a week the distance from now: `2026-05-12 09:30 (2 h ago)`.
    static func exact(_ time: Date, now: Date, timeZone: TimeZone = .current) -> String {
        let exact = exact(time, timeZone: timeZone)
        return distance(of: time, now: now, timeZone).map { "\(exact) (\($0))" } ?? exact
    }

    /// Returns `12 May` within 300 days, otherwise `2025-05-12`.
    private static func day(_ time: Date, now: Date, _ timeZone: TimeZone) -> String {
        let parts = calendar(timeZone).dateComponents([.year, .month, .day], from: time)
        guard abs(now.timeIntervalSince(time)) < 300 * 86_400 else {
            return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        }
        return "\(parts.day ?? 0) \(months[((parts.month ?? 1) - 1) % 12])"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func calendar(_ timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }
}
