/// The changes of an inbox since a state (RFC 8620 §5.2).
package struct InboxChanges: Sendable {
    /// The position reached with these changes.
    package var position: ChangesPosition
    package var hasMoreChanges = false
    package var created: [MessageID] = []
    package var updated: [MessageID] = []
    package var destroyed: [MessageID] = []
    /// Whether only the person's dates differ in all of the updated messages.
    package private(set) var isPersonal = true
    private var seen: Set<MessageID> = []

    package init(position: ChangesPosition) {
        self.position = position
    }

    /// Adds a changed record. A record that changed both in the person's row and as a broadcast is added once.
    ///
    /// For a client between two states, a record that an earlier page may have contained is reported as created,
    /// because the page may not have contained it. If it is gone, it is reported as destroyed, because the page may
    /// have contained it.
    fileprivate mutating func add(_ change: RecordChange) {
        guard seen.insert(change.id).inserted else { return }
        if change.isGone {
            if change.mayBeKnownToClient { destroyed.append(change.id) }
        } else if change.isKnownToClient {
            updated.append(change.id)
            isPersonal = isPersonal && change.isPersonal
        } else {
            created.append(change.id)
        }
    }
}

/// A changed record, a row of the queries below.
private struct RecordChange {
    let id: MessageID
    let sequence: Int
    /// Whether the client had the record at its base state.
    let isKnownToClient: Bool
    /// Whether the client had the record at its base state or may have received it in a page since.
    let mayBeKnownToClient: Bool
    let isGone: Bool
    /// Whether the sender's content is unchanged since the client's base state.
    let isPersonal: Bool

    init(row: SQLRow) {
        id = MessageID(rawValue: row[0])
        (sequence, isKnownToClient, mayBeKnownToClient, isGone, isPersonal) = (row[1], row[2], row[3], row[4], row[5])
    }
}

extension PersonInbox {
    /// Returns the changes since a state: those of the person's rows first, then those of broadcasts.
    ///
    /// - Parameters:
    ///   - since: The client's position. Its states are reachable from the latest one.
    ///   - limit: The maximum number of records; at least 1.
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

    /// Returns the person's rows that changed.
    ///
    /// A client knows a record that was in the inbox at its state: a delivery that was created before, or a broadcast
    /// that was shown before. The person's row of a broadcast may be created after the client has received the
    /// broadcast.
    private func ownChanges(since: ChangesPosition, limit: Int) throws -> [RecordChange] {
        try fetch(
            """
            SELECT d.message, d.sequence,
                d.created <= ?1 OR coalesce(m.broadcastCreated <= ?2, false),
                d.created <= ?3 OR coalesce(m.broadcastCreated <= ?4, false),
                d.state = 2,
                coalesce(d.edited, d.sequence) <= ?1 AND coalesce(m.broadcastSequence, 0) <= ?2
            FROM \(SQLText.deliveries(by: "delivery_sequence"))
            WHERE d.person = ?5 AND d.sequence > ?3 ORDER BY d.sequence LIMIT ?6
            """,
            since,
            limit
        )
    }

    /// Returns the broadcasts that changed.
    private func broadcastChanges(since: ChangesPosition, limit: Int) throws -> [RecordChange] {
        try fetch(
            """
            SELECT m.id, m.broadcastSequence,
                m.broadcastCreated <= ?2 OR coalesce(d.created <= ?1, false),
                m.broadcastCreated <= ?4 OR coalesce(d.created <= ?3, false),
                m.state = 2 OR coalesce(d.state = 2, false),
                false
            FROM \(SQLText.broadcast) m INDEXED BY message_broadcastSequence
            LEFT JOIN delivery d ON d.message = m.id AND d.person = ?5
            WHERE m.broadcastSequence > ?4 AND \(Self.broadcastCondition(for: "?5"))
            ORDER BY m.broadcastSequence LIMIT ?6
            """,
            since,
            limit
        )
    }

    private func fetch(_ sql: SQLText, _ since: ChangesPosition, _ limit: Int) throws -> [RecordChange] {
        try db.rows(
            sql,
            [
                since.base.own, since.base.broadcast, since.reached.own, since.reached.broadcast, person.id, limit,
            ]
        ).map(RecordChange.init(row:))
    }
}
