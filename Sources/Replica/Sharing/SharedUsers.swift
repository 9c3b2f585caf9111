package import Foundation
import Groundwork

/// The users of a shared value, and the task that keeps the value live while at least one user requests it.
package struct SharedUsers: Sendable {
    package typealias LiveTask = Task<Void, Never>

    /// The users, and whether each requests the live task.
    private var users: [UUID: Bool] = [:]
    private var live: LiveTask?
    /// The previous live task, which may not have ended yet.
    private var ended: LiveTask?
    /// Whether the last user has left, or ``end()`` was called. No further user can join.
    package private(set) var hasEnded = false

    package init() {}

    /// Adds a user.
    ///
    /// - Parameter keepLive: Starts the task that keeps the value live, once the previous one has ended.
    /// - Returns: False if no further user can join.
    package mutating func join(_ user: UUID, isLive: Bool, keepLive: (_ ended: LiveTask?) -> LiveTask) -> Bool {
        guard !hasEnded else { return false }
        users[user] = isLive
        if isLive, live == nil { live = keepLive(ended) }
        return true
    }

    /// Removes a user. The live task continues as long as a remaining user requests it.
    ///
    /// - Returns: Whether it was the last user.
    package mutating func leave(_ user: UUID) -> Bool {
        let wasUser = users.removeValue(forKey: user) != nil
        if !users.values.contains(true) { stop() }
        guard wasUser, users.isEmpty else { return false }
        hasEnded = true
        return true
    }

    /// Removes all users, and stops the live task.
    ///
    /// - Returns: False if ``hasEnded`` was already true.
    package mutating func end() -> Bool {
        stop()
        defer { (users, hasEnded) = ([:], true) }
        return !hasEnded
    }

    /// Stops the live task.
    package mutating func stop() {
        guard let live else { return }
        live.cancel()
        (self.live, ended) = (nil, live)
    }
}

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
