package import Foundation
import Groundwork

/// The token closures of one person, one for each user of the person's store. The newest is called.
package final class TokenClosures: Sendable {
    package typealias Closure = @Sendable () async throws -> String

    // Guarded by its lock: users join and leave on any thread.
    private let all = Locked<[(user: UUID, closure: Closure)]>([])

    package init() {}

    package func add(_ closure: @escaping Closure, of user: UUID) { all.withLock { $0.append((user, closure)) } }

    package func remove(of user: UUID) { all.withLock { $0.removeAll { $0.user == user } } }

    /// Returns the newest closure's token.
    ///
    /// - Throws: The closure's errors; `CancellationError` if there is no closure.
    package func newest() async throws -> String {
        guard let closure = all.withLock({ $0.last?.closure }) else { throw CancellationError() }
        return try await closure()
    }
}
