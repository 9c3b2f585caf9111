import Foundation
import JMAP

/// An engine's in-memory state of one type. It is lost when the process ends.
struct TypeSyncState: Sendable {
    /// The part that is valid for one session of the server.
    struct Session: Hashable, Sendable {
        /// Whether the server lacks the type.
        var isUnsupported = false
        /// Whether the server offers no outline of the type.
        var lacksOutline = false
    }

    /// The part that is valid for one round.
    struct Round: Hashable, Sendable {
        /// Whether the server reported that nothing has changed; nil if it wasn't asked.
        var isUnchanged: Bool?
        /// Whether the state changed although no record had changed.
        var needsVerification = false
    }

    var session = Session()
    var round = Round()
    /// Whether this process has compared the records on the device with its limits, which may differ from an earlier
    /// process's.
    var hasCheckedWindow = false
    /// The fetch of the outline's pages.
    var outline = OutlineFetch()
    /// The last difference between the records on the device and the server's count.
    var lastDifference: String?
    /// Whether the slices on the device have to be compared with the server's.
    var slicesNeedVerification = false
    /// The time at which the slices were last fetched again for verification.
    var slicesVerifiedAt = Date.distantPast
}

/// The states of all types of an engine, by name, and the session that their session states belong to.
struct TypeSyncStates: Sendable {
    private var states: [String: TypeSyncState] = [:]
    private var session: String?

    subscript(_ type: String) -> TypeSyncState {
        get { states[type] ?? TypeSyncState() }
        set { states[type] = newValue }
    }

    mutating func beginRound() { for type in states.keys { states[type]?.round = TypeSyncState.Round() } }

    /// Resets the states that are valid for one session if the server has a new one.
    ///
    /// - Parameter state: The state of the server's session (RFC 8620, section 2).
    /// - Returns: Whether the session is new.
    mutating func adoptSession(_ state: String) -> Bool {
        guard state != session else { return false }
        session = state
        for type in states.keys { states[type]?.session = TypeSyncState.Session() }
        return true
    }
}

/// A type, the account of its records, and the limits of the session.
struct TypeScope: Sendable {
    let type: RecordType
    let account: String
    let limits: CoreCapability
}
