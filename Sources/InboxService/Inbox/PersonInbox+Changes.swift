import GRDB

/// What changed in an inbox since a state (RFC 8620 §5.2).
package struct InboxChanges: Sendable {
    /// Where one has come with these changes.
    package var position: ChangesPosition
    package var hasMoreChanges = false
    package var created: [MessageID] = []
    package var updated: [MessageID] = []
    package var destroyed: [MessageID] = []
    /// Whether nothing but the person's dates is different of any that is updated.
    package private(set) var isPersonal = true
    private var seen: Set<MessageID> = []

    package init(position: ChangesPosition) {
        self.position = position
    }

    /// Adds a record, once: it may have changed both by the person and as a broadcast.
    ///
    /// Between two states, a record that may have been in an earlier page counts as new, because it may not have been.
    /// One that is gone is reported, because it may have been.
    fileprivate mutating func add(_ change: RecordChange) {
        guard seen.insert(change.id).inserted else { return }
        if change.isGone {
            if change.mayBeKnown { destroyed.append(change.id) }
        } else if change.isKnown {
            updated.append(change.id)
            isPersonal = isPersonal && change.isPersonal
        } else {
            created.append(change.id)
        }
    }
}

/// A record that changed, as the queries below give it.
private struct RecordChange {
    let id: MessageID
    let sequence: Int
    /// Whether the client had it at the start.
    let isKnown: Bool
    /// Whether the client had it at the start, or may have had it with a page since.
    let mayBeKnown: Bool
    let isGone: Bool
    /// Whether what the sender wrote is as the client had it at the start.
    let isPersonal: Bool

    init(row: Row) {
        id = MessageID(rawValue: row[0])
        (sequence, isKnown, mayBeKnown, isGone, isPersonal) = (row[1], row[2], row[3], row[4], row[5])
    }
}

extension PersonInbox {
    /// The changes since a state: the person's own first, then the broadcasts.
    ///
    /// - Parameters:
    ///   - since: A state that is reachable from the latest, or the way to it.
    ///   - limit: How many records to give at most; at least 1.
    package func changes(since: ChangesPosition, limit: Int) throws -> InboxChanges {
        let latest = try state()
        var changes = InboxChanges(position: since)
        let own = try ownChanges(since: since, limit: limit + 1)
        for change in own.prefix(limit) {
            changes.add(change)
            changes.position.reached.own = change.sequence
        }
        guard own.count <= limit else {
            changes.hasMoreChanges = true
            return changes
        }
        let room = limit - own.count
        let broadcasts = try broadcastChanges(since: since, limit: room + 1)
        for change in broadcasts.prefix(room) {
            changes.add(change)
            changes.position.reached.broadcast = change.sequence
        }
        if broadcasts.count <= room {
            changes.position = ChangesPosition(at: latest)
        } else {
            changes.hasMoreChanges = true
            changes.position.reached.own = latest.own
        }
        return changes
    }

    /// The person's rows that changed.
    ///
    /// A client has what was in the inbox at its state: a delivery that was made by then, or a broadcast that was shown
    /// by then. The row of a broadcast is made later than the client heard of it.
    private func ownChanges(since: ChangesPosition, limit: Int) throws -> [RecordChange] {
        try fetch(
            """
            SELECT d.message, d.sequence,
                d.created <= ?1 OR coalesce(m.broadcastCreated <= ?2, 0),
                d.created <= ?3 OR coalesce(m.broadcastCreated <= ?4, 0),
                d.state = 2,
                coalesce(d.edited, d.sequence) <= ?1 AND coalesce(m.broadcastSequence, 0) <= ?2
            FROM delivery d INDEXED BY delivery_sequence CROSS JOIN message m ON m.id = d.message
            WHERE d.person = ?5 AND d.sequence > ?3 ORDER BY d.sequence LIMIT ?6
            """,
            since,
            limit
        )
    }

    /// The broadcasts that changed.
    private func broadcastChanges(since: ChangesPosition, limit: Int) throws -> [RecordChange] {
        try fetch(
            """
            SELECT m.id, m.broadcastSequence,
                m.broadcastCreated <= ?2 OR coalesce(d.created <= ?1, 0),
                m.broadcastCreated <= ?4 OR coalesce(d.created <= ?3, 0),
                m.state = 2 OR coalesce(d.state = 2, 0),
                0
            FROM message m INDEXED BY message_broadcastSequence
            LEFT JOIN delivery d ON d.message = m.id AND d.person = ?5
            WHERE m.broadcastSequence > ?4 AND \(Self.isForEveryone(including: "?5")) ORDER BY m.broadcastSequence LIMIT ?6
            """,
            since,
            limit
        )
    }

    private func fetch(_ sql: String, _ since: ChangesPosition, _ limit: Int) throws -> [RecordChange] {
        try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [
                since.base.own, since.base.broadcast, since.reached.own, since.reached.broadcast, person.id, limit,
            ]
        ).map(RecordChange.init(row:))
    }
}
