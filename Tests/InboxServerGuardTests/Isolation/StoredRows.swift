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
        try db.tables.flatMap { table in
            let owner = table == "person" ? "id" : "person"
            let volatile = volatile.map { "- '\($0.split(separator: ".")[1].lowercased())'" }.joined(separator: " ")
            let lines: [String] = try db.values(
                """
                SELECT (to_jsonb(t) \(volatile))::text FROM \(table) t
                WHERE to_jsonb(t) ->> '\(owner)' IS DISTINCT FROM '\(id)'
                """,
                isRare: true
            )
            return lines.map { "\(table): \($0)" }
        }.sorted()
    }
}
