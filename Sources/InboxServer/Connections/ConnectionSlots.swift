import Foundation
import Groundwork
import Logging
import NIOCore

/// The open connections, and the free slots. Beyond the limit, slots are reserved for the app's backend and for
/// monitoring, however many connections other clients hold.
///
/// A connection beyond the limit is for one request. If there are too many of those, the one that has waited longest
/// for a complete request is closed for a new one, so that silent connections can't use up these slots.
final class ConnectionSlots: Sendable {
    /// The kind of requests that a connection may send.
    enum Slot: Sendable {
        /// Any requests.
        case regular
        /// One request, of a kind that is answered beyond the limit too.
        case reserved
    }

    private struct ReservedConnection: Sendable {
        let number: Int
        let close: @Sendable () -> Void
        /// Whether its request has arrived completely and isn't answered yet. Such a connection isn't closed for a new
        /// one.
        var isComplete = false
    }

    private struct State: Sendable {
        var regular = 0
        var last = 0
        /// The connections beyond the limit, oldest first.
        var reserved: [ReservedConnection] = []
        var refused = 0
        var loggedAt: ContinuousClock.Instant?
    }

    private let limit: Int
    private let reserve: Int
    private let logger: Logger
    // Accessed only in `withLock`, from all event loops.
    private let state = Locked(State())

    /// The minimum interval between log entries about refusals.
    private static let logInterval = Duration.seconds(60)

    /// - Parameters:
    ///   - limit: The number of connections for any requests.
    ///   - reserve: The number of connections beyond the limit.
    init(limit: Int, reserve: Int, logger: Logger) {
        self.limit = max(1, limit)
        self.reserve = max(1, reserve)
        self.logger = logger
    }

    /// Assigns a slot to a new connection.
    ///
    /// - Parameter close: Closes the connection. Called when its slot is given to another one.
    /// - Returns: The slot, with a number for the other calls, or nil if there is none, not even beyond the limit.
    func acquire(_ close: @escaping @Sendable () -> Void) -> (slot: Slot, number: Int)? {
        var displaced: ReservedConnection?
        // Called after the lock is released, since closing a connection may call ``release(_:_:)`` at once.
        defer { displaced?.close() }
        return state.withLock { state in
            state.last += 1
            guard state.regular >= limit else {
                state.regular += 1
                return (.regular, state.last)
            }
            if state.reserved.count >= reserve {
                guard let oldest = state.reserved.firstIndex(where: { !$0.isComplete }) else { return nil }
                displaced = state.reserved.remove(at: oldest)
            }
            state.reserved.append(ReservedConnection(number: state.last, close: close))
            return (.reserved, state.last)
        }
    }

    /// Records that the request of a connection beyond the limit has arrived completely, or has been answered.
    func setComplete(_ number: Int, _ isComplete: Bool) {
        state.withLock { state in
            guard let index = state.reserved.firstIndex(where: { $0.number == number }) else { return }
            state.reserved[index].isComplete = isComplete
        }
    }

    /// Releases the slot of a closed connection.
    func release(_ slot: Slot, _ number: Int) {
        state.withLock { state in
            switch slot {
            case .regular: state.regular -= 1
            case .reserved: state.reserved.removeAll { $0.number == number }
            }
        }
    }

    /// Counts a refused request or connection, and logs it at most once per minute.
    func recordRefusal() {
        let count = state.withLock { state -> Int? in
            state.refused += 1
            if let loggedAt = state.loggedAt, loggedAt + Self.logInterval > .now { return nil }
            state.loggedAt = .now
            defer { state.refused = 0 }
            return state.refused
        }
        guard let count else { return }
        logger.warning(
            "connection limit reached: only sends, health and metrics are served",
            metadata: ["limit": "\(limit)", "refused": "\(count)"]
        )
    }

    /// Returns whether a request is answered beyond the limit too: the backend's API and the server's health and
    /// metrics.
    static func isServedBeyondLimit(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" }
        return ["/health", "/health/live", "/health/ready", "/metrics"].contains(path) || path.hasPrefix("/v1/")
    }
}
