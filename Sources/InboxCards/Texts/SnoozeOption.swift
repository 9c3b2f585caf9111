public import Foundation

/// A time that a menu offers for snoozing a message.
public enum SnoozeOption: Hashable, Sendable, CaseIterable {
    /// At the next full hour that is three hours away. It isn't offered if that is later than 10 p.m.
    case laterToday
    /// The next morning.
    case tomorrow
    /// The morning of the first day of the region's weekend. It isn't offered on the weekend, and not on the day before
    /// it, when it is ``tomorrow``.
    case thisWeekend
    /// The morning of the first working day of the next week. It isn't offered on the day before it, when it is
    /// ``tomorrow``.
    case nextWeek

    /// The hour at which a morning begins: 8 a.m.
    public static let morning = 8
    /// The last hour of ``laterToday``: 10 p.m.
    public static let evening = 22

    /// The time for which messages can be snoozed at most, in seconds: five years.
    public static let maximumDuration: TimeInterval = 5 * 366 * 86_400

    /// Returns whether a message can be snoozed until a time: it isn't past, and not further away than
    /// ``maximumDuration``.
    public static func accepts(_ time: Date, at now: Date) -> Bool {
        time > now && time.timeIntervalSince(now) <= maximumDuration
    }

    /// An option with its time.
    public struct Choice: Hashable, Sendable, Identifiable {
        /// The option.
        public let option: SnoozeOption
        /// The option, which a menu has once.
        public var id: SnoozeOption { option }
        /// The time until which it snoozes.
        public let time: Date
    }

    /// Returns the options at a time, in the order of their times, which all differ.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - texts: The reader's texts, whose region determines the weekend.
    ///   - timeZone: The reader's time zone.
    public static func choices(at now: Date, texts: CardTexts, timeZone: TimeZone) -> [Choice] {
        let calendar = Self.calendar(texts, timeZone)
        let found = allCases.compactMap { option in
            option.offeredTime(at: now, in: calendar).map { Choice(option: option, time: $0) }
        }
        let inOrder = found.sorted { $0.time < $1.time }
        return inOrder.enumerated().filter { $0.offset == 0 || inOrder[$0.offset - 1].time < $0.element.time }
            .map(\.element)
    }

    /// Returns the time that the option's name means, also where a menu doesn't offer it.
    ///
    /// On the weekend, ``thisWeekend`` is the next one. In the evening, ``laterToday`` is at 10 p.m., and after that at
    /// the next full hour. Nil if the region has no weekend.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - texts: The reader's texts, whose region determines the weekend.
    ///   - timeZone: The reader's time zone.
    package func time(at now: Date, texts: CardTexts, timeZone: TimeZone) -> Date? {
        time(at: now, in: Self.calendar(texts, timeZone))
    }

    /// Returns the morning of a day, or nil if there is no such day.
    ///
    /// - Parameters:
    ///   - year: The year of the Gregorian calendar.
    ///   - month: The month, from 1.
    ///   - day: The day of the month, from 1.
    package static func morning(year: Int, month: Int, day: Int, timeZone: TimeZone) -> Date? {
        time(year: year, month: month, day: day, hour: morning, minute: 0, timeZone: timeZone)
    }

    /// Returns a local time, or nil if there is no such day or time of day. A time that a change of the clocks skips
    /// becomes the next existing one.
    package static func time(
        year: Int,
        month: Int,
        day: Int,
        hour: Int,
        minute: Int,
        timeZone: TimeZone
    ) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        guard (1...9_999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
            let month = calendar.date(from: DateComponents(year: year, month: month, day: 1)),
            calendar.range(of: .day, in: .month, for: month)?.contains(day) ?? false,
            let start = calendar.date(byAdding: .day, value: day - 1, to: month)
        else { return nil }
        return calendar.date(bySettingHour: hour, minute: minute, second: 0, of: start)
    }

    private static func calendar(_ texts: CardTexts, _ timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = texts.locale
        calendar.timeZone = timeZone
        return calendar
    }

    /// Returns the time if a menu offers it.
    private func offeredTime(at now: Date, in calendar: Calendar) -> Date? {
        switch self {
        case .laterToday: return Self.laterHour(at: now, in: calendar)
        case .tomorrow: return time(at: now, in: calendar)
        case .thisWeekend, .nextWeek:
            guard self == .nextWeek || !calendar.isDateInWeekend(now) else { return nil }
            let day = time(at: now, in: calendar)
            return day == Self.morning(1, after: now, in: calendar) ? nil : day
        }
    }

    private func time(at now: Date, in calendar: Calendar) -> Date? {
        switch self {
        case .laterToday:
            if let hour = Self.laterHour(at: now, in: calendar) { return hour }
            let last = calendar.date(bySettingHour: Self.evening, minute: 0, second: 0, of: now)
            if let last, last > now { return last }
            return calendar.dateInterval(of: .hour, for: now)?.end
        case .tomorrow: return Self.morning(1, after: now, in: calendar)
        case .thisWeekend:
            return Self.day(after: now, in: calendar) { !calendar.isDateInWeekend($0) && calendar.isDateInWeekend($1) }
        case .nextWeek:
            return Self.day(after: now, in: calendar) { calendar.isDateInWeekend($0) && !calendar.isDateInWeekend($1) }
        }
    }

    /// Returns the next full hour that is three hours away; nil if that is later than ``evening``.
    private static func laterHour(at now: Date, in calendar: Calendar) -> Date? {
        let soonest = now.addingTimeInterval(3 * 3_600)
        guard let hour = calendar.dateInterval(of: .hour, for: soonest)?.end, calendar.isDate(hour, inSameDayAs: now),
            calendar.component(.hour, from: hour) <= evening
        else { return nil }
        return hour
    }

    /// Returns the morning of the first day, from tomorrow on, for which the condition on the day before and on the day
    /// itself holds.
    private static func day(after now: Date, in calendar: Calendar, where isFirst: (Date, Date) -> Bool) -> Date? {
        let days = (0...8).compactMap { morning($0, after: now, in: calendar) }
        guard days.count == 9 else { return nil }
        return (1...8).first { isFirst(days[$0 - 1], days[$0]) }.map { days[$0] }
    }

    private static func morning(_ count: Int, after now: Date, in calendar: Calendar) -> Date? {
        guard let day = calendar.date(byAdding: .day, value: count, to: calendar.startOfDay(for: now)) else {
            return nil
        }
        // A morning that a change of the clocks skips begins at the next existing time.
        return calendar.date(bySettingHour: morning, minute: 0, second: 0, of: day)
    }
}
