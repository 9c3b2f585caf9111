import Foundation

extension TransportStream {
    /// Gives each piece of the body to a closure, until the body ends.
    ///
    /// - Parameters:
    ///   - idle: How long the next piece may take, in seconds.
    /// - Throws: ``TransportError/timedOut(after:)`` where it takes longer; what the body or the closure throws.
    package func forEachPiece(
        idle: Double,
        clock: any WallClock,
        _ body: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let pieces = self.body
        // Guarded by its lock: the reader sets it, the watchdog looks.
        let lastSign = Locked(clock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await piece in pieces {
                    lastSign.withLock { $0 = clock.now }
                    try await body(piece)
                }
                try Task.checkCancellation()
            }
            group.addTask {
                while true {
                    let limit = lastSign.withLock { $0 }.addingTimeInterval(idle)
                    guard limit > clock.now else { throw TransportError.timedOut(after: idle) }
                    try await clock.sleep(until: limit)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
