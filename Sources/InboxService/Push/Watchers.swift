import Foundation
package import Groundwork

/// The open event streams, by person, and the news that wake them.
///
/// A stream has one slot: a signal that is heard once, however slow its client is. What it then sends is the latest
/// state.
///
/// One person has few of them: where there is one more, the oldest ends.
///
/// What concerns one person wakes that person's devices at once; what concerns everyone, as fast as ``WakeUpPace`` lets
/// it.
package final class Watchers: Sendable {
    fileprivate struct Stream: Sendable {
        let wakeUp: WakeUp
        var lease: StreamLease
        /// When its token is refused at the latest.
        var until: Date
    }

    fileprivate struct Streams: Sendable {
        /// Those that are still to be woken of what concerns everyone, who has waited longest first, with their
        /// numbers.
        var waiting: [(number: Int, wakeUp: WakeUp)] = []
        var pace: WakeUpPace
        var last = 0
        var haveEnded = false
        var byPerson: [Int: [Int: Stream]] = [:]
        /// When the first lease ends; nil where none does.
        var firstEnd: Date?
        /// The numbers of the people who were erased since the start. Numbers aren't used again.
        var erased: Set<Int> = []
    }

    // Who listens; reached in `withLock` alone. A signal never waits, so it may be given while the lock is held.
    private let streams: Locked<Streams>
    private let clock: any WallClock
    private let limit: Int

    /// Signalled where some couldn't be woken at once: ``wakeWaiting()`` wakes the next ones.
    let someWait = WakeUp()
    /// Signalled where a lease ends before all others: ``endExpired(at:)`` says when to look.
    let leaseAdded = WakeUp()

    /// - Parameter limit: How many streams one person may have.
    package init(clock: any WallClock = SystemClock(), pace: WakeUpPace = WakeUpPace(), limit: Int = .max) {
        self.clock = clock
        self.limit = max(1, limit)
        streams = Locked(Streams(pace: pace))
    }

    /// How many streams are open.
    package var count: Int {
        streams.withLock { streams in streams.byPerson.values.reduce(0) { $0 + $1.count } }
    }

    /// - Parameter lease: For how long it may go on.
    package func add(_ wakeUp: WakeUp, for person: Int, lease: StreamLease = .unlimited) -> Int {
        let (number, isFirst) = streams.withLock { streams in
            streams.last += 1
            let stream = Stream(wakeUp: wakeUp, lease: lease, until: lease.until)
            streams.byPerson[person, default: [:]][streams.last] = stream
            if streams.haveEnded || streams.erased.contains(person) { wakeUp.end() }
            if let own = streams.byPerson[person], own.count > limit, let oldest = own.keys.min() {
                // It is removed by itself, as it ends.
                streams.byPerson[person]?.removeValue(forKey: oldest)?.wakeUp.end()
            }
            let isFirst = lease.until < streams.firstEnd ?? .distantFuture
            if isFirst { streams.firstEnd = lease.until }
            return (streams.last, isFirst)
        }
        if isFirst { leaseAdded.signal() }
        return number
    }

    /// Ends all streams, and those that come later at once: one call for thousands of them, when the server shuts down.
    package func end() {
        let wakeUps = streams.withLock { streams in
            streams.haveEnded = true
            return streams.byPerson.values.flatMap { $0.values.map(\.wakeUp) }
        }
        for wakeUp in wakeUps { wakeUp.end() }
    }

    package func remove(_ number: Int, of person: Int) {
        streams.withLock { streams in
            streams.byPerson[person]?[number] = nil
            if streams.byPerson[person]?.isEmpty ?? false { streams.byPerson[person] = nil }
        }
    }

    /// Ends the streams of a person who was erased, also one that is just being opened.
    func end(_ person: Int) {
        streams.withLock { streams in
            streams.erased.insert(person)
            for stream in (streams.byPerson[person] ?? [:]).values { stream.wakeUp.end() }
        }
    }

    /// Ends the open streams of a person: all, or those of one token.
    func endStreams(of person: Int, token: TokenID? = nil) {
        streams.withLock { streams in
            for stream in (streams.byPerson[person] ?? [:]).values where token == nil || stream.lease.token == token {
                stream.wakeUp.end()
            }
        }
    }

    /// Ends the streams whose tokens are refused by now.
    ///
    /// - Returns: When the next one is; nil where none is.
    func endExpired(at now: Date) -> Date? {
        streams.withLock { streams in
            var next = Date.distantFuture
            for person in streams.byPerson.values {
                for stream in person.values {
                    if stream.until <= now { stream.wakeUp.end() } else { next = min(next, stream.until) }
                }
            }
            streams.firstEnd = next == .distantFuture ? nil : next
            return streams.firstEnd
        }
    }

    /// Looks at the token of each stream again, and ends those whose token is refused now. What can't be looked at goes
    /// on.
    func renewLeases() async {
        let open = streams.withLock { streams in
            streams.byPerson.flatMap { person, all in all.map { (person, $0.key, $0.value.lease) } }
        }
        for (person, number, lease) in open {
            guard let until = try? await lease.renew() ?? .distantPast else { continue }
            streams.withLock { $0.byPerson[person]?[number]?.until = until }
        }
        leaseAdded.signal()
        _ = endExpired(at: clock.now)
    }

    /// Wakes those whose inbox a commit changed.
    package func wake(for effects: WriteEffects) {
        guard effects.broadcast != nil || effects.surface != nil else {
            streams.withLock { streams in
                guard !streams.byPerson.isEmpty else { return }
                for person in effects.own.keys {
                    for stream in (streams.byPerson[person] ?? [:]).values { stream.wakeUp.signal() }
                }
            }
            return
        }
        streams.withLock { $0.waitAll() }
        if wakeWaiting() != nil { someWait.signal() }
    }

    /// Wakes as many of those that wait as may be woken now.
    ///
    /// - Returns: When to wake more; nil where none waits.
    func wakeWaiting() -> Date? {
        streams.withLock { streams in
            let now = clock.now
            let count = streams.pace.take(of: streams.waiting.count, now: now)
            for (_, wakeUp) in streams.waiting.prefix(count) { wakeUp.signal() }
            streams.waiting.removeFirst(count)
            return streams.waiting.isEmpty ? nil : streams.pace.next(after: now)
        }
    }
}

extension Watchers.Streams {
    /// Puts all streams at the end of those that wait; one that waits already keeps its place.
    fileprivate mutating func waitAll() {
        let already = Set(waiting.map(\.number))
        for streams in byPerson.values {
            for (number, stream) in streams where !already.contains(number) { waiting.append((number, stream.wakeUp)) }
        }
    }
}
