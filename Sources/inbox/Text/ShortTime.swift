import Foundation

/// Times as short text: `now`, `5 min ago`, `2 h ago`, `3 d ago`, `in 2 h`; the date if it is more than a week away.
///
/// As on a card (`RelativeTime`), past times count full units, and future ones are rounded: `show` has both.
enum ShortTime {
    static func text(_ time: Date, now: Date, timeZone: TimeZone = .current) -> String {
        let seconds = now.timeIntervalSince(time)
        let amount: String
        switch seconds {
        case ...(-7 * 86_400): return day(time, now: now, timeZone)
        case ...(-84_600): amount = "\(Int((-seconds / 86_400).rounded())) d"
        case ...(-3_570): amount = "\(Int((-seconds / 3_600).rounded())) h"
        case ...(-45): amount = "\(Int((-seconds / 60).rounded())) min"
        case ..<0: return "in a moment"
        case ..<60: return "now"
        case ..<3_600: amount = "\(Int(seconds / 60)) min"
        case ..<86_400: amount = "\(Int(seconds / 3_600)) h"
        case ..<(7 * 86_400): amount = "\(Int(seconds / 86_400)) d"
        default: return day(time, now: now, timeZone)
        }
        return seconds < 0 ? "in \(amount)" : "\(amount) ago"
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
        guard abs(now.timeIntervalSince(time)) < 7 * 86_400 else { return exact }
        return "\(exact) (\(text(time, now: now, timeZone: timeZone)))"
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
