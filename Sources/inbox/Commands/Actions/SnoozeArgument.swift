import ArgumentParser
import Foundation
import InboxCards

/// The time until which a command snoozes messages, as it is given on the command line.
enum SnoozeArgument: Hashable, Sendable {
    /// An entry of the snooze menu of screens.
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
    /// - Throws: ``Failure`` for one that a screen's menu doesn't offer now, that doesn't exist, or that
    ///   ``SnoozeOption/accepts(_:at:)`` refuses.
    func time(at now: Date, texts: CardTexts, timeZone: TimeZone, of name: String = "--until") throws -> Date {
        let time: Date
        switch self {
        case .option(let option):
            let choices = SnoozeOption.choices(at: now, texts: texts, timeZone: timeZone)
            guard let choice = choices.first(where: { $0.option == option }) else {
                let offered = Self.names.filter { pair in choices.contains { $0.option == pair.option } }
                throw Failure(
                    "\(Self.names.first { $0.option == option }?.name ?? "") isn't offered now. Give one of "
                        + "\(offered.map(\.name).joined(separator: ", ")), or a time."
                )
            }
            time = choice.time
        case .time(let argument): time = argument.date(now: now)
        case .local(let year, let month, let day, let hour, let minute):
            let found = SnoozeOption.time(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                timeZone: timeZone
            )
            guard let found else { throw Failure("\(name): there is no such day or time.") }
            time = found
        }
        guard SnoozeOption.accepts(time, at: now) else {
            throw Failure("\(name) has to be in the future, and at most five years away.")
        }
        return time
    }
}
