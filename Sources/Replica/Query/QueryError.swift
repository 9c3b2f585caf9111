/// A query that can't be read: it uses something that the store has no answer for.
///
/// Thrown when the query is used for the first time, before anything is read.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which part it is, and what to write instead.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A part of a predicate that isn't read.
    static func unsupported(_ part: String, instead: String? = nil) -> QueryError {
        QueryError("A query can't use \(part)\(instead.map { "; \($0)" } ?? "").")
    }
}
