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

    /// The number of the day on the reader's wall. Where clocks are set back over midnight, it is the former day again for a while.
    func number(_ time: Date) -> Int {
        Int(((time.timeIntervalSince1970 + offset(time)) / 86_400).rounded(.down))
    }

    /// When the number of the day may next be different: at midnight, or when clocks are set before that.
    func change(after time: Date) -> Date {
        let midnight = Date(timeIntervalSince1970: Double((number(time) + 1) * 86_400) - offset(time))
        let setting = calendar.timeZone.nextDaylightSavingTimeTransition(after: time)
        return min(midnight, setting.flatMap { $0 > time ? $0 : nil } ?? midnight)
    }

    /// The year of a time.
    func year(_ time: Date) -> Int { calendar.component(.year, from: time) }

    /// From the beginning of the year of a time to that of the next.
    func wholeYear(_ time: Date) -> DateInterval? { calendar.dateInterval(of: .year, for: time) }

    private func offset(_ time: Date) -> Double { Double(calendar.timeZone.secondsFromGMT(for: time)) }
}
