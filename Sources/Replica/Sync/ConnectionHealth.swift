import Foundation
import Groundwork

/// The last failure of an engine, the time of the next attempt, and the live connection. The published connection state
/// follows from them.
///
/// A state machine without I/O.
struct ConnectionHealth: Sendable {
    /// The state of the live connection.
    enum Stream: Hashable, Sendable {
        case off, connecting, open, polling
        /// The stream broke. The next attempt is at that time.
        case broken(OfflineReason, nextTry: Date?)
        case otherProcess
    }

    private var retry = RetryMachine()
    private var stream = Stream.off
    /// The failure of the last round or connection, while ``retry`` waits or pauses because of it.
    private var lastFailure: SyncError?
    /// The failure of the store in the last round, likewise.
    private var storeFailure: OfflineReason?

    /// The time at which to ask the app for another token; nil if the token wasn't rejected.
    var tokenRequest: Date? { retry.tokenRequest }

    /// Returns the time at which a round may begin automatically; nil if it requires a new token or ``retryNow()``.
    func earliest(at now: Date) -> Date? { retry.earliest(at: now) }

    /// Whether a failure requires a wait. It may be over.
    var isWaiting: Bool { if case .waiting = retry.state { true } else { false } }

    mutating func setStream(_ stream: Stream) { self.stream = stream }

    mutating func succeeded() { retry.succeeded() }

    /// Ends a wait or a pause, unless the server requested the wait.
    ///
    /// - Returns: Whether a pause has ended.
    @discardableResult
    mutating func retryNow() -> Bool {
        defer { retry.retryNow() }
        return tokenRequest != nil
    }

    /// Records that the app returned another token.
    ///
    /// - Returns: Whether a pause has ended. A manual sync may have ended it while the app was asked.
    mutating func tokenReceived() -> Bool {
        defer { retry.tokenReceived() }
        return tokenRequest != nil
    }

    /// Records that the app returned no other token.
    mutating func noTokenReceived(at now: Date, jitter: Double) { retry.noTokenReceived(at: now, jitter: jitter) }

    /// Records a failure. A cancellation and a closed store are none.
    ///
    /// - Parameter jitter: A random number from 0 up to 1, requested if it is needed.
    mutating func failed(_ error: any Error, at now: Date, jitter: @autoclosure () -> Double) {
        if error is CancellationError { return }
        if case .closed? = error as? StoreError { return }
        guard let error = error as? SyncError else {
            storeFailure = OfflineReason(.storage, description: Self.description(of: error))
            return retry.failed(isRetryable: true, retryAfter: nil, at: now, jitter: jitter())
        }
        (lastFailure, storeFailure) = (error, nil)
        retry.failed(isRetryable: error.isRetryable, retryAfter: error.retryAfter, at: now, jitter: jitter())
    }

    /// Describes a local failure without the person's data that it may contain.
    private static func description(of error: any Error) -> String {
        (error as? StoreError)?.description ?? "The server's data can't be stored."
    }

    /// Returns the connection state to publish.
    func state(at now: Date) -> ConnectionState {
        switch (retry.state, stream) {
        case (.paused, _): refusal
        case (.waiting(let until, _, _), _): .offline(reason: offlineReason, nextTry: until > now ? until : nil)
        case (.ready, .off): .idle
        case (.ready, .connecting): .connecting
        case (.ready, .open): .live
        case (.ready, .polling): .polling
        case (.ready, .broken(let reason, let nextTry)): .offline(reason: reason, nextTry: nextTry)
        case (.ready, .otherProcess): .otherProcess
        }
    }

    private var refusal: ConnectionState {
        if case .otherPerson = lastFailure { return .otherPerson }
        return .unauthorized(reason: lastFailure?.tokenRefusal ?? TokenRefusal(.unspecified))
    }

    private var offlineReason: OfflineReason {
        storeFailure ?? lastFailure?.offlineReason
            ?? OfflineReason(.notConnected, description: "The server can't be reached.")
    }
}
