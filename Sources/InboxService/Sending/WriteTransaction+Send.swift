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
package struct TooManyBroadcastsError: Error {
    package static let limit = 1_000

    /// The location in the request of the broadcast that exceeds the limit.
    package let pointer: JSONPointer
}

extension WriteTransaction {
    /// The default lifetime of a broadcast, in seconds.
    static let broadcastLifetime: TimeInterval = 90 * 86_400

    /// Sends the messages of a request in order, and returns the response: an object, or an array of objects.
    ///
    /// - Throws: ``TooManyBroadcastsError``. Then nothing is sent.
    package func send(_ messages: OutgoingMessages) throws -> JSON {
        var broadcasts: Broadcasts?
        // Before the first one, since requests may name the same people in different orders.
        try createAndLock(people: messages.isForMany ? [] : messages.people) {
            if messages.hasBroadcast { broadcasts = try Broadcasts(locking: db) }
        }
        switch messages {
        case .one(let message): return try send(message, &broadcasts).json
        case .array(let messages): return .array(try messages.map { try send($0, &broadcasts).json })
        }
    }

    /// Stores a message, and delivers it to the inboxes, or adds it to the due-queue if its delivery date is in the
    /// future.
    ///
    /// - Throws: ``TooManyBroadcastsError``.
    private func send(_ message: OutgoingMessage, _ broadcasts: inout Broadcasts?) throws -> SentMessage {
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
            guard try broadcasts?.add() ?? false else {
                throw TooManyBroadcastsError(pointer: message.pointer / "to" / "everyone")
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
        case .everyone where stage == .shown:
            guard let sequence = try broadcasts?.nextSequence() else { throw RecordNotFoundError() }
            try setBroadcastSequence(sequence)
            try deliverBroadcast(id, sequence: sequence)
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
    ///
    /// - Parameter sequence: The next one of broadcasts.
    func deliverBroadcast(_ id: MessageID, sequence: Int) throws {
        try db.run(
            """
            UPDATE message SET state = 1, broadcastCreated = ?1, broadcastSequence = ?1,
                lastPerson = CASE WHEN lastPerson IS NOT NULL THEN (SELECT coalesce(max(id), 0) FROM person) END
            WHERE id = ?2
            """,
            [sequence, id.rawValue]
        )
    }
}

/// The broadcasts, which no other server changes until the end of the transaction.
private struct Broadcasts {
    private let sequence: QueuedRow
    private let live: QueuedRow
    /// The numbers of broadcasts, and of those that are shown, which the request has added since.
    private var (added, shown) = (0, 0)

    /// Queues the reads of the latest sequence and of the number of live broadcasts.
    init(locking db: SQLConnection) throws {
        sequence = try db.queuedRow(
            SQLText(
                sqlite: "SELECT value FROM counter WHERE name = 'broadcast'",
                postgres: "SELECT value FROM counter WHERE name = 'broadcast' FOR UPDATE"
            )
        )
        // Each part has an index.
        live = try db.queuedRow(
            """
            SELECT (SELECT count(*) FROM message WHERE recipients IS NULL AND state = 1)
                + (SELECT count(*) FROM message WHERE recipients IS NULL AND state = 0)
            """
        )
    }

    /// Counts one more.
    ///
    /// - Returns: False if the limit is reached.
    mutating func add() throws -> Bool {
        guard let row = try live.row() else { throw RecordNotFoundError() }
        let count: Int = row[0]
        guard count + added < TooManyBroadcastsError.limit else { return false }
        added += 1
        return true
    }

    /// Returns the sequence of one that is shown, which is to be stored.
    mutating func nextSequence() throws -> Int {
        guard let row = try sequence.row() else { throw RecordNotFoundError() }
        let latest: Int = row[0]
        shown += 1
        return latest + shown
    }
}
