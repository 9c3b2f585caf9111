import Foundation

/// A date and time in a time zone, in the Gregorian calendar.
struct LocalDateTime {
    let year, month, day: Int
    /// The time, such as `09:02`.
    let time: String

    /// Returns nil for a date that isn't within the years 1 to 9999.
    init?(_ date: Date, in timeZone: TimeZone) {
        guard (-62_135_596_800...253_402_300_799).contains(date.timeIntervalSince1970) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        guard let year = parts.year, let month = parts.month, (1...12).contains(month), let day = parts.day,
            let hour = parts.hour, let minute = parts.minute
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        time = [hour, minute].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
