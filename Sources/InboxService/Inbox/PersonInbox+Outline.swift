import Foundation
import Groundwork
package import InboxModel

/// A position in a walk through an inbox: the place of the last message visited, in the order of delivery. Messages
/// with a row of the person's come first, then broadcasts on which the person hadn't acted.
package struct OutlineCursor: Hashable, Sendable {
    enum Part: String, Sendable {
        case deliveries = "d", broadcasts = "b"
    }

    var part: Part
    var place: DeliveryPlace
    /// The state that divides the two parts, if it isn't the client's.
    var divisionState: PersonState?

    package static let start = OutlineCursor(
        part: .deliveries,
        place: DeliveryPlace(deliverAt: .min, id: MessageID(rawValue: .min))
    )

    init(part: Part, place: DeliveryPlace, divisionState: PersonState? = nil) {
        (self.part, self.place, self.divisionState) = (part, place, divisionState)
    }

    /// Parses ``text``. Returns nil for any other text.
    package init?(_ text: String) {
        guard let part = text.first.flatMap({ Part(rawValue: String($0)) }) else { return nil }
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count), let deliverAt = Int(numbers[0]), let id = Int(numbers[1]) else {
            return nil
        }
        self.init(part: part, place: DeliveryPlace(deliverAt: deliverAt, id: MessageID(rawValue: id)))
        guard numbers.count == 3 else { return }
        guard let state = PersonState(String(numbers[2])) else { return nil }
        divisionState = state
    }

    /// The cursor on the wire. It is opaque to clients.
    package var text: String {
        "\(part.rawValue)\(place.deliverAt).\(place.id.rawValue)" + (divisionState.map { ".\($0.text)" } ?? "")
    }
}

/// A message in the outline of an inbox: the columns by which lists are filtered and counted, without its texts.
package struct OutlineRow: Sendable {
    let id: MessageID
    let surface: String
    let category: String?
    let groupKey: String?
    let isPinned: Bool
    let deliverAt: Int
    let expiresAt: Int?
    let personal: PersonalDates

    /// The columns that ``init(row:)`` reads, from a message `m` and the person's row `d`, which may be missing.
    fileprivate static let columns: SQLText = """
        m.id, m.surface, m.category, m.groupKey, \(pinned), m.deliverAt, m.expiresAt,
            d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt
        """

    static let pinned = SQLText(
        sqlite: "coalesce(m.content ->> '$.pinned', false)",
        postgres: "coalesce(messageText(m.content, 'pinned')::boolean, false)"
    )

    fileprivate init(row: SQLRow) {
        id = MessageID(rawValue: row[0])
        (surface, category, groupKey) = (row[1], row[2], row[3])
        isPinned = row[4]
        (deliverAt, expiresAt) = (row[5], row[6])
        personal = PersonalDates(row: row, from: 7)
    }

    /// Appends the values of some fields as a JSON array. Dates are milliseconds since 1970, `pinned` is 0 or 1, and
    /// trailing nulls are omitted.
    package func write(_ fields: [MessageField], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        // Nulls are written only once a value follows them.
        var nulls = 0
        for (place, field) in fields.enumerated() {
            guard let value = value(of: field) else {
                nulls += 1
                continue
            }
            for step in 0..<nulls { bytes.append(contentsOf: (place - nulls + step > 0 ? ",null" : "null").utf8) }
            nulls = 0
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            switch value {
            case .text(let text): JSON.write(string: text, to: &bytes)
            case .number(let number): bytes.append(contentsOf: String(number).utf8)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private enum Value {
        case text(String)
        case number(Int)
    }

    private func value(of field: MessageField) -> Value? {
        switch field {
        case .id: .text(id.text)
        case .surface: .text(surface)
        case .category: category.map(Value.text)
        case .groupKey: groupKey.map(Value.text)
        case .pinned: .number(isPinned ? 1 : 0)
        case .deliverAt: .number(deliverAt)
        case .expiresAt: expiresAt.map(Value.number)
        default: personal[field].map(Value.number)
        }
    }

    /// The fields of an outline.
    package static let fields: [MessageField] =
        [.id, .surface, .category, .groupKey, .pinned, .deliverAt, .expiresAt] + MessageField.personal
}

extension PersonInbox {
    /// Visits the messages that were in the inbox at a state and still are, oldest delivery first.
    ///
    /// Messages that changed since the state are visited as they are now. The two parts of the walk are divided as of
    /// the state: a broadcast on which the person acts during the walk stays in its part and is visited once.
    ///
    /// - Parameters:
    ///   - state: Messages that arrived after this state are omitted. The changes since the state include them.
    ///   - cursor: The position after which to continue.
    ///   - limit: The maximum number of messages to read.
    ///   - body: Receives each message and returns whether to continue.
    /// - Returns: The position at which the walk stopped, or nil if no messages are left.
    package func walk(
        upTo state: PersonState,
        after cursor: OutlineCursor,
        limit: Int,
        _ body: (OutlineRow) throws -> Bool
    ) throws -> OutlineCursor? {
        var cursor = cursor
        var room = limit
        if cursor.part == .deliveries {
            let last = try visitRows(Self.walkedDeliveries, upTo: state, after: cursor, &room, body)
            guard last == nil else { return last }
            (cursor.part, cursor.place) = (.broadcasts, OutlineCursor.start.place)
        }
        return try visitRows(Self.walkedBroadcasts, upTo: state, after: cursor, &room, body)
    }

    /// Visits the rows of one part.
    ///
    /// - Returns: The position at which the walk stopped, or nil at the end of the part.
    private func visitRows(
        _ sql: SQLText,
        upTo state: PersonState,
        after cursor: OutlineCursor,
        _ room: inout Int,
        _ body: (OutlineRow) throws -> Bool
    ) throws -> OutlineCursor? {
        guard room > 0 else { return cursor }
        let rows = try db.cursor(
            sql,
            [
                person.id, cursor.place.deliverAt, cursor.place.id.rawValue, room, state.own, state.broadcast,
            ],
            isBounded: true
        )
        while let row = try rows.next() {
            room -= 1
            let message = OutlineRow(row: row)
            let shouldContinue = try (row[12] as Bool?) ?? false ? body(message) : true
            guard shouldContinue, room > 0 else {
                let place = DeliveryPlace(deliverAt: message.deliverAt, id: message.id)
                return OutlineCursor(part: cursor.part, place: place, divisionState: cursor.divisionState)
            }
        }
        return nil
    }

    private static let walkedDeliveries: SQLText = """
        SELECT \(OutlineRow.columns), d.created <= ?5 AND ?6 IS NOT NULL
        FROM \(SQLText.deliveries(by: "delivery_order"))
        WHERE d.person = ?1 AND d.state = 1 AND (d.deliverAt, d.message) > (?2, ?3)
        ORDER BY d.deliverAt, d.message LIMIT ?4
        """

    private static let walkedBroadcasts: SQLText = """
        SELECT \(OutlineRow.columns), m.broadcastCreated <= ?6
        FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
        LEFT JOIN delivery d ON d.message = m.id AND d.person = ?1
        WHERE m.recipients IS NULL AND m.state = 1 AND (m.deliverAt, m.id) > (?2, ?3)
            AND (d.message IS NULL OR (d.state = 1 AND d.created > ?5)) AND \(Self.broadcastCondition(for: "?1"))
        ORDER BY m.deliverAt, m.id LIMIT ?4
        """
}
