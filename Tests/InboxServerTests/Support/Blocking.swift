import Groundwork

/// Runs blocking work on its own thread, so that other tests aren't delayed.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    await onNewThread {
        let made = Result { try body() }
        result.withLock { $0 = made }
    }
    guard let made = result.withLock({ $0 }) else { throw CancellationError() }
    return try made.get()
}
