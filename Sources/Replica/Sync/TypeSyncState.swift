import JMAP

/// An engine's in-memory state of one type. It is lost when the process ends.
struct TypeSyncState: Sendable {
    /// The server's support of a type. It is valid for one session.
    enum Support: Sendable {
        case full
        /// The server offers no outline of the type.
        case withoutOutline
        /// The server lacks the type.
        case unsupported
    }

    /// The outcome of the probe of a type in the request for another one. It is valid for one round.
    enum ProbeResult: Sendable {
        case notSent, unchanged, changed
    }

    var support = Support.full
    var probe = ProbeResult.notSent
    /// The fetch of the outline's pages.
    var outline = OutlineFetch()
    /// The verification of the records.
    var reconciliation = Reconciliation()
    /// Whether this process has compared the records on the device with its limits, which may differ from an earlier
    /// process's.
    var hasCheckedWindow = false
}

/// The states of all types of an engine, by name, and the session that their session states belong to.
struct TypeSyncStates: Sendable {
    private var states: [String: TypeSyncState] = [:]
    private var session: String?

    subscript(_ type: String) -> TypeSyncState {
        get { states[type] ?? TypeSyncState() }
        set { states[type] = newValue }
    }

    /// Resets the states that are valid for one round.
    mutating func beginRound() {
        for type in states.keys {
            states[type]?.probe = .notSent
            states[type]?.reconciliation.cancelRequest()
        }
    }

    /// Resets the states that are valid for one session if the server has a new one.
    ///
    /// - Parameter state: The state of the server's session (RFC 8620, section 2).
    /// - Returns: Whether the session is new.
    mutating func adoptSession(_ state: String) -> Bool {
        guard state != session else { return false }
        session = state
        for type in states.keys { states[type]?.support = .full }
        return true
    }
}

/// A type, the account of its records, and the limits of the session.
struct TypeScope: Sendable {
    let type: RecordType
    let account: String
    let limits: CoreCapability
}
