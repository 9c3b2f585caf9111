import GRDB

@testable import InboxService

extension Storage {
    /// Reads the tables themselves, which no operation of the domain shows.
    func readTables<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await read { reading in try body(reading.db) }
    }
}
