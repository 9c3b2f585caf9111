package import Groundwork

/// What the replica has to know of a JMAP type in order to keep it: its columns, and its rules as SQL.
///
/// In the SQL of a rule, a column is written in braces, `{readAt}`, and the present time as `:now`, in milliseconds. A rule is
/// evaluated over a row that is there, or over one that is about to be written.
package struct RecordType: Sendable {
    /// The JMAP type, such as `InboxMessage`.
    package let name: String
    /// The capability that brings it.
    package let capability: String
    package let table: String
    package let columns: [RecordColumn]
    /// Where a record is in its life, as a small whole number; what it means is the type's own business.
    package let phase: String
    /// When ``phase`` will next change by itself, in milliseconds; NULL for never.
    package let due: String
    package let counts: CountRule
    package let retention: RetentionRule
    /// RecordColumn lists, such as `phase, deliverAt DESC`; with a `WHERE` where it is partial.
    package let indexes: [String]
    /// What a new device asks for: the filter and sort of `/query`.
    package let windowFilter: JSON
    package let windowSort: JSON
    /// What travels to the server with these records, such as events about them.
    package let queue: QueueType?

    package init(
        name: String,
        capability: String,
        table: String,
        columns: [RecordColumn],
        phase: String,
        due: String,
        counts: CountRule,
        retention: RetentionRule,
        indexes: [String],
        windowFilter: JSON,
        windowSort: JSON,
        queue: QueueType? = nil
    ) {
        self.name = name
        self.capability = capability
        self.table = table
        self.columns = columns
        self.phase = phase
        self.due = due
        self.counts = counts
        self.retention = retention
        self.indexes = indexes
        self.windowFilter = windowFilter
        self.windowSort = windowSort
        self.queue = queue
    }

    var writableColumns: [RecordColumn] { columns.filter(\.isWritable) }

    func column(_ name: String) -> RecordColumn? { columns.first { $0.name == name } }

    /// The counts that are kept, one number per counter and bucket.
    package struct CountRule: Sendable {
        /// The columns whose values make a bucket, so that counts can be told for each; null counts as empty text.
        package let buckets: [String]
        /// Conditions, by the counter's name.
        package let counters: [(name: String, condition: String)]

        package init(buckets: [String], counters: [(name: String, condition: String)]) {
            self.buckets = buckets
            self.counters = counters
        }
    }

    /// Which rows may go when there are more than a device is to hold.
    package struct RetentionRule: Sendable {
        /// Which rows count against the limit.
        package let active: String
        /// Which of those may go. Rows with pending writes never do, whatever this says.
        package let evictable: String
        /// The columns by which the first to go come first.
        package let oldestFirst: String

        package init(active: String, evictable: String, oldestFirst: String) {
            self.active = active
            self.evictable = evictable
            self.oldestFirst = oldestFirst
        }
    }
}

extension String {
    /// A rule's SQL with its columns put in.
    func rule(_ column: (String) -> String) -> String {
        var sql = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            sql += rest[..<open]
            sql += column(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return sql + rest
    }

    /// A rule's SQL for a row known under a name, such as `NEW`; without a name, for the only row there is.
    func rule(row: String? = nil) -> String {
        rule { (row.map { "\($0)." } ?? "") + "\"\($0)\"" }
    }
}
