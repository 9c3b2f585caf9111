import Foundation
import GRDB
import Groundwork
import InboxModel

@testable import InboxClient
@testable import Replica

/// A part of an inbox with its own counts.
struct CountedPart: Hashable, CustomStringConvertible {
    /// Nil for all.
    let surface: String?
    /// Empty for messages without a category, nil for all.
    let category: String?

    static let all = ([nil] + StoreState.surfaces.map(Optional.some)).flatMap { surface in
        [nil, "", "a", "b"].map { CountedPart(surface: surface, category: $0) }
    }

    func contains(_ surface: String, _ category: String?) -> Bool {
        (self.surface.map { $0 == surface } ?? true) && (self.category.map { $0 == category ?? "" } ?? true)
    }

    var description: String { "\(surface ?? "all"), \(category.map { "category '\($0)'" } ?? "all categories")" }
}

/// The contents of a device's store, read in one transaction.
struct StoreState: Sendable {
    /// A row of the table, in any phase.
    struct StoredRow: Sendable {
        let phase: Int
        let surface: String
        let category: String?
        let expiresAt: Int?
        /// The effective values and the server's values.
        let shown: [String: FieldValue]
        let server: [String: FieldValue]
        /// Whether the row came with a push and the server hasn't sent the message yet.
        let isProvisional: Bool
    }

    var rows: [String: StoredRow] = [:]
    /// The outlines of messages that aren't stored.
    var outlines: [String: StoredRow] = [:]
    /// Whether all messages are known.
    var isExact = false
    /// Whether the server sends outlines.
    var offersOutlines = false
    /// The dates of the bulk writes without an answer.
    var bulk: [FieldValue] = []
    /// The ids of all unread messages in the inbox, stored or outline, newest delivery first.
    var unread: [String] = []
    /// The ids of each list, in order.
    var lists: [MessageFilter: [String]] = [:]
    var counts: [CountedPart: MessageCounts] = [:]
    var unsealed: [FieldPath: FieldValue] = [:]
    var sealed: [FieldPath: FieldValue] = [:]
    var hasSealedBatch = false
    var hasSealedBulk = false
    /// The number of queued events.
    var queued = 0
    var pendingCount = 0
    var setAside = 0
    var state: String?
    /// The time at which a row next changes its phase.
    var due: Int?

    static let surfaces = ["inbox", "news"]

    private static let fields = MessageField.personal.map(\.rawValue)
    private static func rows(_ table: String, _ provisional: String) -> String {
        "SELECT id, phase, surface, category, expiresAt, \(provisional), \(fields.map { "\($0), server_\($0)" }.joined(separator: ", ")) FROM \(table)"
    }

    private static func storedRow(_ row: ColumnReader) -> StoredRow {
        var (shown, server): ([String: FieldValue], [String: FieldValue]) = ([:], [:])
        for (place, field) in fields.enumerated() {
            shown[field] = FieldValue(milliseconds: row.optionalInt(Int32(6 + 2 * place)))
            server[field] = FieldValue(milliseconds: row.optionalInt(Int32(7 + 2 * place)))
        }
        return StoredRow(
            phase: row.int(1),
            surface: row.text(2),
            category: row.optionalText(3),
            expiresAt: row.optionalInt(4),
            shown: shown,
            server: server,
            isProvisional: row.optionalInt(5) != nil
        )
    }

    init(_ db: Database) throws {
        try read(db.cachedStatement(sql: Self.rows("message", "provisionalUntil"))) { row in
            rows[row.text(0)] = Self.storedRow(row)
        }
        try read(db.cachedStatement(sql: Self.rows("messageOutline", "NULL"))) { row in
            outlines[row.text(0)] = Self.storedRow(row)
        }
        isExact = try db.hasCompleteOutline(.message)
        offersOutlines = try db.outlinePosition(.message).isAvailable
        unread = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM (
                    SELECT id, deliverAt FROM message WHERE phase = 0 AND readAt IS NULL
                    UNION ALL SELECT id, deliverAt FROM messageOutline WHERE phase = 0 AND readAt IS NULL
                ) ORDER BY deliverAt DESC, id DESC
                """
        )
        for filter in [MessageFilter.inbox, .unread, .snoozed, .archived, .deleted] {
            lists[filter] = try db.messages(filter, surface: nil, limit: nil, offset: 0).map(\.id)
        }
        let all = try db.counts(.message)
        for part in CountedPart.all {
            counts[part] = MessageCounts(all, surface: part.surface, category: part.category)
        }
        try read(db.cachedStatement(sql: "SELECT id, path, value, sealed FROM pending")) { row in
            let path = FieldPath(id: row.text(0), field: row.text(1))
            if path.field == MarkAllRead.argument {
                bulk.append(FieldValue(json: try JSON(parsing: row.text(2).utf8)["at"] ?? .null))
                hasSealedBulk = hasSealedBulk || row.int(3) == 1
                return
            }
            let value = FieldValue(json: try JSON(parsing: row.text(2).utf8))
            if row.int(3) == 1 { sealed[path] = value } else { unsealed[path] = value }
        }
        hasSealedBatch = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM sealedBatch")) == 1
        queued = try db.queuedCount(.event)
        due = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT min(at) FROM (
                        SELECT min(due) AS at FROM message UNION ALL SELECT min(provisionalUntil) FROM message
                        UNION ALL SELECT min(due) FROM messageOutline)
                    """
            )
        )
        pendingCount = try db.pendingCount(RecordType.inbox)
        setAside = try db.setAsideCount(RecordType.inbox)
        state = try db.syncPosition(.message)?.state
    }

    private func read(_ statement: Statement, _ body: (ColumnReader) throws -> Void) throws {
        let cursor = try Row.fetchCursor(statement)
        let columns = ColumnReader(statement)
        while try cursor.next() != nil { try body(columns) }
    }

    /// Returns a message's row, stored or outline.
    func row(_ id: String) -> StoredRow? { rows[id] ?? outlines[id] }

    /// Returns the person's newest value that has no answer yet.
    func pending(_ path: FieldPath) -> FieldValue? { unsealed[path] ?? sealed[path] }
}
