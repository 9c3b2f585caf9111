/// An error for a query that uses something the store doesn't support.
///
/// It is thrown when the query is used for the first time, before anything is read.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unsupported part of the query, and what to write instead.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Returns the error for an unsupported part of a query.
    static func unsupported(_ part: String, instead: String? = nil) -> QueryError {
        QueryError("A query can't use \(part)\(instead.map { "; \($0)" } ?? "").")
    }
}
