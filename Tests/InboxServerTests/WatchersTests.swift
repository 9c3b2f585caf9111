import Eventually
import Foundation
import Groundwork
import ServiceLifecycle
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct WatchersTests {
    /// One stream for each person, numbered from 0, and how often each was woken.
    private final class Streams: Sendable {
        let watchers: Watchers
        let woken = Locked<[Int: Int]>([:])
        private let listeners = Locked<[Task<Void, Never>]>([])
        private let wakeUps = Locked<[WakeUp]>([])

        init(_ watchers: Watchers, count: Int) {
            self.watchers = watchers
            for person in 0..<count {
                let wakeUp = WakeUp()
                wakeUps.withLock { $0.append(wakeUp) }
                _ = watchers.add(wakeUp, for: person)
                let listener = Task { [woken] in
                    for await _ in wakeUp.signals { woken.withLock { $0[person, default: 0] += 1 } }
                }
                listeners.withLock { $0.append(listener) }
            }
        }

        func woke(_ count: Int) async throws -> Bool {
            try await eventually { woken.withLock { $0.values.reduce(0, +) } == count }
        }

        func end() async {
            watchers.shutDown()
            // Those of removed streams too.
            for wakeUp in wakeUps.withLock({ $0 }) { wakeUp.end() }
            for listener in listeners.withLock({ $0 }) { await listener.value }
        }
    }

    private func effects(broadcast: Int? = nil, own: [Int: Int] = [:]) -> WriteEffects {
        var effects = WriteEffects()
        effects.broadcast = broadcast
        effects.own = own
        return effects
    }

    @Test func `after a broadcast, a burst of streams wakes at once, the others at the pace`() async throws {
        let clock = ManualClock()
        let watchers = Watchers(clock: clock, rateLimiter: WakeUpRateLimiter(burst: 3, perSecond: 2))
        let streams = Streams(watchers, count: 8)
        let running = Task { try await WakeUpService(watchers: watchers, clock: clock).run() }

        watchers.wake(for: effects(broadcast: 1))
        #expect(try await streams.woke(3))
        // A change of one person isn't paced.
        let waiting = try #require((0..<8).first { person in streams.woken.withLock { $0[person] == nil } })
        watchers.wake(for: effects(own: [waiting: 1]))
        #expect(try await streams.woke(4))

        for expected in [6, 8, 9] {
            #expect(try await eventually { clock.hasSleepers })
            clock.advance(by: 1)
            #expect(try await streams.woke(expected))
        }
        #expect(streams.woken.withLock { $0.count } == 8, "no stream is left out")
        #expect(!clock.hasSleepers, "without waiting streams there is no timer")
        running.cancel()
        _ = await running.result
        await streams.end()
    }

    @Test func `a change of one person isn't paced where a broadcast is in the same commit`() async throws {
        let watchers = Watchers(clock: ManualClock(), rateLimiter: WakeUpRateLimiter(burst: 1, perSecond: 1))
        let streams = Streams(watchers, count: 4)
        watchers.wake(for: effects(broadcast: 1))
        #expect(try await streams.woke(1))
        let waiting = try #require((0..<4).last { person in streams.woken.withLock { $0[person] == nil } })
        watchers.wake(for: effects(broadcast: 2, own: [waiting: 1]))
        #expect(try await streams.woke(2))
        #expect(streams.woken.withLock { $0[waiting] == 1 })
        await streams.end()
    }

    @Test func `a second broadcast wakes the waiting streams first, each once`() async throws {
        let clock = ManualClock()
        let watchers = Watchers(clock: clock, rateLimiter: WakeUpRateLimiter(burst: 2, perSecond: 2))
        let streams = Streams(watchers, count: 4)
        watchers.wake(for: effects(broadcast: 1))
        #expect(try await streams.woke(2))
        let first = streams.woken.withLock { Set($0.keys) }
        watchers.wake(for: effects(broadcast: 2))
        clock.advance(by: 1)
        #expect(watchers.wakePending() != nil)
        #expect(try await streams.woke(4))
        #expect(streams.woken.withLock { Set($0.keys) }.count == 4, "the waiting streams come first")
        clock.advance(by: 1)
        #expect(watchers.wakePending() == nil)
        #expect(try await streams.woke(6))
        #expect(streams.woken.withLock { woken in first.allSatisfy { woken[$0] == 2 } })
        await streams.end()
    }

    @Test func `closed streams don't use up the pace of those that wait`() async throws {
        let clock = ManualClock()
        let watchers = Watchers(clock: clock, rateLimiter: WakeUpRateLimiter(burst: 1, perSecond: 1))
        let streams = Streams(watchers, count: 9)
        watchers.wake(for: effects(broadcast: 1))
        #expect(try await streams.woke(1))
        let woken = try #require(streams.woken.withLock { $0.keys.first })
        let last = try #require((0..<9).last { $0 != woken })
        // The number of a stream is one more than its person's.
        for person in 0..<9 where person != last { watchers.remove(person + 1, of: person) }
        clock.advance(by: 1)
        #expect(watchers.wakePending() == nil)
        #expect(try await streams.woke(2))
        #expect(streams.woken.withLock { $0[last] == 1 })
        await streams.end()
    }

    @Test func `recently erased people are known, earlier ones are forgotten`() async {
        let watchers = Watchers()
        for person in 1...30_000 { watchers.endStreams(ofErased: person) }
        func isEnded(_ person: Int) async -> Bool {
            let wakeUp = WakeUp()
            _ = watchers.add(wakeUp, for: person)
            wakeUp.signal()
            for await _ in wakeUp.signals { return false }
            return true
        }
        for person in [30_000, 20_000, 10_001] { #expect(await isEnded(person), "\(person)") }
        #expect(await !isEnded(1))
    }

    @Test func `a clock set back doesn't stop the pace`() {
        var limiter = WakeUpRateLimiter(burst: 10, perSecond: 10)
        let now = Date(timeIntervalSince1970: 1_000)
        #expect(limiter.acquire(upTo: 100, now: now) == 10)
        #expect(limiter.acquire(upTo: 90, now: now.addingTimeInterval(-500)) == 0)
        #expect(limiter.acquire(upTo: 90, now: now.addingTimeInterval(-499.5)) == 5)
        #expect(limiter.acquire(upTo: 85, now: now.addingTimeInterval(10_000)) == 10, "a pause allows at most a burst")
    }
}
