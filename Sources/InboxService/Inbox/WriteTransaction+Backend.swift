import InboxModel

/// Changes by the app's backend in one person's inbox. Devices receive them like changes by another device. They aren't
/// counted in statistics, since they aren't actions of the person.
extension WriteTransaction {
    /// Sets a person's dates of a message. The backend may see these dates from then on.
    ///
    /// Webhooks receive the differences from the dates that the backend could see before. Neither they nor the result
    /// reveal what the person did without consent.
    ///
    /// - Returns: The message with its new dates, or nil if the inbox doesn't show it.
    package func mark(_ id: MessageID, _ changes: BackendDateChanges, for person: Person) throws -> BackendMessage? {
        try lock(person)
        let inbox = reading.inbox(of: person)
        guard let message = try inbox.message(id) else { return nil }
        let withheld = try inbox.consent(of: id).withheld
        let seen = withheld.datesForBackend(message.personal)
        let marked = changes.applied(to: seen, at: now)
        let dates = PersonalDates { changes.sets($0) ? marked[$0] : message.personal[$0] }
        let left = withheld.clearing { changes.sets($0) }
        if dates != message.personal || left != withheld {
            try put(message, dates: dates, withheld: left, stage: .shown, for: person)
        }
        try notifyWebhooks(ofDates: seen, becoming: marked, person: person, message: id, source: .backend)
        return try inbox.backendMessage(id)
    }

    /// Recalls a message from one person. A delivered message is destroyed in their inbox; a waiting one is never
    /// delivered to them. Other people keep the message.
    ///
    /// - Returns: Whether the inbox showed the message or was going to show it.
    package func recall(_ id: MessageID, for person: Person) throws -> Bool {
        try lock(person)
        guard let message = try reading.inbox(of: person).message(id) else {
            return try recallWaiting(id, for: person)
        }
        let withheld = try reading.inbox(of: person).consent(of: id).withheld
        try put(message, dates: message.personal, withheld: withheld, stage: .gone, for: person)
        try notifyWebhooks(of: .destroyed, person: person, message: id, source: .backend)
        try unschedule(.purge, message: id, person: person.id)
        return true
    }

    private func recallWaiting(_ id: MessageID, for person: Person) throws -> Bool {
        guard let message = try reading.message(id), message.stage == .waiting else { return false }
        guard message.recipients == nil else {
            // The row is kept, because an erasure of the person finds the content by it.
            return try db.changed(
                "UPDATE delivery SET state = ? WHERE message = ? AND person = ? AND state = ?",
                [MessageStage.gone.rawValue, id.rawValue, person.id, MessageStage.waiting.rawValue]
            ) > 0
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
