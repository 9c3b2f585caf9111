import Foundation
package import Groundwork
import InboxModel

/// The result of sending one message, for the sender.
struct SentMessage: Sendable {
    let id: MessageID
    let deliverAt: Date
    /// The number of recipients; nil for a broadcast.
    let recipients: Int?

    var json: JSON {
        var object = JSONObject([("id", .string(id.text)), ("deliverAt", JSON(deliverAt))])
        object["recipients"] = recipients.map { JSON($0) }
        return .object(object)
    }
}

/// The limit of live broadcasts is reached. There is one because every broadcast is evaluated for every person.
package struct TooManyBroadcasts: Error {
    package static let limit = 1_000

    /// The location in the request of the broadcast that exceeds the limit.
    package let pointer: JSONPointer
}

extension WriteTransaction {
    /// The default lifetime of a broadcast, in seconds.
    static let broadcastLifetime: TimeInterval = 90 * 86_400

    /// Sends the messages of a request in order, and returns the response: an object, or an array of objects.
    ///
    /// - Throws: ``TooManyBroadcasts``. Then nothing is sent.
    package func send(_ messages: OutgoingMessages) throws -> JSON {
        switch messages {
        case .one(let message): try send(message).json
        case .array(let messages): .array(try messages.map { try send($0).json })
        }
    }

    /// Stores a message, and delivers it to the inboxes, or adds it to the due-queue if its delivery date is in the
    /// future.
    ///
    /// - Throws: ``TooManyBroadcasts``.
    private func send(_ message: OutgoingMessage) throws -> SentMessage {
        let id = newMessageID()
        let deliverAt = max(message.content.deliverAt ?? now, now)
        let stage: MessageStage = deliverAt > now ? .waiting : .shown
        var expiresAt = message.content.expiresAt
        let recipients: Int?
        var isForNewPeople = true
        switch message.audience {
        case .people(let people):
            recipients = people.count
        case .everyone(let newPeople):
            recipients = nil
            isForNewPeople = newPeople
            db.lock("SELECT 1 FROM counter WHERE name = 'broadcast' FOR UPDATE")
            guard try liveBroadcasts() < TooManyBroadcasts.limit else {
                throw TooManyBroadcasts(pointer: message.pointer / "to" / "everyone")
            }
            expiresAt = expiresAt ?? deliverAt.addingTimeInterval(Self.broadcastLifetime)
        }
        try insert(
            id,
            message.content,
            text: message.text,
            deliverAt: deliverAt,
            expiresAt: expiresAt,
            recipients: recipients,
            stage: stage,
            isForNewPeople: isForNewPeople
        )
        switch message.audience {
        case .people(let people):
            try deliver(id, to: people, at: deliverAt, stage: stage)
        case .everyone where stage == .shown: try deliverBroadcast(id)
        case .everyone: break
        }
        if stage == .waiting { try schedule(.deliver, message: id, at: deliverAt) }
        if let expiresAt { try schedule(.expire, message: id, at: expiresAt) }
        return SentMessage(id: id, deliverAt: deliverAt, recipients: recipients)
    }

