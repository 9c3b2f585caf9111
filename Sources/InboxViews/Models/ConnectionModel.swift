public import Foundation
public import Groundwork
public import InboxClient
public import Observation

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
    public init(_ inbox: Inbox) {
        state = inbox.connectionState
        let (connectionStates, observed) = (inbox.connectionStates, inbox.observe(limit: 0))
        states.start { [weak self] in
            for await state in connectionStates {
                guard let self else { return }
                if self.state != state { self.state = state }
            }
        }
        snapshots.start { [weak self] in
            do {
                for try await snapshot in observed {
                    guard let self else { return }
                    if pendingWrites != snapshot.pendingWrites { pendingWrites = snapshot.pendingWrites }
                }
            } catch {}
        }
    }

    /// The notice about the connection; nil if there is nothing to say.
    public var notice: ConnectionNotice? { ConnectionNotice(state, pendingWrites: pendingWrites) }
}

/// A notice to the person about a connection that isn't as they expect. A connection that works, or is about to, has no
/// notice.
public enum ConnectionNotice: Hashable, Sendable {
    /// The server can't be reached. Changes are kept, and sent later.
    case offline(pendingWrites: Int, nextTry: Date?)
    /// The person has to sign in again. Changes are kept, and sent later.
    case signInNeeded(pendingWrites: Int)

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
