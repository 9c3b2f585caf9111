package import GRDB
package import Groundwork

/// What the replica has to know of a JMAP type in order to keep it: its columns, and its rules as SQL.
///
/// In the SQL of a rule, a column is written in braces, `{readAt}`, and the present time as `:now`, in milliseconds. A
/// rule is evaluated over a row that is there, or over one that is about to be written.
package struct RecordType: Sendable {
    /// The JMAP type, such as `InboxMessage`.
    package let name: String
    /// The capability that brings it.
    package let capability: String
    package let table: String
    package let columns: [RecordColumn]
    /// Where a record is in its life, as a small whole number; what it means is the type's own business.
    package let phase: String
    /// When ``phase`` will next change by itself, in milliseconds; NULL for never. Nil for a type whose rows time
    /// doesn't change: it has no provisional rows either.
    package let due: String?
    /// Nil for a type of which nothing is counted.
    package let counts: CountRule?
    /// RecordColumn lists, such as `phase, deliverAt DESC`; with a `WHERE` where it is partial.
    package let indexes: [String]
    /// Which of the records a device holds.
    package var window: Window
    /// Whether a server may lack the type: then it is left alone until there is another session, and the others are
    /// synced.
    package let isOptional: Bool
    /// The properties to ask for (RFC 8620 §5.1); nil for all.
    package let properties: [String]?
    /// How repeated writes take effect once.
    package let repeatDetection: RepeatDetection
    /// More SQL for its tables, run once, after them.
    package let schema: [String]
    /// For records that this device derives from others: derives those again whose sources have changed. It runs at the
    /// end of each write.
    package let derive: (@Sendable (StoreWriter) throws -> Void)?
    /// How what is held differs from what the server counts, as a text; nil where it doesn't. For a type that isn't
    /// held by its window alone.
    package var audit: (@Sendable (Database) throws -> String?)?
    /// How much of it a device holds, where the app sets nothing; nil for all.
    package var limits: (@Sendable (Database) throws -> WindowLimits)?
    /// The names in a patch that stand for no field, and say beside the fields whether something holds for them: true
    /// or false.
    package var annotations: [String]
    /// What travels to the server with these records, such as events about them.
    package let queue: QueueType?
    /// How the records are known that a device doesn't hold; nil for a type of which only what is held is known.
    package let outline: OutlineRule?

    package init(
        name: String,
        capability: String,
        table: String,
        columns: [RecordColumn],
        phase: String = "0",
        due: String? = nil,
        counts: CountRule? = nil,
        indexes: [String] = [],
        window: Window,
        isOptional: Bool = false,
        properties: [String]? = nil,
        repeatDetection: RepeatDetection = .byBatchKey,
        schema: [String] = [],
        derive: (@Sendable (StoreWriter) throws -> Void)? = nil,
        audit: (@Sendable (Database) throws -> String?)? = nil,
        limits: (@Sendable (Database) throws -> WindowLimits)? = nil,
        annotations: [String] = [],
        queue: QueueType? = nil,
        outline: OutlineRule? = nil
    ) {
        self.name = name
        self.capability = capability
        self.table = table
        self.columns = columns
        self.phase = phase
        self.due = due
        self.counts = counts
        self.indexes = indexes
        self.window = window
        self.isOptional = isOptional
        self.properties = properties
        self.repeatDetection = repeatDetection
        self.schema = schema
        self.derive = derive
        self.audit = audit
        self.limits = limits
        self.annotations = annotations
        self.queue = queue
        self.outline = outline
    }

    var writableColumns: [RecordColumn] { columns.filter(\.isWritable) }

    /// Whether the person can change anything of its records.
    var isWritable: Bool { columns.contains(where: \.isWritable) }

    func column(_ name: String) -> RecordColumn? { columns.first { $0.name == name } }

    /// The writable column that a pending entry's path leads to, and for one of members the name.
    func writablePlace(_ path: String) -> (column: RecordColumn, member: String?)? {
        if let column = column(path) {
            return column.isWritable && column.kind != .members ? (column, nil) : nil
        }
        guard let tokens = JSONPointer(parsing: "/" + path)?.tokens, tokens.count == 2,
            let column = column(tokens[0]), column.isWritable, column.kind == .members
        else { return nil }
        return (column, tokens[1])
    }

    /// ``due``, or never.
    package var dueRule: String { due ?? "NULL" }

    /// Whether the device holds all that there are.
    var isWhole: Bool { if case .all = window { true } else { false } }

    /// Whether a server has them.
    var isSynced: Bool { if case .derived = window { false } else { true } }

    /// Which of a type's records a device holds.
    package enum Window: Sendable {
        /// The newest, by the filter and sort of `/query`; past the device's limit the oldest go.
        case newest(filter: JSON, sort: JSON, retention: RetentionRule)
        /// All that there are, by `/get` without ids (RFC 8620 §5.1): for types of which an account has as many as one
        /// answer holds.
        case all
        /// All that there are, newest first by the sort of `/query`: first the ids, then whichever aren't there yet.
        /// For records of which there may be very many, and which for the most part stay as they are.
        case everything(sort: JSON)
        /// What queries ask for (``Slice``), by the sort of `/query`, in whole groups: for records of which there may
        /// be very many, and of which a device wants few.
        case slices(sort: JSON, groups: RecordGroups)
        /// None: they are made on this device out of others.
        case derived
    }

    /// How writes that are sent again, because the answer was lost, take effect once.
    package enum RepeatDetection: Hashable, Sendable {
        /// The server recognizes the batch by its key. For our server.
        case byBatchKey
        /// The device compares the records first, and sends only the values that they lack. For any server.
        case byComparing
    }

    /// The counts that are kept, one number per counter and bucket.
    package struct CountRule: Sendable {
        /// The columns whose values form a bucket, so that counts exist for each. Null counts as empty text.
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
