package import Groundwork

/// Follows snapshots for a model, and begins again after a retryable error, such as that of a full disk or a file
/// that another process locks.
///
/// The wait before the n-th attempt in a row is 2ⁿ⁻¹ seconds, at most ``RetryMachine/maxDelay``. A snapshot ends the
/// row. Nothing follows the end of a store, such as after a sign-out, or the error of a query that can't be translated.
@MainActor
package final class RepeatedObservation {
    private let clock: any WallClock
    // Isolated to the main actor, as the models that are updated.
    private var retry = RetryMachine()

    package init(_ clock: any WallClock) {
        self.clock = clock
    }

    /// Follows snapshots until they end, until `show` returns false, or until the task is cancelled.
    ///
    /// Exactly one of `ended` and a last call of `failed` follows the last snapshot, unless the task was cancelled or
    /// `show` returned false.
    ///
    /// - Parameters:
    ///   - snapshots: Returns the snapshots, from the first one on. It is called for each attempt.
    ///   - show: Shows a snapshot, and returns whether to continue. An error that it throws is one of the snapshots.
    ///   - failed: Is called with each error, before the wait for the next attempt.
    ///   - ended: Is called when the snapshots have ended because the store was closed.
    package func follow<Snapshots: AsyncSequence>(
        _ snapshots: @MainActor () -> Snapshots,
        show: @MainActor (Snapshots.Element) async throws -> Bool,
        failed: @MainActor (any Error) -> Void = { _ in },
        ended: @MainActor () -> Void = {}
    ) async where Snapshots.Element: Sendable {
        while true {
            do {
                for try await snapshot in snapshots() {
                    guard !Task.isCancelled, try await show(snapshot) else { return }
                    succeeded()
                }
                if !Task.isCancelled { ended() }
                return
            } catch {
                guard !Task.isCancelled else { return }
                guard Self.code(of: error) != .closed else { return ended() }
                failed(error)
                guard await waits(after: error) else { return }
            }
        }
    }

    /// Ends a row of errors.
    func succeeded() { retry.succeeded() }

    /// Waits until an observation that has failed may begin again.
    ///
    /// - Returns: False if it isn't to begin again, or if the task is cancelled first.
    func waits(after error: any Error) async -> Bool {
        guard ![.closed, .invalidArgument].contains(Self.code(of: error)) else { return false }
        // Nothing is spread over time: the errors are those of this device's file.
        retry.failed(isRetryable: true, retryAfter: nil, at: clock.now, jitter: 1)
        guard let time = retry.earliest(at: clock.now) else { return false }
        return (try? await clock.sleep(until: time)) != nil && !Task.isCancelled
    }

    private static func code(of error: any Error) -> ReplicaError.Code? {
        (ReplicaError.wrapping(error) as? ReplicaError)?.code
    }
}
