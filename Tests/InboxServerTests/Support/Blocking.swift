import Groundwork

/// Runs something that blocks its thread on a thread of its own, so that the tests beside it go on.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    await onItsOwnThread {
        let made = Result { try body() }
        result.withLock { $0 = made }
    }
    guard let made = result.withLock({ $0 }) else { throw CancellationError() }
    return try made.get()
}
