import GRDB
import InboxModel

/// What the app's backend does in one person's inbox. Devices hear of it as of a change by another device; figures
/// don't count it, since the person did nothing.
extension WriteTransaction {
    /// Sets a person's dates of a message, which the backend may see from then on. Webhooks receive the differences of
    /// the dates that the backend could see before: neither the answer nor they reveal what the person did without
    /// consent.
    ///
    /// - Returns: The message as it is now. Nil if the inbox doesn't show it.
    package func mark(_ id: MessageID, _ marks: BackendMarks, for person: Person) throws -> BackendMessage? {
        let inbox = PersonInbox(db: db, person: person)
        guard let message = try inbox.message(id) else { return nil }
        let withheld = try inbox.consent(of: id).withheld
        let seen = withheld.datesForBackend(message.personal)
        let marked = marks.applied(to: seen, at: now)
        let dates = message.personal.indices.map { marks.sets($0) ? marked[$0] : message.personal[$0] }
        let left = withheld.clearing { marks.sets($0) }
        if dates != message.personal || left != withheld {
            try put(message, dates: dates, withheld: left, stage: .shown, for: person)
        }
        try notifyWebhooks(ofDates: seen, becoming: marked, person: person, message: id, source: .backend)
        return try inbox.backendMessage(id)
    }

    /// Takes a message back from one person: it is destroyed in their inbox, or never appears there where it waits. All
    /// others keep it.
    ///
    /// - Returns: Whether the inbox showed it, or was to show it.
    package func recall(_ id: MessageID, for person: Person) throws -> Bool {
        guard let message = try PersonInbox(db: db, person: person).message(id) else {
            return try recallWaiting(id, for: person)
        }
        let withheld = try PersonInbox(db: db, person: person).consent(of: id).withheld
        try put(message, dates: message.personal, withheld: withheld, stage: .gone, for: person)
        try notifyWebhooks(of: .destroyed, person: person, message: id, source: .backend)
        try unschedule(.purge, message: id, person: person.id)
        return true
    }

    private func recallWaiting(_ id: MessageID, for person: Person) throws -> Bool {
        guard let message = try StoredMessage(id: id, in: db), message.stage == .waiting else { return false }
        guard message.recipients == nil else {
            // The row stays: by it an erasure of the person finds the content.
            try db.run(
                "UPDATE delivery SET state = ? WHERE message = ? AND person = ? AND state = ?",
                [MessageStage.gone.rawValue, id.rawValue, person.id, MessageStage.waiting.rawValue]
            )
            return db.changesCount > 0
        }
        let state: Int? = try db.value(
            "SELECT state FROM delivery WHERE message = ? AND person = ?",
            [id.rawValue, person.id]
        )
        guard state == nil else { return false }
        let sequence = try nextSequence(of: person.id)
        try db.run(
            "INSERT INTO delivery (message, person, created, sequence, deliverAt, state) VALUES (?, ?, ?, ?, ?, ?)",
            [id.rawValue, person.id, sequence, sequence, message.deliverAt, MessageStage.gone.rawValue]
        )
        return true
    }
}
