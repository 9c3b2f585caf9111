import Foundation

/// How often to ask a server that can't tell by itself: often while there is something going on, ever more seldom while
/// there isn't. A state machine without I/O.
///
/// Asked is again after a quarter of the time for which nothing has happened, but neither sooner nor later than is set.
/// What counts as happening: news from the server, and whatever the app reads or the person does. While a list is
/// observed, somebody may be looking at it: then the time grows to four times the shortest only.
struct PollPace: Sendable {
    /// In seconds.
    let shortest, longest: Double
    private(set) var lastLife: Date

    init(shortest: Double, longest: Double, at now: Date) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        lastLife = now
    }

    /// Something has happened at a time.
    mutating func noteLife(at time: Date) { lastLife = max(lastLife, time) }

    /// When to ask again, having asked at a time.
    func next(after asked: Date, isObserved: Bool) -> Date {
        let idle = asked.timeIntervalSince(lastLife)
        let longest = isObserved ? min(longest, shortest * 4) : longest
        return asked.addingTimeInterval(min(longest, max(shortest, idle / 4)))
    }
}
