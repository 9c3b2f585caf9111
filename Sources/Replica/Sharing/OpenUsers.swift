package import Foundation

/// Those who use something that is open for several places of a process, and the task that keeps it live while one of
/// them wants that.
package struct OpenUsers: Sendable {
    package typealias LiveTask = Task<Void, Never>

    /// Whether each wants it live.
    private var users: [UUID: Bool] = [:]
    private var live: LiveTask?
    /// The one before, which may not have ended yet.
    private var ended: LiveTask?
    /// Whether the last user has left. No other can join.
    package private(set) var isOver = false

    package init() {}

    /// - Parameter keepLive: Begins to keep it live, once the task before has ended.
    /// - Returns: False where it is over.
    package mutating func join(_ user: UUID, isLive: Bool, keepLive: (_ ended: LiveTask?) -> LiveTask) -> Bool {
        guard !isOver else { return false }
        users[user] = isLive
        if isLive, live == nil { live = keepLive(ended) }
        return true
    }

    /// A connection that is there goes on for those who are left, unless none of them wants one.
    ///
    /// - Returns: Whether it was the last.
    package mutating func leave(_ user: UUID) -> Bool {
        let wasThere = users.removeValue(forKey: user) != nil
        if !users.values.contains(true) { stop() }
        guard wasThere, users.isEmpty else { return false }
        isOver = true
        return true
    }

    /// Ends it for all of them.
    ///
    /// - Returns: False where it was over.
    package mutating func end() -> Bool {
        stop()
        defer { (users, isOver) = ([:], true) }
        return !isOver
    }

    /// Keeps it live no longer.
    package mutating func stop() {
        guard let live else { return }
        live.cancel()
        (self.live, ended) = (nil, live)
    }
}
