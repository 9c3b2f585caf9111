import Foundation
import Groundwork

/// The open event streams, by person, and the news that wake them.
///
/// A stream has one slot: a signal that is heard once, however slow its client is. What it then sends is the latest state.
final class Watchers: Sendable {
    private struct Streams: Sendable {
        var last = 0
        var haveEnded = false
        var byPerson: [Int: [Int: WakeUp]] = [:]
        /// The people who were erased since the start, by their numbers, which nobody else will ever have.
        var erased: Set<Int> = []
    }

    // Who listens; reached in `withLock` alone. A signal never waits, so it may be given while the lock is held.
    private let streams = Locked(Streams())

    init() {}

    /// How many streams are open.
    var count: Int {
        streams.withLock { streams in streams.byPerson.values.reduce(0) { $0 + $1.count } }
    }

    func add(_ wakeUp: WakeUp, for person: Int) -> Int {
        streams.withLock { streams in
            streams.last += 1
            streams.byPerson[person, default: [:]][streams.last] = wakeUp
            if streams.haveEnded || streams.erased.contains(person) { wakeUp.end() }
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
        streams.withLock { streams in
            if effects.broadcast != nil || effects.surface != nil {
                for wakeUps in streams.byPerson.values {
                    for wakeUp in wakeUps.values { wakeUp.signal() }
                }
            } else if !streams.byPerson.isEmpty {
                for person in effects.own.keys {
                    for wakeUp in (streams.byPerson[person] ?? [:]).values { wakeUp.signal() }
                }
            }
        }
    }
}
