import Foundation
import Testing

@testable import Groundwork

/// The system's clock, which really waits; here for a few milliseconds.
@Suite(.timeLimit(.minutes(5))) struct SystemClockTests {
    private let clock = SystemClock()

    @Test func `sleeping until a past time returns at once`() async throws {
        try await clock.sleep(until: .distantPast)
        try await clock.sleep(until: clock.now)
        try await clock.sleep(seconds: -1)
    }

    @Test func `sleeping until a later time waits for it`() async throws {
        let due = clock.now.addingTimeInterval(0.02)
        try await clock.sleep(until: due)
        #expect(clock.now >= due)
    }

    @Test func `a wait doesn't get longer if the device's time is set back`() async throws {
        var isFirst = true
        let began = ContinuousClock.now
        try await SystemClock.sleep(until: Date(timeIntervalSince1970: 86_400)) {
            defer { isFirst = false }
            return Date(timeIntervalSince1970: isFirst ? 86_399.9 : 0)
        }
        #expect(ContinuousClock.now - began < .seconds(30))
    }

    @Test func `a cancelled task stops sleeping`() async {
        let clock = clock
        let task = Task { try await clock.sleep(until: .distantFuture) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
