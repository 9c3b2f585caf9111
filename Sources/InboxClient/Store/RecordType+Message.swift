import Groundwork
import InboxModel
package import Replica

extension RecordType {
    /// All types of an inbox.
    ///
    /// The settings come first: they contain the number of messages that a new device fetches.
    package static let inbox = [surface, message]

    /// The replica's description of ``Message``.
    package static let message = RecordType(
        name: MessageCapability.messageType,
        capability: MessageCapability.uri,
        table: "message",
        columns: [
            RecordColumn("surface", .text, missing: .text(Message.defaultSurface)),
            RecordColumn("title", .text, missing: .text("")),
            RecordColumn("body", .text, missing: .text("")),
            RecordColumn("category", .text),
            RecordColumn("groupKey", .text),
            RecordColumn("priority", .integer, missing: .integer(0)),
            RecordColumn("pinned", .bool, missing: .integer(0)),
            RecordColumn("deliverAt", .date, missing: .invalid),
            RecordColumn("expiresAt", .date),
        ] + MessageField.personal.map { RecordColumn($0.rawValue, .date, isWritable: true) },
        phase: MessagePhase.rule,
        due: MessagePhase.due,
        counts: CountRule(
            buckets: ["surface", "category"],
            counters: [
                ("total", "{phase} = \(MessagePhase.inbox.rawValue)"),
                ("unread", "{phase} = \(MessagePhase.inbox.rawValue) AND {readAt} IS NULL"),
                ("unseen", "{phase} = \(MessagePhase.inbox.rawValue) AND {seenAt} IS NULL"),
                ("snoozed", "{phase} = \(MessagePhase.snoozed.rawValue)"),
                ("archived", "{phase} = \(MessagePhase.archived.rawValue)"),
            ]
        ),
        indexes: [
            "phase, deliverAt, id",
            "surface, phase, deliverAt, id",
            "phase, deliverAt, id WHERE readAt IS NULL",
        ],
        window: .newest(
            filter: ["property": "deletedAt", "op": "equal", "value": .null],
            sort: [["property": "deliverAt", "isAscending": false]],
            retention: RetentionRule(
                // (A list of values, so that an index by phase and date answers "newer than".)
                active: "{phase} IN (\(MessagePhase.active.map { String($0.rawValue) }.joined(separator: ", ")))",
                evictable: "NOT {pinned}",
                oldestFirst: "deliverAt, id"
            )
        ),
        limits: { db in try WindowLimits.ofSurfaces(db) },
        annotations: [MessageCapability.consent],
        queue: .event,
        outline: OutlineRule(
            columns: ["surface", "category", "groupKey", "pinned", "deliverAt", "expiresAt"]
                + MessageField.personal.map(\.rawValue),
            order: "deliverAt",
            bulk: BulkRule(
                argument: MarkAllRead.argument,
                result: MarkAllRead.result,
                columns: [MessageField.readAt.rawValue, MessageField.seenAt.rawValue],
                condition: "{phase} = \(MessagePhase.inbox.rawValue) AND {readAt} IS NULL",
                scope: "surface"
            ),
            indexes: ["phase, deliverAt WHERE readAt IS NULL"]
        ),
        pictures: PictureRule(contents: MessageField.html.rawValue),
        filterLimits: .message
    )
}

extension FilterLimits {
    /// The limits of the inbox's server (`InboxFilter` there: 8 levels, 64 terms, 10,000 values), less the conditions
    /// with which a filter is combined before it is sent.
    package static let message = FilterLimits(depth: 7, terms: 48, values: 9_900)
}

extension QueueType {
    /// The queue of analytics events.
    package static let event = QueueType(
        name: MessageCapability.eventType,
        capability: MessageCapability.uri,
        limit: 10_000
    )
}

/// The phase of a message. A later case takes precedence: a deleted message isn't snoozed any more.
package enum MessagePhase: Int, CaseIterable, Sendable {
    case inbox, snoozed, archived, expired, deleted

    /// The phases in which a message is visible in a list.
    static let active: [MessagePhase] = [.inbox, .snoozed, .archived]

    static let rule = """
        CASE WHEN {deletedAt} IS NOT NULL THEN \(deleted.rawValue)
            WHEN {expiresAt} <= :now THEN \(expired.rawValue)
            WHEN {archivedAt} IS NOT NULL THEN \(archived.rawValue)
            WHEN {snoozedUntil} > :now THEN \(snoozed.rawValue)
            ELSE \(inbox.rawValue) END
        """

    /// The earlier of the expiry and the end of the snooze, if they are in the future and will change the phase.
    static let due = """
        CASE WHEN {deletedAt} IS NOT NULL THEN NULL
            ELSE nullif(min(CASE WHEN {expiresAt} > :now THEN {expiresAt} ELSE 9e15 END,
                CASE WHEN {snoozedUntil} > :now AND {archivedAt} IS NULL THEN {snoozedUntil} ELSE 9e15 END), 9e15) END
        """
}
