/// Runs something that has to end within so many seconds of the clock.
///
/// - Throws: ``TransportError/timedOut(after:)`` when it doesn't; it is cancelled then. What it throws itself
///   otherwise.
package func withDeadline<T: Sendable>(
    seconds: Double,
    clock: any WallClock,
    _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await withThrowingTaskGroup(of: T?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(seconds: seconds)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else {
            throw TransportError.timedOut(after: seconds)
        }
        return value
    }
}
