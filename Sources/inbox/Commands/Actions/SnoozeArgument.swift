import ArgumentParser
import Foundation
import InboxCards

/// The time until which a command snoozes messages, as it is given on the command line.
enum SnoozeArgument: Hashable, Sendable {
    /// The description of the formats in help.
    static let help = """
        later-today (the next full hour that is three hours away; in the evening 10 p.m., or the next full hour after \
        it), tomorrow (8 a.m.), weekend and next-week (8 a.m. of the first day, by the region of LC_ALL or LANG; on \
        the weekend, weekend is the next one, and next-week may be tomorrow), an offset such as +2h, +3d or +1w, a day \
        or a local time such as 2026-05-12 or 2026-05-12T09:30, or a UTC time such as 2026-05-12T09:30:00Z. Hours and \
        minutes of an offset are exact; days and weeks keep the local time of day across a change of the clocks.
        """

    /// The time of a name, which the snooze menu of screens may not have now.
    case option(SnoozeOption)
    /// A UTC time, or an offset from now.
    case time(TimeArgument)
    /// A local day, at the hour at which a morning begins, or a local time.
    case local(year: Int, month: Int, day: Int, hour: Int, minute: Int)

    static let names: [(name: String, option: SnoozeOption)] = [
        ("later-today", .laterToday), ("tomorrow", .tomorrow), ("weekend", .thisWeekend), ("next-week", .nextWeek),
    ]

    /// - Throws: `ValidationError` if it is neither a name nor a time.
    init(argument: String) throws {
        if let option = Self.names.first(where: { $0.name == argument })?.option {
            self = .option(option)
        } else if let time = TimeArgument(argument: argument) {
            self = .time(time)
        } else if let parts = argument.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/)?.output,
            let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3)
        {
            self = .local(
                year: year,
                month: month,
                day: day,
                hour: parts.4.flatMap { Int($0) } ?? SnoozeOption.morning,
                minute: parts.5.flatMap { Int($0) } ?? 0
            )
        } else {
            throw ValidationError(
                "Give \(Self.names.map(\.name).joined(separator: ", ")), an offset such as +2h, +3d or +1w, a day "
                    + "such as 2026-05-12, a local time such as 2026-05-12T09:30, or a UTC time such as "
                    + "2026-05-12T09:30:00Z."
            )
        }
    }

    /// Returns the time.
    ///
    /// - Parameter name: The option's name in errors.
    /// - Throws: `ValidationError` for one that doesn't exist, or that ``SnoozeOption/accepts(_:at:)`` refuses.
    func time(at now: Date, texts: CardTexts, timeZone: TimeZone, of name: String = "--until") throws -> Date {
        let time: Date
        switch self {
        case .option(let option):
            guard let found = option.time(at: now, texts: texts, timeZone: timeZone) else {
                throw ValidationError("\(name): the calendar of the region has no such time. Give a day or a time.")
            }
            time = found
        case .time(let argument): time = argument.date(now: now, timeZone: timeZone)
        case .local(let year, let month, let day, let hour, let minute):
            let found = SnoozeOption.time(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                timeZone: timeZone
            )
            guard let found else { throw ValidationError("\(name): there is no such day or time.") }
            time = found
        }
        guard SnoozeOption.accepts(time, at: now) else {
            throw ValidationError("\(name) has to be in the future, and at most five years away.")
        }
        return time
    }
}
