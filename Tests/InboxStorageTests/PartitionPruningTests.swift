import Postgres
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PartitionPruningTests {
    private static let newest = """
        SELECT d.deliverAt, d.message, d.readAt, m.content FROM delivery d JOIN message m ON m.id = d.message
        WHERE d.person = $1 AND d.state = 1 AND (d.deliverAt, d.message) < ($2, $3)
        ORDER BY d.deliverAt DESC, d.message DESC LIMIT 50
        """
    private static let changes = """
        SELECT d.message, d.sequence FROM delivery d JOIN message m ON m.id = d.message
        WHERE d.person = $1 AND d.sequence > $2 AND $3 > 0 ORDER BY d.sequence LIMIT 50
        """
    private static let write = "UPDATE person SET sequence = $2 WHERE id = $1 AND $3 > 0"

    /// Both kinds of plans of a prepared statement, as the owner and in the role of a person.
    @Test(
        arguments: ["force_custom_plan", "force_generic_plan"],
        [
            (newest, "delivery", "deliverat_message"), (changes, "delivery", "person_sequence"),
            (write, "person", "pkey"),
        ]
    )
    func `a statement of one person uses one partition and its index`(
        mode: String,
        query: (sql: String, table: String, index: String)
    ) async throws {
        let (database, role) = try await StorageDatabase.migrated.value
        // Reads alone run in the role, which may not write.
        for isInRole in [false, true] where !isInRole || query.sql != Self.write {
            // In the role, a view has the messages.
            let tables = "delivery d JOIN message m ON m.id = d.message"
            let view = SQLText.derive(SQLText.deliveries(by: "").personalSource)
            let sql = isInRole ? query.sql.replacing(tables, with: view) : query.sql
            let plan = try await database.use { connection in
                try connection.transaction { connection in
                    connection.enqueue(.setLocal("plan_cache_mode", mode))
                    // The tables are empty, so each plan is as good as another.
                    connection.enqueue(.setLocal("enable_seqscan", "off"))
                    connection.enqueue(.setLocal("enable_bitmapscan", "off"))
                    if isInRole { connection.enqueue(role.statement(for: 42)) }
                    connection.enqueue(
                        PostgresStatement("PREPARE q (bigint, bigint, bigint) AS \(sql)", isPrepared: false)
                    )
                    return try connection.execute("EXPLAIN (COSTS OFF) EXECUTE q (42, 100, 100)")
                        .map { try $0[0] as String }.joined(separator: "\n")
                }
            }
            let partitions = Set(plan.matches(of: /Scan .*\ on (\w+_[0-9]{2})\b/).map { String($0.output.1) })
            #expect(partitions.count == 1, "\(plan)")
            #expect(plan.contains(query.index), "\(plan)")
            #expect(!plan.contains("->  Sort"), "\(plan)")
            if mode == "force_generic_plan" { #expect(plan.contains("Subplans Removed: 63"), "\(plan)") }
        }
    }
}
