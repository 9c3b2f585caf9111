import Foundation

/// Runs something that blocks its thread on a thread of its own.
///
/// Tasks share a few threads, on Linux with Dispatch: work that waits there for other work may keep it from ever
/// running.
package func onItsOwnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

/// Runs something that blocks its thread on a thread of its own, and returns what it does.
///
/// - Throws: What `body` throws.
package func onItsOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result(catching: body))
        }
    }
}
