import Foundation

/// Relative times in any language, such as "5 minutes ago", "yesterday" and "in 2 hours", from the system's tables.
enum RelativeUnits {
    /// Formats a number of units, which isn't 0 and is negative in the past, for a locale.
    ///
    /// The system's format style is relative to the time of the call; the variant with a reference date requires a
    /// newer system than iOS 17. So it receives a date the given number of units from now, and a calendar in which it
    /// is about noon, far from any boundary. The result depends only on the parameters. If the device's clock is set
    /// during the call, the call is repeated.
    static func text(_ count: Int, _ unit: Unit, locale: Locale) -> String {
        var text = ""
        for _ in 0..<3 {
            let now = Date()
            let style = Date.RelativeFormatStyle(
                presentation: .named,
                unitsStyle: .wide,
                locale: locale,
                calendar: calendar(whereItIsNoonAt: now)
            )
            let margin = Double(count.signum()) * unit.rawValue / 10
            text = style.format(now + Double(count) * unit.rawValue + margin)
            if (0..<(unit.rawValue / 20)).contains(Date().timeIntervalSince(now)) { break }
        }
        return text
    }

    /// A unit, whose raw value is its length in seconds.
    enum Unit: Double {
        case minute = 60
        case hour = 3600
        case day = 86_400
    }

    private static func calendar(whereItIsNoonAt now: Date) -> Calendar {
        let hour = Int((now.timeIntervalSince1970 / 3600).rounded(.down)) % 24
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: (12 - hour) * 3600) ?? .gmt
        return calendar
    }
}
