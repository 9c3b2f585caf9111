package import Foundation
import Groundwork

/// The closures that give tokens of one person, of all who have the person's store open. The newest is asked.
package final class TokenClosures: Sendable {
    package typealias Closure = @Sendable () async throws -> String

    // Guarded by the lock: users come and go on any thread.
    private let all = Locked<[(user: UUID, closure: Closure)]>([])

    package init() {}

    package func add(_ closure: @escaping Closure, of user: UUID) { all.withLock { $0.append((user, closure)) } }

    package func remove(of user: UUID) { all.withLock { $0.removeAll { $0.user == user } } }

    /// - Throws: What the closure throws; `CancellationError` where there is none.
    package func newest() async throws -> String {
        guard let closure = all.withLock({ $0.last?.closure }) else { throw CancellationError() }
        return try await closure()
    }
}
