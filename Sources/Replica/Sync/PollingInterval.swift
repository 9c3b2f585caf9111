import Foundation

/// The interval at which to poll a server that can't push: short during activity, and growing without it.
///
/// A state machine without I/O. The interval is a quarter of the time since the last activity, within the configured
/// bounds. Activity is a change from the server, a read by the app, the beginning of an observation, or an action of
/// the person. While a list is observed, the person may be looking at it: then the interval grows to four times the
/// shortest at most.
struct PollingInterval: Sendable {
    /// The bounds of the interval, in seconds.
    let shortest, longest: Double
    private(set) var lastActivity: Date

    init(shortest: Double, longest: Double, at now: Date) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        lastActivity = now
    }

    /// Records activity at a time.
    mutating func noteActivity(at time: Date) { lastActivity = max(lastActivity, time) }

    /// Returns the time of the next poll, given the time of the last.
    func next(after lastPoll: Date, isObserved: Bool) -> Date {
        let idle = lastPoll.timeIntervalSince(lastActivity)
        let longest = isObserved ? min(longest, shortest * 4) : longest
        return lastPoll.addingTimeInterval(min(longest, max(shortest, idle / 4)))
    }
}

/// The times of the last activity around an engine.
struct Activity: Hashable, Sendable {
    /// The time at which the app last read records or the person last changed one.
    var lastUse: Date
    /// The time at which polling last found changes.
    var lastRemoteChange = Date.distantPast

    var latest: Date { max(lastUse, lastRemoteChange) }
}
