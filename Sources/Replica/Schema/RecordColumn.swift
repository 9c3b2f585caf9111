/// A field of a record that has a column of its own, because lists filter, sort, count or show by it.
package struct RecordColumn: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text, integer, bool
        /// An RFC 3339 date on the wire, whole milliseconds since 1970 in the store.
        case date
    }

    /// What to store where a record lacks the field, or has it with another type.
    package enum Missing: Hashable, Sendable {
        case null
        case text(String)
        case integer(Int)
        /// The record can't do without: it is set aside.
        case invalid
    }

    /// The field's name in the record's JSON object, and the column's.
    package let name: String
    package let kind: Kind
    package let missing: Missing
    /// Whether the person may change it. Such a field has two columns: the effective value, under its name, and the server's.
    package let isWritable: Bool

    package init(_ name: String, _ kind: Kind, missing: Missing = .null, isWritable: Bool = false) {
        self.name = name
        self.kind = kind
        self.missing = missing
        self.isWritable = isWritable
    }

    /// The column that holds the server's value of a writable field.
    var serverName: String { "server_" + name }

    var declaration: String {
        let type = kind == .text ? "TEXT" : "INTEGER"
        return "\"\(name)\" \(type)\(missing == .null ? "" : " NOT NULL")"
    }
}
