import GRDB
import Groundwork

@testable import InboxServer
@testable import InboxService

/// The rows of all tables of a server's file, each as a line of text.
struct StoredRows: Sendable {
    private let storage: Storage

    /// Columns that a server updates even while it rejects a request.
    private static let volatile: Set<String> = ["apiKey.lastUsedAt"]

    init(of server: TestServer) throws {
        storage = try Storage(file: server.file)
    }

    /// The lines, sorted.
    ///
    /// - Parameter person: A person whose rows are left out.
    func lines(without person: String? = nil) async throws -> [String] {
        try await storage.readTables { db in
            let id = try Int.fetchOne(db, sql: "SELECT id FROM person WHERE name = ?", arguments: [person]) ?? -1
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
            return try tables.flatMap { table in
                let columns = try db.columns(in: table).map(\.name)
                let texts = columns.filter { !Self.volatile.contains("\(table).\($0)") }.map { "quote(\"\($0)\")" }
                let owner = table == "person" ? "id" : columns.contains("person") ? "person" : nil
                let condition = owner.map { "WHERE \($0) <> \(id)" } ?? ""
                let sql = "SELECT \(texts.joined(separator: "||' '||")) FROM \"\(table)\" \(condition)"
                return try String.fetchAll(db, sql: sql).map { "\(table): \($0)" }
            }.sorted()
        }
    }
}
