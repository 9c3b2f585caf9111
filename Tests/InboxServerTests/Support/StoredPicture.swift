import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// A fingerprint of a server's stored state that any write would change: the number of rows of each table, and the
/// sequences.
struct StoredPicture: Hashable, Sendable {
    let numbers: [String: Int]

    /// Returns a closure that reads the current fingerprint of a server's file.
    static func of(_ server: TestServer) async throws -> @Sendable () async throws -> StoredPicture {
        let storage = try await server.storage()
        return { try await storage.readTables { db in try StoredPicture(db) } }
    }

    private init(_ db: SQLConnection) throws {
        var numbers: [String: Int] = [:]
        for table in try db.tables { numbers[table] = try db.value("SELECT count(*) FROM \(table)") }
        numbers["sequences"] = try db.value("SELECT CAST(sum(sequence) AS bigint) FROM person")
        numbers["broadcasts"] = try db.value("SELECT value FROM counter WHERE name = 'broadcast'")
        self.numbers = numbers
    }
}

/// Runs a test with a server that has two people, a message for each and a broadcast, and expects that the test changes
/// none of that data.
///
/// A third person reads meanwhile. Prints the number of inputs (``Tried``) and the effect on that person.
func withUnchangedServer(
    test: String = #function,
    _ body: (_ server: TestServer, _ ann: Device, _ bob: Device, _ messages: [String]) async throws -> Void
) async throws {
    try await withServer { server in
        let messages = [
            try await server.send(to: ["person": "ann"]), try await server.send(to: ["person": "bob"]),
            try await server.send(to: ["everyone": true]),
        ]
        let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
        let carl = try await server.device(of: "carl")
        let picture = try await StoredPicture.of(server)
        let before = try await picture()
        let (state, message) = (try await ann.state(), try await ann.message(messages[0]))
        let bystander = Bystander(carl)
        let tried = Locked(0)
        do {
            try await AttemptCounter.$count.withValue(tried) { try await body(server, ann, bob, messages) }
        } catch {
            _ = try await bystander.end()
            throw error
        }
        let cost = try await bystander.end()
        let count = tried.withLock { $0 }
        // Tests with one input per case would print a line each.
        if count > 1 { print("hostile: \(test.prefix { $0 != "(" }): \(count) inputs; \(cost)") }
        #expect(try await picture() == before)
        #expect(try await ann.state() == state)
        #expect(try await ann.message(messages[0]) == message)
        #expect(try await server.request("GET", "/health").status == 200)
    }
}
