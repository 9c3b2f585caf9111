import Eventually
import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PingScheduleTests {
    /// A clock that counts its waits.
    private struct CountingClock: WallClock {
        let clock = ManualClock()
        let waits = Locked(0)

        var now: Date { clock.now }

        func sleep(until time: Date) async throws {
            waits.withLock { $0 += 1 }
            try await clock.sleep(until: time)
        }
    }

    /// A schedule that runs until the test ends.
    private final class Running: Sendable {
        let clock = CountingClock()
        let schedule: PingSchedule
        private let task: Task<Void, any Error>

        init() {
            let schedule = PingSchedule(clock: clock)
            self.schedule = schedule
            task = Task { try await schedule.run() }
        }

        deinit { task.cancel() }
    }

    private func signals(_ wakeUp: WakeUp) -> Locked<Int> {
        let count = Locked(0)
        Task { for await _ in wakeUp.signals { count.withLock { $0 += 1 } } }
        return count
    }

    @Test func `a ping is due once after its interval`() async throws {
        let running = Running()
        let (schedule, clock) = (running.schedule, running.clock)
        let wakeUp = WakeUp()
        let count = signals(wakeUp)
        let number = schedule.add(interval: 30, wakeUp: wakeUp)
        #expect(try await eventually { clock.waits.withLock { $0 } == 1 })
        clock.clock.advance(by: 29)
        #expect(schedule.takeDue(number) == nil)
        clock.clock.advance(by: 1)
        #expect(try await eventually { count.withLock { $0 } == 1 })
        #expect(schedule.takeDue(number) != nil)
        #expect(schedule.takeDue(number) == nil)
    }

    @Test func `sending data postpones the ping without another timer`() async throws {
        let running = Running()
        let (schedule, clock) = (running.schedule, running.clock)
        let wakeUp = WakeUp()
        let count = signals(wakeUp)
        let number = schedule.add(interval: 30, wakeUp: wakeUp)
        #expect(try await eventually { clock.waits.withLock { $0 } == 1 })
        clock.clock.advance(by: 20)
        for _ in 0..<10_000 { schedule.restart(number) }
        #expect(clock.waits.withLock { $0 } == 1)
        clock.clock.advance(by: 10)
        #expect(try await eventually { clock.waits.withLock { $0 } == 2 })
        #expect(count.withLock { $0 } == 0)
        #expect(schedule.takeDue(number) == nil)
        clock.clock.advance(by: 20)
        #expect(try await eventually { count.withLock { $0 } == 1 })
        #expect(schedule.takeDue(number) != nil)
    }

    @Test func `hundreds of streams share one timer`() async throws {
        let running = Running()
        let (schedule, clock) = (running.schedule, running.clock)
        let wakeUps = (0..<300).map { _ in WakeUp() }
        let counts = wakeUps.map { signals($0) }
        for (index, wakeUp) in wakeUps.enumerated() {
            _ = schedule.add(interval: 60 + index % 10, wakeUp: wakeUp)
        }
        // The timer is set for the earliest ping, and the first intervals are the shortest.
        #expect(clock.waits.withLock { $0 } <= 3)
        for _ in 0..<70 {
            clock.clock.advance(by: 1)
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try await eventually { counts.allSatisfy { $0.withLock { $0 } == 1 } })
        #expect(clock.waits.withLock { $0 } < 40)
    }

    @Test func `an ended stream isn't woken`() async throws {
        let running = Running()
        let (schedule, clock) = (running.schedule, running.clock)
        let (gone, stays) = (WakeUp(), WakeUp())
        let (goneCount, staysCount) = (signals(gone), signals(stays))
        let number = schedule.add(interval: 5, wakeUp: gone)
        _ = schedule.add(interval: 5, wakeUp: stays)
        #expect(try await eventually { clock.waits.withLock { $0 } >= 1 })
        schedule.remove(number)
        clock.clock.advance(by: 5)
        #expect(try await eventually { staysCount.withLock { $0 } == 1 })
        #expect(goneCount.withLock { $0 } == 0)
        #expect(schedule.takeDue(number) == nil)
    }
}
