import Foundation
import Groundwork

/// A set of times in whole seconds since 1970, as periods in order that don't touch each other.
struct AdobeTimes: Equatable {
    /// The periods, each without its upper bound. `Int.min` and `Int.max` mean that there is no bound.
    private(set) var periods: [Range<Int>]

    static let always = AdobeTimes(periods: [.min..<Int.max])
    static let never = AdobeTimes(periods: [])

    private init(periods: [Range<Int>]) {
        self.periods = periods
    }

    /// Creates a set from a lower and an excluded upper bound, either of which may be absent.
    init(from start: Int? = nil, until end: Int? = nil) {
        let (start, end) = (start ?? .min, end ?? .max)
        periods = start < end ? [start..<end] : []
    }

    /// The times that are in any of the sets.
    static func union(_ sets: [AdobeTimes]) -> AdobeTimes {
        var united: [Range<Int>] = []
        for period in sets.flatMap(\.periods).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = united.last, period.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, period.upperBound)
            } else {
                united.append(period)
            }
        }
        return AdobeTimes(periods: united)
    }

    /// The times that are in this set and in another.
    func intersection(_ other: AdobeTimes) -> AdobeTimes {
        var common: [Range<Int>] = []
        var (own, others) = (periods[...], other.periods[...])
        while let one = own.first, let two = others.first {
            if one.overlaps(two) { common.append(one.clamped(to: two)) }
            if one.upperBound <= two.upperBound { own.removeFirst() } else { others.removeFirst() }
        }
        return AdobeTimes(periods: common)
    }
}
