import Foundation

/// "5 minutes ago", "yesterday", "in 2 hours" in any language, from the system's tables.
enum RelativeUnits {
    /// A number of units, other than 0, as a locale says it; negative in the past.
    ///
    /// The system's style measures from the time at which it is called, and the one that takes a reference is newer
    /// than iOS 17. So it is given a time that lies so many units from now, on a calendar on which it is about noon, so
    /// that nothing is near a border. The result depends on what is given here alone, unless the device's clock is set
    /// between two lines; then it is done again.
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

    /// A unit, with its length in seconds.
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
