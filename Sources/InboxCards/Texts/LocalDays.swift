import Foundation
import Groundwork

/// The days and years as a time zone has them, of the Gregorian calendar.
struct LocalDays: Hashable, Sendable {
    let calendar: Calendar

    init(_ timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// The number of the day on the reader's wall. Where clocks are set back over midnight, it is the former day again
    /// for a while.
    func number(_ time: Date) -> Int { onTheWall(time, 86_400) }

    /// The number of the minute on the reader's wall.
    func minute(_ time: Date) -> Int { onTheWall(time, 60) }

    /// When the number of the day may next be different: at midnight, or when clocks are set before that.
    func change(after time: Date) -> Date {
        let midnight = Date(timeIntervalSince1970: Double((number(time) + 1) * 86_400) - offset(time))
        let setting = calendar.timeZone.nextDaylightSavingTimeTransition(after: time)
        return min(midnight, setting.flatMap { $0 > time ? $0 : nil } ?? midnight)
    }

    /// The year of a time.
    func year(_ time: Date) -> Int { RFC3339.civil(days: number(time)).year }

    /// From the beginning of the year of a time to that of the next.
    func wholeYear(_ time: Date) -> DateInterval? { calendar.dateInterval(of: .year, for: time) }

    private func onTheWall(_ time: Date, _ unit: Double) -> Int {
        Int(((time.timeIntervalSince1970 + offset(time)) / unit).rounded(.down))
    }

    private func offset(_ time: Date) -> Double { Double(calendar.timeZone.secondsFromGMT(for: time)) }
}
