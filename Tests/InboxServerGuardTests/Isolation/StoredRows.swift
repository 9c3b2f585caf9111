import GRDB
import Groundwork

@testable import InboxServer
@testable import InboxService

/// The rows of all tables of a server's file, each as a line of text.
struct StoredRows: Sendable {
    private let storage: Storage

    /// Columns that a server updates even while it rejects a request, or by itself.
    private static let volatile: Set<String> = ["apiKey.lastUsedAt", "erasure.parts", "erasure.vacuumedAt"]

    init(of server: TestServer) async throws {
        storage = try await server.storage()
    }

    /// The lines, sorted.
    ///
    /// - Parameter person: A person whose rows are left out.
    func lines(without person: String? = nil) async throws -> [String] {
        try await storage.readTables { db in
            let id = try person.flatMap { try ReadTransaction(db).number(ofPerson: $0) } ?? -1
            guard let file = db.sqlite else { return try Self.postgresLines(db, without: id) }
            return try db.tables.flatMap { table in
                let columns = try file.columns(in: table).map(\.name)
                let texts = columns.filter { !Self.volatile.contains("\(table).\($0)") }.map { "quote(\"\($0)\")" }
                let owner = table == "person" ? "id" : columns.contains("person") ? "person" : nil
                let condition = owner.map { "WHERE \($0) <> \(id)" } ?? ""
                let sql = "SELECT \(texts.joined(separator: "||' '||")) FROM \"\(table)\" \(condition)"
                return try String.fetchAll(file, sql: sql).map { "\(table): \($0)" }
            }.sorted()
        }
    }

    private static func postgresLines(_ db: SQLConnection, without id: Int) throws -> [String] {
        // Most of the thousands of partitions never had a row; a query of all of them takes a second.
        let tables: [String] = try db.values(
            """
            SELECT relname::text FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
                -- Servers send heartbeats there.
                AND relname <> 'node'
            """,
            isRare: true
        )
        let volatile = volatile.map { "- '\($0.split(separator: ".")[1].lowercased())'" }.joined(separator: " ")
        let queries = tables.map { table in
            let owner = table.split(separator: "_")[0] == "person" ? "id" : "person"
            return """
                SELECT '\(table): ' || (to_jsonb(t) \(volatile))::text FROM \(table) t
                WHERE to_jsonb(t) ->> '\(owner)' IS DISTINCT FROM '\(id)'
                """
        }
        return try db.values(SQLText(queries.joined(separator: " UNION ALL ")), isRare: true).sorted()
    }
}
