/// Runs an operation with a deadline, in seconds of the given clock.
///
/// - Throws: ``TransportError/timedOut(after:)`` if the operation exceeds the deadline; it is then cancelled. Otherwise
///   the error that the operation throws.
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
