import GRDB

extension Database {
    /// The only number that a statement gives.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
    }
}
