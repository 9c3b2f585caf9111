import Foundation
import Groundwork

/// The condition of a rule, as far as it is about time.
///
/// A condition is decided where it is made of `~timestampu`, the time of the event in seconds since 1970, `and` and
/// `or`. All others are about facts that only the device knows when an event occurs.
struct AdobeCondition {
    /// The times at which the condition surely holds.
    private let certain: AdobeTimes
    /// The times at which it may hold.
    private let possible: AdobeTimes
    /// The location of the first part that can't be decided.
    private let undecided: JSONPointer?

    /// The period in which a card is shown.
    struct Period: Equatable {
        /// The time from which it is shown, or nil if it always was.
        var start: Date?
        /// The time from which it is no longer shown, or nil if it always will be.
        var end: Date?
    }

    /// The number of separate periods past which a condition isn't followed any further.
    private static let limit = 100

    private init(certain: AdobeTimes, possible: AdobeTimes, undecided: JSONPointer? = nil) {
        (self.certain, self.possible, self.undecided) = (certain, possible, undecided)
    }

    private init(_ times: AdobeTimes) {
        self.init(certain: times, possible: times)
    }

    private static func undecided(at location: JSONPointer) -> AdobeCondition {
        AdobeCondition(certain: .never, possible: .always, undecided: location)
    }

    /// Reads a condition. Unknown parts are undecided, so there is no error.
    init(reading reader: JSONReader) {
        let definition = reader.member("definition")
        switch (reader.value["type"]?.stringValue, definition) {
        case ("group", let definition?): self = Self.group(definition, reader.pointer)
        case ("matcher", let definition?): self = Self.matcher(definition) ?? .undecided(at: reader.pointer)
        default: self = .undecided(at: reader.pointer)
        }
    }

    private static func group(_ definition: JSONReader, _ location: JSONPointer) -> AdobeCondition {
        guard let members = definition.member("conditions"), let elements = members.value.arrayValue else {
            return .undecided(at: location)
        }
        let conditions = elements.enumerated().map { index, element in
            AdobeCondition(reading: JSONReader(element, at: members.pointer / index))
        }
        var (certain, possible) = (AdobeTimes.always, AdobeTimes.always)
        switch definition.value["logic"]?.stringValue {
        case "and":
            for condition in conditions where max(certain.periods.count, possible.periods.count) <= limit {
                certain = certain.intersection(condition.certain)
                possible = possible.intersection(condition.possible)
            }
        case "or":
            certain = .union(conditions.map(\.certain))
            possible = .union(conditions.map(\.possible))
        default: return .undecided(at: location)
        }
        guard max(certain.periods.count, possible.periods.count) <= limit else { return .undecided(at: location) }
        let undecided = conditions.lazy.compactMap(\.undecided).first
        return AdobeCondition(
            certain: certain,
            possible: possible,
            undecided: certain == possible ? nil : undecided ?? location
        )
    }

    /// Reads a comparison, which holds if it does for any of its values.
    private static func matcher(_ definition: JSONReader) -> AdobeCondition? {
        guard definition.value["key"]?.stringValue == "~timestampu",
            let matcher = definition.value["matcher"]?.stringValue,
            let values = definition.value["values"]?.arrayValue
        else { return nil }
        var sets: [AdobeTimes] = []
        for value in values {
            guard let seconds = value.adobeSeconds, let holding = times(matcher, seconds) else { return nil }
            sets.append(holding)
        }
        let united = AdobeTimes.union(sets)
        return united.periods.count <= limit ? AdobeCondition(united) : nil
    }

    /// The times for which a comparison with a number of seconds holds, or nil for one that isn't known.
    private static func times(_ matcher: String, _ seconds: Int) -> AdobeTimes? {
        switch matcher {
        case "lt": AdobeTimes(until: seconds)
        case "le": AdobeTimes(until: seconds + 1)
        case "gt": AdobeTimes(from: seconds + 1)
        case "ge": AdobeTimes(from: seconds)
        case "eq": AdobeTimes(from: seconds, until: seconds + 1)
        case "ne": .union([AdobeTimes(until: seconds), AdobeTimes(from: seconds + 1)])
        default: nil
        }
    }

    /// Returns the period in which the card is shown, and the location of the undecided part.
    ///
    /// - Parameters:
    ///   - now: The time of the import. Periods that ended before aren't considered.
    ///   - location: The condition's location.
    ///   - includesUndecided: Whether undecided parts count as true.
    /// - Throws: ``AdapterError`` with `undecided` if the condition depends on more than the time or has several
    ///   periods, or `notAcceptable` if it never holds.
    func period(
        at now: Date,
        _ location: JSONPointer,
        includingUndecided includesUndecided: Bool
    ) throws(AdapterError) -> (period: Period, undecided: JSONPointer?) {
        guard !possible.periods.isEmpty else {
            throw AdapterError(.notAcceptable, at: location, "never holds: its card would never be shown")
        }
        if let undecided, !includesUndecided {
            throw AdapterError(
                .undecided,
                at: undecided,
                "can't be decided by an import, which knows only the time (~timestampu)"
            )
        }
        let coming = possible.periods.filter { $0.upperBound == .max || $0.upperBound > now.wholeSeconds }
        // A card whose period has ended is imported as expired.
        let periods = coming.isEmpty ? Array(possible.periods.suffix(1)) : coming
        guard periods.count == 1 || includesUndecided else {
            throw AdapterError(.undecided, at: location, "has several periods: a card has one delivery and one expiry")
        }
        let period = Period(
            start: periods.first.flatMap { $0.lowerBound == .min ? nil : Date(seconds: $0.lowerBound) },
            end: periods.last.flatMap { $0.upperBound == .max ? nil : Date(seconds: $0.upperBound) }
        )
        return (period, undecided ?? (periods.count == 1 ? nil : location))
    }
}

extension JSON {
    /// The whole seconds of a number, or of a text that is one, in the years 1 to 9999.
    fileprivate var adobeSeconds: Int? {
        guard let seconds = lenientNumber, (-62_135_596_800..<253_402_300_799).contains(seconds),
            seconds == seconds.rounded()
        else { return nil }
        return Int(seconds)
    }
}

extension Date {
    fileprivate init(seconds: Int) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }

    fileprivate var wholeSeconds: Int { Int(timeIntervalSince1970.rounded(.down)) }
}
