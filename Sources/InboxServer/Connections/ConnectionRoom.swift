import Foundation
import Groundwork
import Logging
import NIOCore

/// The open connections, and the room for more. Beyond the limit there is room for the app's backend and for
/// monitoring, however many connections other clients hold.
///
/// A connection beyond the limit is for one request. If there are too many of those, the one that has waited longest
/// for a complete request is closed for a new one, so that silent connections can't use up this room.
final class ConnectionRoom: Sendable {
    /// The kind of requests that a connection may send.
    enum Place: Sendable {
        /// Any requests.
        case usual
        /// One request, of a kind that is answered beyond the limit too.
        case reserved
    }

    private struct Beyond: Sendable {
        let number: Int
        let close: @Sendable () -> Void
        /// Whether its request has arrived completely and isn't answered yet. Such a connection isn't closed for a new
        /// one.
        var isComplete = false
    }

    private struct State: Sendable {
        var usual = 0
        var last = 0
        /// The connections beyond the limit, oldest first.
        var beyond: [Beyond] = []
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

    /// Assigns a place to a new connection.
    ///
    /// - Parameter close: Closes the connection. Called when its place is given to another one.
    /// - Returns: The place, with a number for the other calls, or nil if there is none, not even beyond the limit.
    func enter(_ close: @escaping @Sendable () -> Void) -> (place: Place, number: Int)? {
        var displaced: Beyond?
        // Called after the lock is released, since closing a connection may call ``leave(_:_:)`` at once.
        defer { displaced?.close() }
        return state.withLock { state in
            state.last += 1
            guard state.usual >= limit else {
                state.usual += 1
                return (.usual, state.last)
            }
            if state.beyond.count >= reserve {
                guard let oldest = state.beyond.firstIndex(where: { !$0.isComplete }) else { return nil }
                displaced = state.beyond.remove(at: oldest)
            }
            state.beyond.append(Beyond(number: state.last, close: close))
            return (.reserved, state.last)
        }
    }

    /// Records that the request of a connection beyond the limit has arrived completely, or has been answered.
    func setComplete(_ number: Int, _ isComplete: Bool) {
        state.withLock { state in
            guard let index = state.beyond.firstIndex(where: { $0.number == number }) else { return }
            state.beyond[index].isComplete = isComplete
        }
    }

    /// Releases the place of a closed connection.
    func leave(_ place: Place, _ number: Int) {
        state.withLock { state in
            switch place {
            case .usual: state.usual -= 1
            case .reserved: state.beyond.removeAll { $0.number == number }
            }
        }
    }

    /// Counts a refused request or connection, and logs it at most once per minute.
    func noteRefusal() {
        let count = state.withLock { state -> Int? in
            state.refused += 1
            if let loggedAt = state.loggedAt, loggedAt + Self.logInterval > .now { return nil }
            state.loggedAt = .now
            defer { state.refused = 0 }
            return state.refused
        }
        guard let count else { return }
        logger.warning(
            "at the limit of connections: others than sends, health and metrics are refused",
            metadata: ["limit": "\(limit)", "refused": "\(count)"]
        )
    }

    /// Returns whether a request is answered beyond the limit too: the backend's API and the server's health and
    /// metrics.
    static func isReserved(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" }
        return path == "/health" || path == "/metrics" || path.hasPrefix("/v1/")
    }
}
