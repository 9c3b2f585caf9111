import Foundation
import Groundwork
import Testing

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

    @Test func `a cancelled task stops sleeping`() async {
        let clock = clock
        let task = Task { try await clock.sleep(until: .distantFuture) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
