import Foundation

/// Runs blocking work on a new thread.
///
/// Tasks share a small pool of threads, on Linux with Dispatch. Blocking work in that pool can deadlock on other work
/// that waits for a thread.
package func onNewThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

/// Runs blocking work on a new thread and returns its result.
///
/// - Throws: The error that `body` throws.
package func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result(catching: body))
        }
    }
}
