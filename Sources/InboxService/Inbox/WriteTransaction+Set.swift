import Foundation
import Groundwork
package import InboxModel
package import JMAP

extension WriteTransaction {
    /// The time during which a person can restore a deleted message, in seconds.
    static let undoTime: TimeInterval = 30 * 86_400

    /// Applies the writes of one `InboxMessage/set` in this transaction. Records that can't be changed are reported.
    ///
    /// A repeated batch receives its first response again and applies nothing: a repeated "read" must not undo a later
    /// change by another device.
    ///
    /// - Returns: The arguments of the response, as JSON text.
    /// - Throws: ``MethodError`` if nothing is applied.
    package func set(_ arguments: SetArguments, markAllRead: MarkAllRead? = nil, for person: Person) throws -> String {
        try lock(person)
        let stored = try arguments.batch.flatMap { try storedBatch(of: $0.epoch, for: person) }
        if let batch = arguments.batch, let stored {
            if stored.number == batch.number { return stored.outcome }
            // A device seals a batch only after the previous one was answered. So this batch was answered, and its
            // response is no longer kept. The device was restored from a backup, and the batch was applied long ago.
            if stored.number > batch.number {
                return try responseToAppliedBatch(arguments, markAllRead: markAllRead != nil, for: person)
            }
        }
        let oldState = try reading.state(of: person)
        if let expected = arguments.ifInState, expected != oldState.text { throw MethodError.stateMismatch }

        var results = SetResults()
        for member in arguments.create.members {
            results.notCreated.add(member.name, SetError("forbidden", "Only the app's backend can send messages.").json)
        }
        // Applied first, because a write that names a message is more specific and takes precedence.
        results.markAllRead = try markAllRead.map { try self.markAllRead($0, for: person) }
        let destroyed = Set(arguments.destroy)
        for member in arguments.update.members {
            do {
                guard !destroyed.contains(member.name) else { throw SetError("willDestroy") }
                try update(member.name, with: PersonalPatch(reading: member.value), for: person)
                results.updated.add(member.name, .null)
            } catch let error as SetError {
                results.notUpdated.add(member.name, error.json)
            }
        }
        var seen: Set<String> = []
        for id in arguments.destroy where seen.insert(id).inserted {
            do {
                try destroy(id, for: person)
                results.destroyed.append(id)
            } catch let error as SetError {
                results.notDestroyed.add(id, error.json)
            }
        }

        // A broadcast that another server has sent meanwhile isn't part of the response, so it isn't of its state.
        let newState = PersonState(own: try reading.state(of: person).own, broadcast: oldState.broadcast)
        let outcome = results.json(account: person.account, from: oldState, to: newState).description
        if let batch = arguments.batch {
            try store(StoredBatch(number: batch.number, outcome: outcome), of: batch.epoch, for: person)
            if stored == nil { try deleteOldEpochs(of: person) }
        }
        return outcome
    }

    /// Returns a response that reports a batch as applied, and applies nothing. The batch was answered before.
    private func responseToAppliedBatch(
        _ arguments: SetArguments,
        markAllRead: Bool,
        for person: Person
    ) throws -> String {
        var results = SetResults()
        if markAllRead { results.markAllRead = MarkAllReadResult() }
        for member in arguments.update.members { results.updated.add(member.name, .null) }
        results.destroyed = arguments.destroy
        let state = try reading.state(of: person)
        return results.json(account: person.account, from: state, to: state).description
    }

    /// Changes the person's dates of a message by a patch object.
    ///
    /// - Throws: ``SetError``.
    func update(_ text: String, _ patch: JSON, for person: Person) throws {
        try update(text, with: PersonalPatch(reading: patch), for: person)
    }

    private func update(_ text: String, with patch: PersonalPatch, for person: Person) throws {
        guard let id = MessageID(text), let message = try reading.inbox(of: person).message(id) else {
            throw SetError.notFound
        }
        try set(
            patch.applied(to: message.personal),
            of: message,
            consent: .forMessage(patch.consent),
            for: person
        )
    }

