import Groundwork

/// A field of a record with a column of its own, because lists filter, sort, count or display records by it.
package struct RecordColumn: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text, integer, bool
        /// An RFC 3339 date in JSON, whole milliseconds since 1970 in the store.
        case date
        /// An object whose members are `true`, such as an email's `keywords` (RFC 8621, section 4.1.1). The store
        /// contains the text of a ``MemberSet``. The members of a writable column are written individually, each under
        /// its own path.
        case members
    }

    /// The value to store if a record lacks the field, or has a value of another type in it.
    package enum Missing: Hashable, Sendable {
        case null
        case text(String)
        case integer(Int)
        /// The field is required: a record without it is set aside.
        case invalid
    }

    /// The name of the field in the record's JSON object, and of the column.
    package let name: String
    package let kind: Kind
    package let missing: Missing
    /// Whether the person can change the field. Such a field has two columns: one for the effective value, under its
    /// name, and one for the server's.
    package let isWritable: Bool
    /// The table of the records whose ids are the members, such as an email's mailboxes. Nil if the members aren't ids.
    ///
    /// The ids are checked before a record is added to them, because a server may accept a dangling reference.
    package let refersTo: String?

    package init(
        _ name: String,
        _ kind: Kind,
        missing: Missing = .null,
        isWritable: Bool = false,
        refersTo table: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.missing = missing
        self.isWritable = isWritable
        refersTo = table
    }

    /// The name of the column for the server's value of a writable field.
    var serverName: String { "server_" + name }

    var declaration: String { "\"\(name)\" \(sqlType)\(missing == .null ? "" : " NOT NULL")" }

    var serverDeclaration: String { "\"\(serverName)\" \(sqlType)" }

    /// Returns the path of a member in a patch (RFC 8620, section 5.3).
    func path(_ member: String) -> String { String(JSONPointer([name, member]).description.dropFirst()) }

    private var sqlType: String {
        switch kind {
        case .text, .members: "TEXT"
        case .integer, .bool, .date: "INTEGER"
        }
    }
}
