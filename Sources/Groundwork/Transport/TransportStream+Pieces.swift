import Foundation

extension TransportStream {
    /// Calls a closure with each chunk of the body until the body ends.
    ///
    /// - Parameters:
    ///   - idle: The maximum time between chunks, in seconds.
    /// - Throws: ``TransportError/timedOut(after:)`` if no chunk arrives in that time. Otherwise the error of the body
    ///   or of the closure.
    package func forEachPiece(
        idle: Double,
        clock: any WallClock,
        _ body: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let pieces = self.body
        // Guarded by its lock: the reader sets it, the watchdog reads it.
        let lastReceived = Locked(clock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await piece in pieces {
                    lastReceived.withLock { $0 = clock.now }
                    try await body(piece)
                }
                try Task.checkCancellation()
            }
            group.addTask {
                while true {
                    let limit = lastReceived.withLock { $0 }.addingTimeInterval(idle)
                    guard limit > clock.now else { throw TransportError.timedOut(after: idle) }
                    try await clock.sleep(until: limit)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
