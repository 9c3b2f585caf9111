import GRDB

/// What changed in an inbox between two states (RFC 8620 §5.2).
struct InboxChanges: Sendable {
    /// Where one has come after these changes: the latest state, or one on the way to it.
    var newState: PersonState
    var hasMoreChanges = false
    var created: [MessageID] = []
    var updated: [MessageID] = []
    var destroyed: [MessageID] = []

    /// Sorts a record in, once: it may have changed both by the person and as a broadcast.
    fileprivate mutating func add(_ id: MessageID, isKnown: Bool, isGone: Bool, _ seen: inout Set<MessageID>) {
        guard seen.insert(id).inserted else { return }
        switch (isKnown, isGone) {
        case (false, false): created.append(id)
        case (true, false): updated.append(id)
        case (true, true): destroyed.append(id)
        case (false, true): break
        }
    }
}

extension Inbox {
    /// The changes since a state: the person's own first, then the broadcasts.
    ///
    /// - Parameters:
    ///   - since: A state that is reachable from the latest.
    ///   - limit: How many records to give at most; at least 1.
    func changes(since: PersonState, limit: Int) throws -> InboxChanges {
        let latest = try state()
        var changes = InboxChanges(newState: since)
        var seen: Set<MessageID> = []
        let own = try ownChanges(since: since, limit: limit + 1)
        for row in own.prefix(limit) {
            changes.add(MessageID(rawValue: row[0]), isKnown: row[2], isGone: row[3], &seen)
            changes.newState.own = row[1]
        }
        guard own.count <= limit else {
            changes.hasMoreChanges = true
            return changes
        }
        changes.newState.own = latest.own

        // The person's known records are told by the state that the client came with, not by the one just reached.
        let room = limit - own.count
        let broadcasts = try broadcastChanges(since: since, limit: room + 1)
        for row in broadcasts.prefix(room) {
            changes.add(MessageID(rawValue: row[0]), isKnown: row[2], isGone: row[3], &seen)
            changes.newState.broadcast = row[1]
        }
        if broadcasts.count <= room {
            changes.newState.broadcast = latest.broadcast
        } else {
            changes.hasMoreChanges = true
        }
        return changes
    }

    /// The person's rows that changed, as id, sequence, whether the client knows the record, whether it is gone.
    ///
    /// A client knows what was in the inbox at its state: a delivery that was made by then, or a broadcast that was shown by
    /// then. The row of a broadcast is made later than the client heard of it.
    private func ownChanges(since: PersonState, limit: Int) throws -> [Row] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.message, d.sequence,
                        d.created <= ?1 OR coalesce(m.broadcastCreated <= ?2, 0), d.state = 2
                    FROM delivery d INDEXED BY delivery_sequence CROSS JOIN message m ON m.id = d.message
                    WHERE d.person = ?3 AND d.sequence > ?1 ORDER BY d.sequence LIMIT ?4
                    """
            ),
            arguments: [since.own, since.broadcast, person.id, limit]
        )
    }

    /// The broadcasts that changed, with the same columns.
    private func broadcastChanges(since: PersonState, limit: Int) throws -> [Row] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT m.id, m.broadcastSequence,
                        m.broadcastCreated <= ?2 OR coalesce(d.created <= ?1, 0),
                        m.state = 2 OR coalesce(d.state = 2, 0)
                    FROM message m INDEXED BY message_broadcastSequence
                    LEFT JOIN delivery d ON d.message = m.id AND d.person = ?3
                    WHERE m.broadcastSequence > ?2 ORDER BY m.broadcastSequence LIMIT ?4
                    """
            ),
            arguments: [since.own, since.broadcast, person.id, limit]
        )
    }
}
