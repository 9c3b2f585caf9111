/// A state machine without I/O that determines the next step of one type's part of a round, given the answers so far.
///
/// The engine carries out each step and reports its outcome.
struct TypeRound: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Fetch the records themselves: no changes can be calculated.
        case fullSync
        /// Fetch the changes since a state, up to a limit.
        case changes(since: String, limit: Int)
        /// All changes are applied. Verify the records that no answer has confirmed, and fetch the missing ones.
        case complete(at: String)
        case finished
    }

    /// The action between the application of changes and the next step.
    enum FollowUp: Hashable, Sendable {
        case none
        /// All changes are known: writes without an answer are compared with the records.
        case repeatedWrites
    }

    private(set) var next: Step
    /// Whether requests carry pending writes. They don't while the outcome of earlier writes is unknown.
    private(set) var carriesWrites: Bool
    /// The parts that requests carry.
    var carried: SendParts { carriesWrites ? .all : .queue }
    private var hasFullSynced = false
    private var limit: HalvingSize

    /// - Parameters:
    ///   - state: The state up to which the store is current; nil for none.
    ///   - carriesWrites: Whether the outcome of all earlier writes is known, or the server recognizes a repeat.
    ///   - limit: The number of changes to request at once.
    init(since state: String?, carriesWrites: Bool, limit: Int) {
        self.carriesWrites = carriesWrites
        self.limit = HalvingSize(limit)
        next = state.map { .changes(since: $0, limit: max(1, limit)) } ?? .fullSync
    }

    /// Records the end of a full sync.
    ///
    /// - Parameters:
    ///   - state: The state from which changes are requested.
    ///   - isComplete: Whether the answer had all records and nothing is left to send.
    mutating func fullSynced(to state: String, isComplete: Bool = false) {
        hasFullSynced = true
        next = isComplete ? .finished : changes(since: state)
    }

    /// Records that changes were applied.
    ///
    /// - Parameter isSent: Whether nothing is left to send.
    /// - Returns: The action before the next step.
    mutating func changed(to state: String, hasMore: Bool, isSent: Bool) -> FollowUp {
        guard !hasMore else {
            next = changes(since: state)
            return .none
        }
        guard carriesWrites else {
            carriesWrites = true
            next = changes(since: state)
            return .repeatedWrites
        }
        next = isSent ? .complete(at: state) : changes(since: state)
        return .none
    }

    /// Records the end of the step `complete`.
    ///
    /// - Parameter hasMore: Whether the step has to be repeated after the changes that were made meanwhile.
    mutating func completed(at state: String, hasMore: Bool) {
        next = hasMore ? changes(since: state) : .finished
    }

    /// Records that the server can't calculate the changes since the state.
    ///
    /// - Returns: False right after a full sync, when another one wouldn't help. Otherwise a full sync follows.
    mutating func lostState() -> Bool {
        guard !hasFullSynced else { return false }
        next = .fullSync
        return true
    }

    /// Records that the server found the answer too large.
    ///
    /// - Returns: False if a single change was requested.
    mutating func changesTooLarge() -> Bool {
        guard limit.canHalve, case .changes(let state, _) = next else { return false }
        limit.halve()
        next = changes(since: state)
        return true
    }

    private func changes(since state: String) -> Step { .changes(since: state, limit: limit.value) }

    // MARK: - The order of types

    /// The properties of a type that decide its position in a round.
    struct OrderKey: Hashable, Sendable {
        /// Whether none of its records has been fetched yet.
        let isNew: Bool
        /// Whether pending writes of another type refer to its records.
        let isReferredTo: Bool
        /// Whether the device has all of its records, so that requests for other types can probe it.
        let canBeProbed: Bool
    }

    /// Returns the indexes of types in the order in which a round syncs them: new types, types that pending writes
    /// refer to, types that can't be probed, and the rest.
    static func order(_ keys: [OrderKey]) -> [Int] {
        func rank(_ key: OrderKey) -> Int {
            if key.isNew { 0 } else if key.isReferredTo { 1 } else { key.canBeProbed ? 3 : 2 }
        }
        return keys.indices.sorted { (rank(keys[$0]), $0) < (rank(keys[$1]), $1) }
    }
}
