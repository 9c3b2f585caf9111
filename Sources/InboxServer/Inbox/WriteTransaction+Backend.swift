import GRDB
import InboxModel

/// What the app's backend does in one person's inbox. Devices hear of it as of a change by another device; figures don't count it, since
/// the person did nothing.
extension WriteTransaction {
    /// Sets a person's dates of a message. Webhooks hear of it as of the backend's doing, unless the dates are hidden from
    /// the backend: that something changed would tell how it was.
    ///
    /// - Returns: The message as it is now; nil where the inbox doesn't show it.
    func mark(_ id: MessageID, _ marks: BackendMarks, for person: Person) throws -> BackendMessage? {
        let inbox = Inbox(db: db, person: person)
        guard let message = try inbox.message(id) else { return nil }
        let dates = marks.applied(to: message.personal, at: now)
        if dates != message.personal { try put(message, dates: dates, stage: .shown, for: person) }
        guard let marked = try inbox.backendMessage(id) else { return nil }
        if !marked.dates.areHidden {
            try tellWebhooks(ofDates: message.personal, becoming: dates, person: person, message: id, source: .backend)
        }
        return marked
    }

    /// Takes a message back from one person: it is destroyed in their inbox, or never appears there where it waits. All others keep it.
    ///
    /// - Returns: Whether the inbox showed it, or was to show it.
    func recall(_ id: MessageID, for person: Person) throws -> Bool {
        guard let message = try Inbox(db: db, person: person).message(id) else {
            return try recallWaiting(id, for: person)
        }
        try put(message, dates: message.personal, stage: .gone, for: person)
        try tellWebhooks(of: .destroyed, person: person, message: id, source: .backend)
        try unschedule(.purge, message: id, person: person.id)
        return true
    }

    private func recallWaiting(_ id: MessageID, for person: Person) throws -> Bool {
        guard let message = try StoredMessage(id: id, in: db), message.stage == .waiting else { return false }
        guard message.recipients == nil else {
            try db.run("DELETE FROM delivery WHERE message = ? AND person = ?", [id.rawValue, person.id])
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
