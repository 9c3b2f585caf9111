package import GRDB
package import Groundwork

/// The definition of a JMAP type that a replica stores: its columns, and its rules as SQL.
///
/// In the SQL of a rule, a column is written in braces, `{readAt}`, and the current time as `:now`, in milliseconds. A
/// rule is evaluated over an existing row, or over one that is about to be written.
package struct RecordType: Sendable {
    /// The name of the JMAP type, such as `Note`.
    package let name: String
    /// The URI of the capability that defines the type.
    package let capability: String
    package let table: String
    package let columns: [RecordColumn]
    /// An expression for the phase of a record's lifetime, a small integer whose meaning is up to the type.
    package let phase: String
    /// An expression for the time at which ``phase`` next changes by itself, in milliseconds; NULL for never. Nil for a
    /// type whose phase doesn't depend on the time. Such a type has no provisional rows either.
    package let due: String?
    /// The counts that are maintained; nil for none.
    package let counts: CountRule?
    /// The columns of the indexes, such as `phase, deliverAt DESC`, followed by the `WHERE` of a partial index.
    package let indexes: [String]
    /// The records that a device holds.
    package var window: Window
    /// Whether a server may not have the type. Then the type is skipped until the session changes, and the other types
    /// are synced.
    package var isOptional: Bool
    /// The capability of a later type with the same records. On a server that has it for the account, this type isn't
    /// synced, and its records are removed. Nil if there is none.
    package let replacedBy: String?
    /// The properties to fetch (RFC 8620, section 5.1); nil for all.
    package let properties: [String]?
    /// The mechanism by which repeated writes take effect once.
    package let repeatDetection: RepeatDetection
    /// Additional SQL for the type's tables. It runs once, after they were created.
    package let schema: [String]
    /// The later changes of ``schema``, in the order in which they were added. Each runs once, after the statements of
    /// all types: also in a new store, whose ``schema`` stays the first one. A name is unique within the type, and
    /// stored, so it stays as it is.
    package let migrations: [(name: String, sql: [String])]
    /// For records that this device derives from others: recomputes those whose sources have changed. It runs at the
    /// end of each write, after those of the types before it.
    package let derive: (@Sendable (StoreWriter) throws -> Void)?
    /// The tables of the sources that have changed, which ``derive`` empties: it runs only if one of them has a row.
    /// Without any it always runs.
    package let derivedFrom: [String]
    /// Compares the stored records with the server's counts. Returns a description of the difference; nil if there is
    /// none. It verifies types that aren't fetched again as a whole, as those of ``Window/all`` are.
    package var audit: (@Sendable (Database) throws -> String?)?
    /// Returns the limits of a device if the app sets none; nil to hold all records.
    package var limits: (@Sendable (Database) throws -> WindowLimits)?
    /// The names of annotations: members of a patch that aren't fields, and that state whether a condition such as
    /// consent is met, true or false.
    package var annotations: [String]
    /// The queue that is sent along with the type's records, such as events about them.
    package let queue: QueueType?
    /// The outline of the records that aren't on the device; nil if the device only knows the records that it holds.
    package let outline: OutlineRule?
    /// The pictures that the records show; nil if they show none.
    package let pictures: PictureRule?
    /// The limits of the filters that the type's server accepts; nil for none.
    package let filterLimits: FilterLimits?
    /// The kinds of documents from which the records are derived and that exist only on this device.
    package let deviceRecords: [DeviceRecordKind]
    /// The SQL that inserts or updates a row. Its parameters are the id, the JSON, the present time, the revision, the
    /// effective columns and the server's columns. A row in which nothing differs isn't written.
    private(set) var upsert = ""
    /// The SQL that reads the counts of the stored rows: the columns of the buckets, and the counters. Empty without
    /// ``counts``.
    private(set) var storedCounts = ""
    /// The condition of ``derive``, in SQL.
    let hasChangedSources: String

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
        replacedBy: String? = nil,
        properties: [String]? = nil,
        repeatDetection: RepeatDetection = .byBatchKey,
        schema: [String] = [],
        migrations: [(name: String, sql: [String])] = [],
        derive: (@Sendable (StoreWriter) throws -> Void)? = nil,
        derivedFrom: [String] = [],
        audit: (@Sendable (Database) throws -> String?)? = nil,
        limits: (@Sendable (Database) throws -> WindowLimits)? = nil,
        annotations: [String] = [],
        queue: QueueType? = nil,
        outline: OutlineRule? = nil,
        pictures: PictureRule? = nil,
        filterLimits: FilterLimits? = nil,
        deviceRecords: [DeviceRecordKind] = []
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
        self.replacedBy = replacedBy
        self.properties = properties
        self.repeatDetection = repeatDetection
        self.schema = schema
        self.migrations = migrations
        self.derive = derive
        self.derivedFrom = derivedFrom
        self.audit = audit
        self.limits = limits
        self.annotations = annotations
        self.queue = queue
        self.outline = outline
        self.pictures = pictures
        self.filterLimits = filterLimits
        self.deviceRecords = deviceRecords
        hasChangedSources =
            derivedFrom.isEmpty
            ? "true" : derivedFrom.map { "EXISTS (SELECT 1 FROM \"\($0)\")" }.joined(separator: " OR ")
        upsert = makeUpsert()
        storedCounts = makeStoredCounts()
    }

    var writableColumns: [RecordColumn] { columns.filter(\.isWritable) }

    /// Whether the person can change the type's records.
    var isWritable: Bool { columns.contains(where: \.isWritable) }

    func column(_ name: String) -> RecordColumn? { columns.first { $0.name == name } }

    /// Returns the writable column that a pending entry's path names, and the member's name if it is a column of
    /// members.
    func writableColumn(_ path: String) -> (column: RecordColumn, member: String?)? {
        if let column = column(path) {
            return column.isWritable && column.kind != .members ? (column, nil) : nil
        }
        guard let tokens = JSONPointer(parsing: "/" + path)?.tokens, tokens.count == 2,
            let column = column(tokens[0]), column.isWritable, column.kind == .members
        else { return nil }
        return (column, tokens[1])
    }

    /// The SQL of ``due``, or `NULL` for never.
    package var dueRule: String { due ?? "NULL" }

    /// Whether the window is ``Window/all``.
    var isFetchedWhole: Bool { if case .all = window { true } else { false } }

    /// Whether requests for other types can show whether the type has changed: a device has all of its records, and
    /// other types' records don't belong to them.
    var canBeProbed: Bool {
        switch window {
        case .all: true
        case .everything: isOptional
        case .newest, .slices, .derived: false
        }
    }

    /// Whether the records exist on a server.
    var isSynced: Bool { if case .derived = window { false } else { true } }

    /// The records of a type that a device holds.
    package enum Window: Sendable {
        /// The newest records, by the filter and sort of `/query`. The oldest beyond the device's limit are evicted.
        case newest(filter: JSON, sort: JSON, retention: RetentionRule)
        /// All records, fetched by `/get` without ids (RFC 8620, section 5.1). For types of which an account has no
        /// more records than one response can contain.
        case all
        /// All records, newest first by the sort of `/query`: first the ids, then the records that are missing. For
        /// types with very many records, most of which don't change.
        case everything(sort: JSON)
        /// The records that queries request (``Slice``), by the sort of `/query`, in whole groups. For types with very
        /// many records, of which a device needs few.
        case slices(sort: JSON, groups: RecordGroups)
        /// None on the server: the records are derived on this device from others.
        case derived
    }

    /// The mechanism by which writes that are sent again, because the response was lost, take effect once.
    package enum RepeatDetection: Hashable, Sendable {
        /// The server recognizes the batch by its key. For our server.
        case byBatchKey
        /// The device compares the records first, and sends only the values that they lack. For any server.
        case byComparing
    }

    /// The counts that are maintained, one number per counter and bucket.
    package struct CountRule: Sendable {
        /// The columns whose values form a bucket. Each bucket has its own counts. Null counts as empty text.
        package let buckets: [String]
        /// The counters, and the conditions of the rows that they count.
        package let counters: [(name: String, condition: String)]

        package init(buckets: [String], counters: [(name: String, condition: String)]) {
            self.buckets = buckets
            self.counters = counters
        }
    }

    /// The rows that can be evicted if a device has more than it is to hold.
    package struct RetentionRule: Sendable {
        /// The condition of the rows that count against the limit.
        package let active: String
        /// The condition of those that can be evicted. Rows with pending writes are never evicted.
        package let evictable: String
        /// The sort order in which rows are evicted, the oldest first.
        package let oldestFirst: String

        package init(active: String, evictable: String, oldestFirst: String) {
            self.active = active
            self.evictable = evictable
            self.oldestFirst = oldestFirst
        }
    }
}

extension String {
    /// Returns a rule's SQL with its columns replaced.
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

    /// Returns a rule's SQL for a row with a name, such as `NEW`. Without a name, the columns aren't qualified.
    func rule(row: String? = nil) -> String {
        rule { (row.map { "\($0)." } ?? "") + "\"\($0)\"" }
    }
}