    /// Sets a person's dates of a message. With consent, the change is counted and reported to webhooks. Without it,
    /// only the person's devices receive the change.
    func set(
        _ dates: PersonalDates,
        of message: InboxMessage,
        consent statement: StatedConsent,
        for person: Person
    ) throws {
        guard dates != message.personal else { return }
        let id = message.id
        let consent = try reading.inbox(of: person).consent(of: id)
        let isReported = consent.isGiven(by: statement)
        let withheld = consent.withheld.after(message.personal, becoming: dates, consent: isReported)
        try put(message, dates: dates, withheld: withheld, stage: .shown, for: person)
        if isReported {
            // The reversal of an unreported action isn't reported either.
            let (earlier, reported) = (
                consent.withheld.datesForBackend(message.personal), withheld.datesForBackend(dates)
            )
            try count(Reach(dates: reported, since: earlier), of: id, for: person.id)
            try notifyWebhooks(ofDates: earlier, becoming: reported, person: person, message: id)
        }
        guard dates[.deletedAt] != message.personal[.deletedAt] else { return }
        if dates[.deletedAt] == nil {
            try unschedule(.purge, message: id, person: person.id)
        } else {
            try schedule(.purge, message: id, person: person.id, at: now.addingTimeInterval(Self.undoTime))
        }
    }

    private func destroy(_ text: String, for person: Person) throws {
        guard let id = MessageID(text), let message = try reading.inbox(of: person).message(id) else {
            throw SetError.notFound
        }
        let consent = try reading.inbox(of: person).consent(of: id)
        try put(message, dates: message.personal, withheld: consent.withheld, stage: .gone, for: person)
        // The `destroy` argument has no place for a client's statement of consent.
        if consent.isGiven(by: .forMessage(nil)) {
            try count(.delivered, of: id, for: person.id)
            try notifyWebhooks(of: .destroyed, person: person, message: id)
        }
        try unschedule(.purge, message: id, person: person.id)
    }

    /// Inserts or updates the person's row. For a broadcast it may be the person's first row.
    ///
    /// - Parameter withheld: The dates that aren't reported to the backend.
    func put(
        _ message: InboxMessage,
        dates: PersonalDates,
        withheld: WithheldDates,
        stage: MessageStage,
        for person: Person
    ) throws {
        let sequence = try nextSequence(of: person.id)
        // Another server may be removing the broadcast from all inboxes.
        db.lock("SELECT 1 FROM message WHERE id = ? AND recipients IS NULL FOR SHARE", [message.id.rawValue])
        try db.run(
            """
            INSERT INTO delivery
                (message, person, created, sequence, edited, deliverAt, state, withheld,
                seenAt, readAt, archivedAt, snoozedUntil, deletedAt)
            SELECT ?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12
            WHERE EXISTS (SELECT 1 FROM message WHERE id = ?1 AND (recipients IS NOT NULL OR state = 1))
            ON CONFLICT (message, person) DO UPDATE SET edited = coalesce(delivery.edited, delivery.sequence),
                sequence = excluded.sequence, state = excluded.state, withheld = excluded.withheld,
                seenAt = excluded.seenAt, readAt = excluded.readAt, archivedAt = excluded.archivedAt,
                snoozedUntil = excluded.snoozedUntil, deletedAt = excluded.deletedAt
            """,
            [
                message.id.rawValue, person.id, sequence, sequence, message.deliverAt, stage.rawValue,
                withheld.rawValue,
            ] + SQLArguments(dates.values)
        )
    }
}

/// The results of a `set`, by record.
private struct SetResults {
    var updated = JSONObject()
    var destroyed: [String] = []
    /// Nil if it wasn't requested.
    var markAllRead: MarkAllReadResult?
    var notCreated = JSONObject()
    var notUpdated = JSONObject()
    var notDestroyed = JSONObject()

    func json(account: String, from oldState: PersonState, to newState: PersonState) -> JSON {
        func orNull(_ object: JSONObject) -> JSON { object.isEmpty ? .null : .object(object) }
        var response = JSONObject([
            ("accountId", .string(account)),
            ("oldState", .string(oldState.text)),
            ("newState", .string(newState.text)),
            ("created", .null),
            ("updated", orNull(updated)),
            ("destroyed", destroyed.isEmpty ? .null : JSON(destroyed)),
            ("notCreated", orNull(notCreated)),
            ("notUpdated", orNull(notUpdated)),
            ("notDestroyed", orNull(notDestroyed)),
        ])
        if let markAllRead { response.add(MarkAllRead.result, markAllRead.json) }
        return .object(response)
    }
}
