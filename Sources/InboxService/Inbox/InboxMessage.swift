import Foundation
import Groundwork
package import InboxModel

/// A message in one inbox, without the sender's content: its delivery and expiry, and the person's dates.
///
/// The content is JSON text that is copied from the table to the response. It is passed to the methods that write the
/// whole message.
package struct InboxMessage: Sendable {
    let id: MessageID
    let deliverAt: Int
    let expiresAt: Int?
    let personal: PersonalDates

    /// The columns that ``init(row:)`` reads, from a message `m` and the person's row `d`, which may be missing.
    static let columns: SQLText = """
        m.id, m.deliverAt, m.expiresAt, d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt
        """
    /// The condition that the inbox of person `?1` shows a message `m`. The person's row `d` may be missing.
    fileprivate static let shownCondition: SQLText = """
        m.state = 1 AND (d.state = 1 OR (d.state IS NULL AND \(PersonInbox.broadcastCondition(for: "?1"))))
        """

    /// The number of ``columns``.
    static let columnCount = 3 + MessageField.personal.count

    /// - Parameter row: A row that begins with ``columns``.
    fileprivate init(row: SQLRow) {
        id = MessageID(rawValue: row[0])
        deliverAt = row[1]
        expiresAt = row[2]
        personal = PersonalDates(row: row, from: 3)
    }

    init(_ row: OutlineRow) {
        (id, deliverAt, expiresAt, personal) = (row.id, row.deliverAt, row.expiresAt, row.personal)
    }

    /// Appends the whole message as a JSON object.
    ///
    /// - Parameter content: The sender's content, a JSON object with at least one member.
    package func write(_ content: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        // A rebased buffer is copied at once, a slice byte by byte.
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: content.dropLast()))
        bytes.append(contentsOf: #","id":""#.utf8)
        id.write(to: &bytes)
        bytes.append(contentsOf: #"","deliverAt":"#.utf8)
        Self.write(deliverAt, to: &bytes)
        if let expiresAt {
            bytes.append(contentsOf: #","expiresAt":"#.utf8)
            Self.write(expiresAt, to: &bytes)
        }
        for (field, name) in Self.personalNames {
            bytes.append(contentsOf: name)
            Self.write(personal[field], to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The JSON text before each of the person's dates.
    private static let personalNames = MessageField.personal.map { ($0, Array(",\"\($0.rawValue)\":".utf8)) }

    /// Appends the message as a JSON object with the given fields only. A field that the sender omitted has its default
    /// value.
    ///
    /// - Parameter content: The sender's content, a JSON object.
    package func write(_ content: UnsafeRawBufferPointer, only fields: [MessageField], to bytes: inout [UInt8]) throws {
        // The content is parsed only if one of its fields is requested.
        let isRead = fields.contains { !Self.ownFields.contains($0) }
        let content = isRead ? try JSON(parsing: content) : .null
        var object = JSONObject([(MessageField.id.rawValue, .string(id.text))])
        for field in fields { object.add(field.rawValue, value(of: field, in: content)) }
        JSON.object(object).write(to: &bytes)
    }

    /// The fields that aren't in the content.
    private static let ownFields: Set<MessageField> = Set([.id, .deliverAt, .expiresAt] + MessageField.personal)

    private func value(of field: MessageField, in content: JSON) -> JSON {
        switch field {
        case .id: .string(id.text)
        case .deliverAt: Self.json(deliverAt)
        case .expiresAt: Self.json(expiresAt)
        default:
            if MessageField.personal.contains(field) {
                Self.json(personal[field])
            } else {
                content[field] ?? Self.defaultValue(of: field)
            }
        }
    }

    private static func defaultValue(of field: MessageField) -> JSON {
        switch field {
        case .title, .body: ""
        case .priority: 0
        case .pinned: false
        case .actions: []
        case .additionalData: [:]
        default: .null
        }
    }

    private static func json(_ milliseconds: Int?) -> JSON {
        milliseconds.map { JSON(Date(milliseconds: $0)) } ?? .null
    }

    private static func write(_ milliseconds: Int?, to bytes: inout [UInt8]) {
        guard let milliseconds else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        RFC3339.write(milliseconds: milliseconds, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension PersonInbox {
    /// Returns a message, or nil if this inbox doesn't show it.
    func message(_ id: MessageID) throws -> InboxMessage? {
        try db.row(
            """
            SELECT \(InboxMessage.columns)
            FROM \(SQLText.messages(of: "?1"))
            WHERE m.id = ?2 AND \(InboxMessage.shownCondition)
            """,
            [person.id, id.rawValue]
        ).map(InboxMessage.init(row:))
    }

    /// Calls `body` with each of the given messages that this inbox shows, in the order of `ids`. One statement reads
    /// them all, except large messages on PostgreSQL.
    ///
    /// - Parameters:
    ///   - ids: The ids. Nil stands for an id that can't name a message.
    ///   - body: Receives the index in `ids`, the message and its content. The content is valid only until `body`
    ///     returns.
    package func forEachMessage(
        of ids: [MessageID?],
        _ body: (_ index: Int, InboxMessage, _ content: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let keyColumn = InboxMessage.columnCount
        switch db {
        case .sqlite:
            let rows = try db.cursor(Self.requestedMessages, [person.id, ids.map { $0?.rawValue }])
            while let row = try rows.next() {
                try row.withBytes(keyColumn + 1) { content in
                    try body(row[keyColumn], InboxMessage(row: row), content)
                }
            }
        #if PostgreSQL
            case .postgres:
                let kept = ids.compactMap { id in id.flatMap { reading.kept($0, of: person) } }
                guard kept.count < ids.count else {
                    for (index, row) in kept.enumerated() {
                        try row.withBytes(keyColumn + 1) { content in try body(index, InboxMessage(row: row), content) }
                    }
                    return
                }
                var rest = ids[...]
                while !rest.isEmpty {
                    let (start, part) = (rest.startIndex, rest.prefix(Self.partLimit))
                    rest = rest.dropFirst(part.count)
                    // All rows that are sent are in memory at the same time.
                    let rows = try db.rows(
                        Self.requestedMessages,
                        [person.id, part.map { $0?.rawValue }, Self.partSize]
                    )
                    for row in rows {
                        let index: Int = start + row[keyColumn]
                        guard (row[keyColumn + 2] as Int?) == 1 else {
                            rest = ids[index...]
                            break
                        }
                        try row.withBytes(keyColumn + 1) { content in try body(index, InboxMessage(row: row), content) }
                    }
                }
        #endif
        }
    }

    /// The numbers of messages, and of bytes of their contents, that PostgreSQL sends at once. The last content may
    /// exceed it.
    static let (partLimit, partSize) = (500, 1 << 22)

    // CROSS JOIN makes SQLite visit the ids from first to last. Sorting by index instead would copy each content once
    // more.
    private static let requestedMessages: SQLText = {
        let messages = SQLText.messages(of: "?1", isPartitioned: true)
        return SQLText(
            sqlite: """
                SELECT \(InboxMessage.columns.sqlite), requested.key, m.content
                FROM json_each(?2) requested CROSS JOIN message m ON m.id = requested.value
                LEFT JOIN delivery d ON d.message = m.id AND d.person = ?1
                WHERE \(InboxMessage.shownCondition.sqlite)
                """,
            postgres: requestedSQL(from: messages.source),
            personal: requestedSQL(from: messages.personalSource)
        )
    }()

    private static func requestedSQL(from messages: String) -> String {
        """
        SELECT \(InboxMessage.columns.sqlite), requested.key - 1,
            CASE WHEN coalesce(sum(octet_length(m.content)) OVER earlier, 0) < ?3 THEN m.content END,
            CASE WHEN coalesce(sum(octet_length(m.content)) OVER earlier, 0) < ?3 THEN 1::bigint END
        FROM unnest(?2) WITH ORDINALITY AS requested (value, key) JOIN (\(messages)) ON m.id = requested.value
        WHERE \(InboxMessage.shownCondition.sqlite)
        WINDOW earlier AS (ORDER BY requested.key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ORDER BY requested.key
        """
    }
}
