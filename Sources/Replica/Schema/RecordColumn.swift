import Groundwork

/// A field of a record that has a column of its own, because lists filter, sort, count or show by it.
package struct RecordColumn: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text, integer, bool
        /// An RFC 3339 date on the wire, whole milliseconds since 1970 in the store.
        case date
        /// An object whose members are `true`, such as an email's `keywords` (RFC 8621 §4.1.1); in the store a
        /// ``MemberSet``'s text. Where it is writable, each member is written by itself: a path per member.
        case members
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
    /// Whether the person may change it. Such a field has two columns: the effective value, under its name, and the
    /// server's.
    package let isWritable: Bool
    /// The table of the records whose ids are the members, such as a mail's mailboxes. Nil for members that aren't ids.
    ///
    /// Before a record is added to them, they are checked: a server may accept a dangling reference.
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

    /// The column that holds the server's value of a writable field.
    var serverName: String { "server_" + name }

    var declaration: String { "\"\(name)\" \(sqlType)\(missing == .null ? "" : " NOT NULL")" }

    var serverDeclaration: String { "\"\(serverName)\" \(sqlType)" }

    /// The path of a member in a patch (RFC 8620 §5.3).
    func path(_ member: String) -> String { String(JSONPointer([name, member]).description.dropFirst()) }

    private var sqlType: String {
        switch kind {
        case .text, .members: "TEXT"
        case .integer, .bool, .date: "INTEGER"
        }
    }
}
