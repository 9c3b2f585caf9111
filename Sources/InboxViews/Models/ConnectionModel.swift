public import Foundation
package import Groundwork
public import InboxClient
public import Observation
public import Replica

/// The state of the connection on screen, kept up to date.
@MainActor
@Observable
public final class ConnectionModel {
    /// The state of the connection.
    public private(set) var state: ConnectionState
    /// The number of messages with changes that the server hasn't confirmed.
    public private(set) var pendingWrites = 0

    @ObservationIgnored private let states = OwnedTask()
    @ObservationIgnored private let snapshots = OwnedTask()

    /// Observes the connection of an inbox.
    public convenience init(_ inbox: Inbox) {
        self.init(inbox.connectionState, inbox.connectionStates, inbox.observe(limit: 0), clock: inbox.store.clock) {
            $0.pendingWrites
        }
    }

    /// Observes a connection.
    ///
    /// - Parameters:
    ///   - state: The present state.
    ///   - states: The states.
    ///   - snapshots: The snapshots with the number of pending writes, after each change. Each iterator begins with the
    ///     current number.
    ///   - clock: The clock.
    ///   - pendingWrites: Returns that number.
    package init<Snapshots: AsyncSequence & Sendable>(
        _ state: ConnectionState,
        _ states: AsyncStream<ConnectionState>,
        _ snapshots: Snapshots,
        clock: any WallClock,
        pendingWrites: @escaping @Sendable (Snapshots.Element) -> Int
    ) where Snapshots.Element: Sendable {
        self.state = state
        self.states.start { [weak self] in
            for await state in states {
                guard let self else { return }
                if self.state != state { self.state = state }
            }
        }
        self.snapshots.start { [weak self] in
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                let count = pendingWrites(snapshot)
                if self.pendingWrites != count { self.pendingWrites = count }
                return true
            }
        }
    }

    /// The notice about the connection; nil if there is none.
    public var notice: ConnectionNotice? { ConnectionNotice(state, pendingWrites: pendingWrites) }
}

/// A notice to the person about a connection that isn't as they expect. A connection that works, or is about to, has no
/// notice.
public enum ConnectionNotice: Hashable, Sendable {
    /// The server can't be reached. Changes are kept, and sent later.
    case offline(pendingWrites: Int, nextTry: Date?)
    /// The person has to sign in again. Changes are kept, and sent later.
    case signInNeeded(pendingWrites: Int)

    /// Creates the notice about a connection; nil if there is none.
    ///
    /// - Parameters:
    ///   - state: The state of the connection.
    ///   - pendingWrites: The number of messages with changes that the server hasn't confirmed.
    public init?(_ state: ConnectionState, pendingWrites: Int) {
        switch state {
        case .idle, .connecting, .live, .polling, .otherProcess, .closed: return nil
        case .offline(_, let nextTry): self = .offline(pendingWrites: pendingWrites, nextTry: nextTry)
        case .unauthorized, .otherPerson: self = .signInNeeded(pendingWrites: pendingWrites)
        }
    }
}
