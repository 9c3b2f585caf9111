package import Foundation
import Groundwork

/// A page of the audit log, newest entries first.
package struct AuditList: Sendable {
    package var kind: AuditKind?
    /// The app's id of the person.
    package var person: String?
    /// The earliest time of an entry, inclusive.
    package var since: Date?
    /// The latest time of an entry, exclusive.
    package var until: Date?
    let page: Page<AuditID>

    package init(
        kind: AuditKind? = nil,
        person: String? = nil,
        since: Date? = nil,
        until: Date? = nil,
        page: Page<AuditID>
    ) {
        self.kind = kind
        self.person = person
        self.since = since
        self.until = until
        self.page = page
    }
}

extension ReadTransaction {
    /// Returns a page of the audit log.
    package func auditEntries(_ list: AuditList) throws -> [AuditEntry] {
        var conditions: [String] = []
        var arguments = SQLArguments()
        func add(_ condition: String, _ values: any SQLValue...) {
            conditions.append(condition)
            arguments += SQLArguments(values)
        }
        if let kind = list.kind { add("kind = ?", kind.rawValue) }
        if let person = list.person { add("personName = ?", person) }
        if let since = list.since { add("at >= ?", since.milliseconds) }
        if let until = list.until { add("at < ?", until.milliseconds) }
        if let after = list.page.after?.rawValue {
            // If this entry has been deleted meanwhile, so have all older ones.
            guard let at: Int = try db.value("SELECT at FROM audit WHERE id = ?", [after]) else { return [] }
            add("(at, id) < (?, ?)", at, after)
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        arguments += [list.page.limit]
        return try db.rows(
            SQLText(
                sqlite: "SELECT \(AuditEntry.columns) FROM audit \(condition) ORDER BY at DESC, id DESC LIMIT ?",
                postgres: """
                    SELECT \(AuditEntry.summedColumns) FROM (SELECT * FROM audit \(condition)) AS a
                    WHERE \(AuditEntry.isFirstSlot) ORDER BY at DESC, id DESC LIMIT ?
                    """
            ),
            arguments
        ).map(AuditEntry.init(row:))
    }
}
