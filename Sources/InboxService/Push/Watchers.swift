import Foundation
package import Groundwork

/// The open event streams by person. Commits wake them.
///
/// A stream has one slot for a signal, however slow its client is. It then sends the latest state.
///
/// The number of streams per person is limited. If a person opens one more, the oldest ends.
///
/// A change for one person wakes that person's devices at once. A change for everyone wakes devices at the rate of
/// ``WakeUpRateLimiter``.
package final class Watchers: Sendable {
    fileprivate struct Stream: Sendable {
        let wakeUp: WakeUp
        var lease: StreamLease
        /// The time from which the stream's token is rejected, at the latest.
        var until: Date
    }

    fileprivate struct Streams: Sendable {
        /// The streams that are still to be woken after a change for everyone, with their numbers. The longest waiting
        /// is first.
        var waiting: [(person: Int, number: Int, wakeUp: WakeUp)] = []
        var rateLimiter: WakeUpRateLimiter
        var last = 0
        var isShutDown = false
        var byPerson: [Int: [Int: Stream]] = [:]
        /// The end of the first lease; nil if no lease ends.
        var firstEnd: Date?
        /// The numbers of people who were erased lately: a stream of one may just be being opened. Numbers aren't
        /// reused.
        var erased: Set<Int> = []
        /// Those before them.
        var formerlyErased: Set<Int> = []
        /// The number of people after which those before them are forgotten.
        static let erasedLimit = 10_000
    }

    // The open streams, accessed only in `withLock`. A signal never blocks, so it may be sent while the lock is held.
    private let streams: Locked<Streams>
    private let clock: any WallClock
    private let limit: Int

    /// Signalled if not all streams could be woken at once. ``wakePending()`` wakes the next ones.
    let wakeUpsPending = WakeUp()
    /// Signalled if a new lease ends before all others. ``endExpired(at:)`` returns the time of the next check.
    let leaseAdded = WakeUp()

    /// - Parameter limit: The maximum number of streams per person.
    package init(
        clock: any WallClock = SystemClock(),
        rateLimiter: WakeUpRateLimiter = WakeUpRateLimiter(),
        limit: Int = .max
    ) {
        self.clock = clock
        self.limit = max(1, limit)
        streams = Locked(Streams(rateLimiter: rateLimiter))
    }

    /// The number of open streams.
    package var count: Int {
        streams.withLock { streams in streams.byPerson.values.reduce(0) { $0 + $1.count } }
    }

    /// Adds a stream. It ends at once after shutdown, or if the person was erased.
    ///
    /// - Parameter lease: The time for which the stream may stay open.
    /// - Returns: The number of the stream.
    package func add(_ wakeUp: WakeUp, for person: Int, lease: StreamLease = .unlimited) -> Int {
        let (number, isFirst) = streams.withLock { streams in
            streams.last += 1
            let stream = Stream(wakeUp: wakeUp, lease: lease, until: lease.until)
            streams.byPerson[person, default: [:]][streams.last] = stream
            if streams.isShutDown || streams.isErased(person) { wakeUp.end() }
            if let own = streams.byPerson[person], own.count > limit, let oldest = own.keys.min() {
                // The stream also removes itself when it ends.
                streams.byPerson[person]?.removeValue(forKey: oldest)?.wakeUp.end()
            }
            let isFirst = lease.until < streams.firstEnd ?? .distantFuture
            if isFirst { streams.firstEnd = lease.until }
            return (streams.last, isFirst)
        }
        if isFirst { leaseAdded.signal() }
        return number
    }

    /// Ends all streams, and streams added later at once. Called once at shutdown, also for thousands of streams.
    package func shutDown() {
        let wakeUps = streams.withLock { streams in
            streams.isShutDown = true
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

    /// Ends the streams of an erased person, including one that is just being opened.
    func endStreams(ofErased person: Int) {
        streams.withLock { streams in
            streams.noteErasure(of: person)
            for stream in (streams.byPerson[person] ?? [:]).values { stream.wakeUp.end() }
        }
    }

    /// Ends the open streams of a person: all of them, or those of one token.
    func endStreams(of person: Int, token: TokenID? = nil) {
        streams.withLock { streams in
            for stream in (streams.byPerson[person] ?? [:]).values where token == nil || stream.lease.token == token {
                stream.wakeUp.end()
            }
        }
    }

    /// Ends the streams whose tokens have expired.
    ///
    /// - Returns: The next expiry, or nil if there is none.
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

    /// The numbers of the people who have open streams.
    var people: Set<Int> { streams.withLock { Set($0.byPerson.keys) } }

    /// Verifies the token of each stream again, and ends each stream whose token is now rejected at once. A stream
    /// whose token can't be verified stays open.
    ///
    /// - Parameter people: The numbers of the people whose streams are meant. Nil for all.
    /// - Returns: Those of the people whose tokens couldn't be verified.
    @discardableResult func renewLeases(of people: Set<Int>? = nil) async -> Set<Int> {
        var failed: Set<Int> = []
        let open = streams.withLock { streams in
            (people ?? Set(streams.byPerson.keys)).flatMap { person in
                (streams.byPerson[person] ?? [:]).map { (person, $0.key, $0.value.lease) }
            }
        }
        for (person, number, lease) in open {
            guard let until = try? await lease.renew() ?? .distantPast else {
                failed.insert(person)
                continue
            }
            let now = clock.now
            // The other streams aren't looked at: of tens of thousands, a hundred people's are renewed at a time.
            let isFirst = streams.withLock { streams in
                streams.byPerson[person]?[number]?.until = until
                if until <= now { streams.byPerson[person]?[number]?.wakeUp.end() }
                guard until > now, until < streams.firstEnd ?? .distantFuture else { return false }
                streams.firstEnd = until
                return true
            }
            if isFirst { leaseAdded.signal() }
        }
        return failed
    }

    /// Wakes the streams of people whose inbox a commit changed: at once those of a change for one person, also where a
    /// change for everyone comes with it.
    package func wake(for effects: WriteEffects) {
        let isForEveryone = effects.broadcast != nil || effects.surface != nil
        let next = streams.withLock { streams -> Date? in
            if !streams.byPerson.isEmpty {
                for person in effects.own.keys {
                    for stream in (streams.byPerson[person] ?? [:]).values { stream.wakeUp.signal() }
                }
            }
            guard isForEveryone else { return nil }
            streams.removeClosed()
            streams.enqueueAll()
            return streams.wakeWaiting(clock.now)
        }
        if next != nil { wakeUpsPending.signal() }
    }

    /// Wakes as many of the waiting streams as the rate limit allows now.
    ///
    /// - Returns: The time to wake more, or nil if none are waiting.
    func wakePending() -> Date? {
        streams.withLock { streams in
            streams.removeClosed()
            return streams.wakeWaiting(clock.now)
        }
    }
}

extension Watchers.Streams {
    fileprivate func isErased(_ person: Int) -> Bool { erased.contains(person) || formerlyErased.contains(person) }

    fileprivate mutating func noteErasure(of person: Int) {
        if erased.count >= Self.erasedLimit { (erased, formerlyErased) = ([], erased) }
        erased.insert(person)
    }

    /// Removes waiting streams that have been closed meanwhile, so that they don't use up the rate.
    fileprivate mutating func removeClosed() {
        waiting.removeAll { byPerson[$0.person]?.index(forKey: $0.number) == nil }
    }

    /// Wakes as many of the waiting streams as the rate limit allows.
    ///
    /// - Returns: The time to wake more, or nil if none are waiting.
    fileprivate mutating func wakeWaiting(_ now: Date) -> Date? {
        let count = rateLimiter.acquire(upTo: waiting.count, now: now)
        for stream in waiting.prefix(count) { stream.wakeUp.signal() }
        waiting.removeFirst(count)
        return waiting.isEmpty ? nil : rateLimiter.next(after: now)
    }

    /// Appends all streams to the waiting ones. A stream that already waits keeps its position.
    fileprivate mutating func enqueueAll() {
        let waitingNumbers = Set(waiting.map(\.number))
        for (person, streams) in byPerson {
            for (number, stream) in streams where !waitingNumbers.contains(number) {
                waiting.append((person, number, stream.wakeUp))
            }
        }
    }
}
