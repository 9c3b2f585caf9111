import Eventually
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// When an observation that has failed begins again.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct RepeatedObservationTests {
    private struct Failure: Error {}

    private let clock = ManualClock()

    /// Snapshots that end, with an error or without.
    private func snapshots(_ numbers: Int..., failing error: (any Error)? = nil) -> AsyncThrowingStream<Int, any Error>
    {
        AsyncThrowingStream { continuation in
            for number in numbers { continuation.yield(number) }
            continuation.finish(throwing: error)
        }
    }

    @Test func `the waits grow up to five minutes`() async throws {
        var attempts = 0
        let task = Task {
            await RepeatedObservation(clock).follow {
                attempts += 1
                return snapshots(failing: Failure())
            } show: { _ in
                true
            }
        }
        for (number, wait) in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].enumerated() {
            #expect(try await eventually { clock.sleeperCount == 1 })
            #expect(attempts == number + 1)
            clock.advance(by: wait - 0.1)
            #expect(clock.sleeperCount == 1, "after \(wait) seconds")
            clock.advance(by: 0.1)
            #expect(clock.sleeperCount == 0, "after \(wait) seconds")
        }
        task.cancel()
        await task.value
    }

    @Test func `only a snapshot that can be shown resets the waits`() async throws {
        var (attempts, failures, shown) = (0, 0, [] as [Int])
        let task = Task {
            await RepeatedObservation(clock).follow {
                attempts += 1
                return snapshots(attempts, failing: Failure())
            } show: { number in
                if number < 3 { throw Failure() }
                shown.append(number)
                return true
            } failed: { _ in
                failures += 1
            }
        }
        for wait in [1.0, 2, 1, 1] {
            #expect(try await eventually { clock.sleeperCount == 1 })
            clock.advance(by: wait)
            #expect(clock.sleeperCount == 0)
        }
        #expect(try await eventually { clock.sleeperCount == 1 })
        #expect(shown == [3, 4, 5] && failures == 5)
        task.cancel()
        await task.value
        #expect(attempts == 5)
    }

    @Test func `a closed store ends the observation without a failure`() async throws {
        for error: (any Error)? in [nil, StoreError.closed, ReplicaError(.closed, "The store is closed.")] {
            var (failures, ends) = (0, 0)
            await RepeatedObservation(clock).follow {
                snapshots(1, failing: error)
            } show: { _ in
                true
            } failed: { _ in
                failures += 1
            } ended: {
                ends += 1
            }
            #expect(failures == 0 && ends == 1)
        }
    }

    @Test func `a query that can't be translated fails once`() async throws {
        var (attempts, failures, ends) = (0, 0, 0)
        await RepeatedObservation(clock).follow {
            attempts += 1
            return snapshots(failing: ReplicaError(.invalidArgument, "No such property."))
        } show: { _ in
            true
        } failed: { _ in
            failures += 1
        } ended: {
            ends += 1
        }
        #expect(attempts == 1 && failures == 1 && ends == 0)
    }

    @Test func `a released model or cancelled task isn't called`() async throws {
        var (shown, calls) = (0, 0)
        await RepeatedObservation(clock).follow {
            snapshots(1, 2, failing: Failure())
        } show: { _ in
            shown += 1
            return false
        } failed: { _ in
            calls += 1
        } ended: {
            calls += 1
        }
        #expect(shown == 1 && calls == 0)
        let task = Task {
            await RepeatedObservation(clock).follow {
                snapshots(failing: Failure())
            } show: { _ in
                true
            } ended: {
                calls += 1
            }
        }
        #expect(try await eventually { clock.sleeperCount == 1 })
        task.cancel()
        await task.value
        #expect(calls == 0 && clock.sleeperCount == 0)
    }
}
