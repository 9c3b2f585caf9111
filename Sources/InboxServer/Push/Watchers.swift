import Foundation
import Groundwork

/// The open event streams, by person, and the news that wake them.
///
/// A stream has one slot: a signal that is heard once, however slow its client is. What it then sends is the latest state.
///
/// One person has few of them: where there is one more, the oldest ends.
///
/// What concerns one person wakes that person's devices at once; what concerns everyone, as fast as ``WakeUpPace`` lets it.
final class Watchers: Sendable {
    fileprivate struct Streams: Sendable {
        /// Those that are still to be woken of what concerns everyone, who has waited longest first, with their numbers.
        var waiting: [(number: Int, wakeUp: WakeUp)] = []
        var pace: WakeUpPace
        var last = 0
        var haveEnded = false
        var byPerson: [Int: [Int: WakeUp]] = [:]
        /// The people who were erased since the start, by their numbers, which nobody else will ever have.
        var erased: Set<Int> = []
    }

    // Who listens; reached in `withLock` alone. A signal never waits, so it may be given while the lock is held.
    private let streams: Locked<Streams>
    private let clock: any WallClock
    private let limit: Int

    /// Signalled where some couldn't be woken at once: ``wakeWaiting()`` wakes the next ones.
    let someWait = WakeUp()

    /// - Parameter limit: How many streams one person may have.
    init(clock: any WallClock = SystemClock(), pace: WakeUpPace = WakeUpPace(), limit: Int = .max) {
        self.clock = clock
        self.limit = max(1, limit)
        streams = Locked(Streams(pace: pace))
    }

    /// How many streams are open.
    var count: Int {
        streams.withLock { streams in streams.byPerson.values.reduce(0) { $0 + $1.count } }
    }

    func add(_ wakeUp: WakeUp, for person: Int) -> Int {
        streams.withLock { streams in
            streams.last += 1
            streams.byPerson[person, default: [:]][streams.last] = wakeUp
            if streams.haveEnded || streams.erased.contains(person) { wakeUp.end() }
            if let own = streams.byPerson[person], own.count > limit, let oldest = own.keys.min() {
                // It is removed by itself, as it ends.
                streams.byPerson[person]?.removeValue(forKey: oldest)?.end()
            }
            return streams.last
        }
    }

    /// Ends all streams, and those that come later at once: one call for thousands of them, when the server shuts down.
    func end() {
        let wakeUps = streams.withLock { streams in
            streams.haveEnded = true
            return streams.byPerson.values.flatMap(\.values)
        }
        for wakeUp in wakeUps { wakeUp.end() }
    }

    func remove(_ number: Int, of person: Int) {
        streams.withLock { streams in
            streams.byPerson[person]?[number] = nil
            if streams.byPerson[person]?.isEmpty ?? false { streams.byPerson[person] = nil }
        }
    }

    /// Ends the streams of a person who was erased, also one that is just being opened.
    func end(_ person: Int) {
        streams.withLock { streams in
            streams.erased.insert(person)
            for wakeUp in (streams.byPerson[person] ?? [:]).values { wakeUp.end() }
        }
    }

    /// Wakes those whose inbox a commit changed.
    func wake(for effects: WriteEffects) {
        guard effects.broadcast != nil || effects.surface != nil else {
            streams.withLock { streams in
                guard !streams.byPerson.isEmpty else { return }
                for person in effects.own.keys {
                    for wakeUp in (streams.byPerson[person] ?? [:]).values { wakeUp.signal() }
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
        for wakeUps in byPerson.values {
            for (number, wakeUp) in wakeUps where !already.contains(number) { waiting.append((number, wakeUp)) }
        }
    }
}
