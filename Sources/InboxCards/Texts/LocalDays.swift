import Foundation
import Groundwork

/// The days and years of the Gregorian calendar in a time zone.
struct LocalDays: Hashable, Sendable {
    let calendar: Calendar

    init(_ timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// Returns the number of the local day. If clocks are set back over midnight, the previous day's number repeats for
    /// a while.
    func number(_ time: Date) -> Int { localCount(time, 86_400) }

    /// Returns the number of the local minute.
    func minute(_ time: Date) -> Int { localCount(time, 60) }

    /// Returns the next time at which the day's number may change: midnight, or an earlier clock change.
    func change(after time: Date) -> Date {
        let midnight = Date(timeIntervalSince1970: Double((number(time) + 1) * 86_400) - offset(time))
        let setting = calendar.timeZone.nextDaylightSavingTimeTransition(after: time)
        return min(midnight, setting.flatMap { $0 > time ? $0 : nil } ?? midnight)
    }

    /// Returns the local year.
    func year(_ time: Date) -> Int { RFC3339.civil(days: number(time)).year }

    /// Returns the interval from the beginning of the local year to that of the next.
    func yearInterval(_ time: Date) -> DateInterval? { calendar.dateInterval(of: .year, for: time) }

    private func localCount(_ time: Date, _ unit: Double) -> Int {
        Int(((time.timeIntervalSince1970 + offset(time)) / unit).rounded(.down))
    }

    private func offset(_ time: Date) -> Double { Double(calendar.timeZone.secondsFromGMT(for: time)) }
}
