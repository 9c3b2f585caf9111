/// The rows that a write changes, for its place among those that share a transaction.
///
/// If several servers share a database, each waits for rows that another one has changed, until that one's transaction
/// has ended. So writes for one person each share a transaction, in the order of the people, in which no two servers
/// wait for each other; and other writes have one of their own.
package enum WriteScope: Hashable, Sendable {
    /// One person's rows, and rows that no other person's writes change.
    case person(String)
    /// Rows that no other write waits for.
    case independent
    /// Rows of several people, or of the server as a whole.
    case shared

    /// The name of the person, if it is one's.
    var person: String? { if case .person(let name) = self { name } else { nil } }

    /// The scope of a write for a person.
    package static func of(_ person: Person) -> WriteScope { .person(person.name) }
}

extension WriteScope: Comparable {
    /// People are compared by the bytes of their names, as the database does.
    package static func < (one: WriteScope, other: WriteScope) -> Bool {
        switch (one, other) {
        case (.person(let one), .person(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.person, _): true
        case (.independent, .shared): true
        default: false
        }
    }
}