    /// Inserts a message without deliveries.
    func insert(
        _ id: MessageID,
        _ content: MessageContent,
        text: String,
        deliverAt: Date,
        expiresAt: Date?,
        recipients: Int?,
        stage: MessageStage,
        isForNewPeople: Bool = true
    ) throws {
        try db.run(
            """
            INSERT INTO message
                (id, content, surface, category, groupKey, campaign, deliverAt, expiresAt, createdAt, recipients, state,
                lastPerson, consentCategory, grantedConsentCategory)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.rawValue, text, content.surface,
                content.json[MessageField.category.rawValue]?.stringValue,
                content.json[MessageField.groupKey.rawValue]?.stringValue,
                content.json[MessageField.campaignId.rawValue]?.stringValue, deliverAt.milliseconds,
                expiresAt?.milliseconds, now.milliseconds, recipients, stage.rawValue,
                isForNewPeople ? nil : 0, content.json[MessageField.consentCategory.rawValue]?.stringValue,
                content.json[MessageField.additionalData.rawValue]?[Message.grantedConsentKey]?.stringValue,
            ]
        )
    }

    /// Delivers a broadcast, and fixes its recipients unless it is also for new people.
    func deliverBroadcast(_ id: MessageID) throws {
        let sequence = try nextBroadcastSequence()
        try db.run(
            """
            UPDATE message SET state = 1, broadcastCreated = ?1, broadcastSequence = ?1,
                lastPerson = CASE WHEN lastPerson IS NOT NULL THEN (SELECT coalesce(max(id), 0) FROM person) END
            WHERE id = ?2
            """,
            [sequence, id.rawValue]
        )
    }

    private func deliver(_ id: MessageID, to people: [String], at deliverAt: Date, stage: MessageStage) throws {
        guard people.count > Self.individualInsertLimit else {
            for person in inOrder(people) { try deliver(id, to: person, at: deliverAt, stage: stage) }
            return
        }
        // One statement for all of them, so that each person costs only SQLite's own work.
        let unknown: [String] = try db.values(Self.unknownPeople, [people])
        if !unknown.isEmpty { try insertPeople(named: unknown) }
        lockPeople(named: people)
        if stage == .shown { try nextSequences(ofPeople: people) }
        try db.run(Self.insertedDeliveries, [id.rawValue, deliverAt.milliseconds, stage.rawValue, people])
    }

    /// Returns people in the order in which servers lock them.
    private func inOrder(_ people: [String]) -> [String] {
        if case .sqlite = db { return people }
        return people.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static let unknownPeople = SQLText(
        sqlite: """
            SELECT value FROM json_each(?) requested
            WHERE NOT EXISTS (SELECT 1 FROM person WHERE name = requested.value)
            """,
        postgres: """
            SELECT requested.name FROM unnest(?) AS requested (name)
            WHERE NOT EXISTS (SELECT 1 FROM personName n WHERE n.name = requested.name)
            """
    )

    private static let insertedDeliveries = SQLText(
        sqlite: """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            SELECT ?1, p.id, iif(?3 = 1, p.sequence, 0), iif(?3 = 1, p.sequence, 0), iif(?3 = 1, p.sequence, 0), ?2, ?3
            FROM json_each(?4) requested CROSS JOIN person p ON p.name = requested.value ORDER BY p.id
            """,
        postgres: """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            SELECT ?1, p.id, s.sequence, s.sequence, s.sequence, ?2, ?3
            FROM unnest(?4) AS r (name)
            CROSS JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n
            CROSS JOIN LATERAL (SELECT p.id, p.sequence FROM person p WHERE p.id = n.person OFFSET 0) AS p
            CROSS JOIN LATERAL (SELECT CASE WHEN ?3 = 1 THEN p.sequence ELSE 0 END AS sequence) AS s
            """
    )

    /// The maximum number of recipients for which deliveries are inserted one by one. For so few, a lookup of unknown
    /// people first doesn't pay off.
    private static let individualInsertLimit = 8

    private func deliver(_ id: MessageID, to name: String, at deliverAt: Date, stage: MessageStage) throws {
        let person = try person(named: name, advancing: stage == .shown)
        let sequence = stage == .shown ? person.sequence : 0
        try db.run(
            """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [id.rawValue, person.id, sequence, sequence, sequence, deliverAt.milliseconds, stage.rawValue]
        )
    }

    private func liveBroadcasts() throws -> Int {
        let shown: Int? = try db.value("SELECT count(*) FROM message WHERE recipients IS NULL AND state = 1")
        let waiting: Int? = try db.value("SELECT count(*) FROM message WHERE recipients IS NULL AND state = 0")
        return (shown ?? 0) + (waiting ?? 0)
    }
}
