import Foundation
import Groundwork
import Postgres
import RunningPostgres

@testable import InboxService

/// A database of the server that all tests share.
struct StorageDatabase: Sendable {
    let server: DatabaseServer
    let name: String
    var user: String?

    /// Inserts an erasure whose rows haven't been removed from the files.
    static let erasure = """
        INSERT INTO erasure (id, personHash, at, removed, parts)
        VALUES ('e', sha256('ann'), 1, '{}', ARRAY[]::bigint[])
        """

    /// An empty database.
    init() async throws {
        server = try await DatabaseServer.shared.value
        name = try await server.newDatabase()
    }

    /// - Parameters:
    ///   - name: A name that no other test uses.
    ///   - options: Those of `CREATE DATABASE`.
    ///   - user: The owner, without any rights in the server but to sign in. Nil for the superuser.
    init(_ name: String, options: String = "", ownedBy user: String? = nil) async throws {
        server = try await DatabaseServer.shared.value
        (self.name, self.user) = (name, user)
        try await Self.administrate { connection in
            if let user {
                try connection.executeScript("CREATE ROLE \"\(user)\" LOGIN PASSWORD '\(Self.password)'")
            }
            let owner = user.map { "OWNER \"\($0)\"" } ?? ""
            try connection.executeScript("CREATE DATABASE \"\(name)\" \(options) \(owner)")
        }
    }

    private init(_ server: DatabaseServer, _ name: String) {
        (self.server, self.name) = (server, name)
    }

    /// A migrated and prepared database that tests only read, or change in transactions that they roll back.
    static let migrated = Task {
        let database = try await StorageDatabase()
        let role = try await database.use { try PostgresSchema.prepare($0) }
        return (database, role)
    }

    private static let password = "secret"

    var settings: PostgresSettings {
        get throws {
            guard let user else { return try server.settings(name) }
            return try PostgresSettings("postgres://\(user):\(Self.password)@127.0.0.1:\(server.port)/\(name)")
        }
    }

    /// Runs blocking code with a connection of its own, on a thread of its own.
    ///
    /// - Parameter settings: Nil for a direct connection.
    func use<Value: Sendable>(
        _ settings: PostgresSettings? = nil,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let settings = try settings ?? self.settings
        return try await blocking {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return try body(connection)
        }
    }

    /// Runs blocking code as the server's superuser, in another database.
    static func administrate<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let server = try await DatabaseServer.shared.value
        return try await StorageDatabase(server, "postgres").use(nil, body)
    }
}

/// Returns the error that a body throws.
func failure<Failed: Error>(_ type: Failed.Type = Failed.self, _ body: () throws -> Void) -> Failed? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failed
    }
}

/// Returns the error that an asynchronous body throws.
func failure<Failed: Error>(
    _ type: Failed.Type = Failed.self,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async -> Failed? {
    do {
        try await body()
        return nil
    } catch {
        return error as? Failed
    }
}
