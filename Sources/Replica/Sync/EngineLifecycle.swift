/// The part of an engine's life that decides whether its process keeps the store's lock.
///
/// A state machine without I/O. A process that isn't live doesn't receive other processes' requests, so it holds the
/// lock only during its rounds.
struct EngineLifecycle: Hashable, Sendable {
    /// Whether the engine keeps the store up to date.
    private(set) var isLive = false
    private(set) var isClosed = false
    /// Whether this process keeps the lock after a round.
    private(set) var keepsLock = false
    private var isSigningOut = false

    mutating func beginLive() { isLive = true }

    /// Records that the live connection has ended.
    ///
    /// - Returns: Whether the process no longer needs the lock between rounds. A sign-out under way still does.
    mutating func endLive() -> Bool {
        isLive = false
        guard !isSigningOut else { return false }
        keepsLock = false
        return true
    }

    /// Records that the process has the lock, and keeps it until the engine is closed or stops being live.
    mutating func keepLock() { keepsLock = true }

    /// Records that a sign-out has begun. It ends with the engine.
    mutating func beginSigningOut() { isSigningOut = true }

    /// Ends the life of the engine.
    ///
    /// - Returns: False if the engine was closed before.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }
}
