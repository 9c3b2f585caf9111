import Foundation
import GRDB
import Groundwork
import InboxModel

@testable import InboxClient
@testable import Replica

/// All that a device's store says, out of one transaction.
struct StoreState: Sendable {
    /// A row as it is in the table, whatever its phase.
    struct StoredRow: Sendable {
        let phase: Int
        let surface: String
        let expiresAt: Int?
        /// The effective values, and the server's.
        let shown: [String: FieldValue]
        let server: [String: FieldValue]
        /// Whether it came with a push, and the server hasn't told of it.
        let isProvisional: Bool
    }

    var rows: [String: StoredRow] = [:]
    /// The ids of each list, in its order.
    var lists: [MessageFilter: [String]] = [:]
    /// By surface, nil for all.
    var counts: [String?: MessageCounts] = [:]
    var unsealed: [FieldPath: FieldValue] = [:]
    var sealed: [FieldPath: FieldValue] = [:]
    var hasSealedBatch = false
    /// How many events wait to be told.
    var queued = 0
    var pendingCount = 0
    var setAside = 0
    var state: String?
    /// When a row next changes its phase by itself.
    var due: Int?

    static let surfaces = ["inbox", "news"]

    private static let fields = MessageField.personal.map(\.rawValue)
    private static let rows =
        "SELECT id, phase, surface, expiresAt, provisionalUntil, \(fields.map { "\($0), server_\($0)" }.joined(separator: ", ")) FROM message"

    init(_ db: Database) throws {
        try read(db.cachedStatement(sql: Self.rows)) { row in
            var (shown, server): ([String: FieldValue], [String: FieldValue]) = ([:], [:])
            for (place, field) in Self.fields.enumerated() {
                shown[field] = FieldValue(milliseconds: row.optionalInt(Int32(5 + 2 * place)))
                server[field] = FieldValue(milliseconds: row.optionalInt(Int32(6 + 2 * place)))
            }
            rows[row.text(0)] = StoredRow(
                phase: row.int(1),
                surface: row.text(2),
                expiresAt: row.optionalInt(3),
                shown: shown,
                server: server,
                isProvisional: row.optionalInt(4) != nil
            )
        }
        for filter in [MessageFilter.inbox, .unread, .snoozed, .archived, .deleted] {
            lists[filter] = try db.messageIDs(filter, surface: nil)
        }
        counts[nil] = try db.messageCounts(surface: nil)
        for surface in Self.surfaces { counts[surface] = try db.messageCounts(surface: surface) }
        try read(db.cachedStatement(sql: "SELECT id, path, value, sealed FROM pending")) { row in
            let path = FieldPath(id: row.text(0), field: row.text(1))
            let value = FieldValue(json: try JSON(parsing: row.text(2).utf8))
            if row.int(3) == 1 { sealed[path] = value } else { unsealed[path] = value }
        }
        hasSealedBatch = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM sealedBatch")) == 1
        queued = try db.queuedCount(.event)
        due = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT min(at) FROM (
                        SELECT min(due) AS at FROM message UNION ALL SELECT min(provisionalUntil) FROM message)
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

    /// The person's value that awaits the server's answer, the newest.
    func pending(_ path: FieldPath) -> FieldValue? { unsealed[path] ?? sealed[path] }
}
