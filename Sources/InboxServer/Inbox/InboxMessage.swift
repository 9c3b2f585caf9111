import Foundation
import GRDB
import Groundwork
import InboxModel

/// A message as it stands in one inbox: the sender's content as stored text, and the person's dates.
struct InboxMessage: Sendable {
    let id: MessageID
    /// A JSON object with at least one member.
    let content: String
    let deliverAt: Int
    let expiresAt: Int?
    /// In the order of ``MessageField/personal``.
    let personal: [Int?]

    /// - Parameter row: `id, content, deliverAt, expiresAt` and the person's dates.
    init(row: Row) {
        id = MessageID(rawValue: row[0])
        content = row[1]
        deliverAt = row[2]
        expiresAt = row[3]
        personal = MessageField.personal.indices.map { row[4 + $0] }
    }

    /// Appends the whole object; the stored text goes through as it is.
    func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: content.utf8.dropLast())
        bytes.append(contentsOf: #","id":""#.utf8)
        bytes.append(contentsOf: id.text.utf8)
        bytes.append(contentsOf: #"","deliverAt":"#.utf8)
        Self.write(deliverAt, to: &bytes)
        if let expiresAt {
            bytes.append(contentsOf: #","expiresAt":"#.utf8)
            Self.write(expiresAt, to: &bytes)
        }
        for (field, date) in zip(MessageField.personal, personal) {
            bytes.append(contentsOf: ",\"\(field.rawValue)\":".utf8)
            Self.write(date, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the object with the named fields only; a field that the sender left out has its default.
    func write(only fields: [MessageField], to bytes: inout [UInt8]) throws {
        let content = try JSON(parsing: Array(content.utf8))
        var object = JSONObject([(MessageField.id.rawValue, .string(id.text))])
        for field in fields { object.add(field.rawValue, value(of: field, in: content)) }
        JSON.object(object).write(to: &bytes)
    }

    private func value(of field: MessageField, in content: JSON) -> JSON {
        switch field {
        case .id: .string(id.text)
        case .deliverAt: Self.json(deliverAt)
        case .expiresAt: Self.json(expiresAt)
        default:
            if let place = MessageField.personal.firstIndex(of: field) {
                Self.json(personal[place])
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
        bytes.append(contentsOf: RFC3339.string(from: Date(milliseconds: milliseconds)).utf8)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Inbox {
    /// The message, where this inbox shows it.
    func message(_ id: MessageID) throws -> InboxMessage? {
        try db.row(
            """
            SELECT m.id, m.content, m.deliverAt, m.expiresAt,
                d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt
            FROM message m LEFT JOIN delivery d ON d.message = m.id AND d.person = ?
            WHERE m.id = ? AND m.state = 1 AND (d.state = 1 OR (d.state IS NULL AND m.recipients IS NULL))
            """,
            [person.id, id.rawValue]
        ).map(InboxMessage.init(row:))
    }
}
