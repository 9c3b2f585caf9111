import Foundation
import Groundwork
import Postgres
import RunningPostgres
import SeededRandom

/// An empty database of the server that all tests share.
struct TestDatabase: Sendable {
    let server: DatabaseServer
    let name: String

    init(_ schema: String = "") async throws {
        server = try await DatabaseServer.shared.value
        name = try await server.newDatabase()
        if !schema.isEmpty { try await use { try $0.executeScript(schema) } }
    }

    var settings: PostgresSettings { get throws { try server.settings(name) } }

    /// Runs blocking code with a connection of its own, on a thread of its own.
    ///
    /// - Parameter settings: Nil for a direct connection.
    func use<Value: Sendable>(
        _ settings: PostgresSettings? = nil,
        limits: PostgresConnection.Limits = .init(),
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let settings = try settings ?? self.settings
        return try await blocking {
            let connection = try PostgresConnection(settings, limits: limits)
            defer { connection.close() }
            return try body(connection)
        }
    }
}

extension PostgresConnection.Limits {
    /// Limits with which a busy machine, too, has the time to cancel a statement: the connection stays usable.
    static var patient: Self {
        var limits = Self()
        limits.cancellation = 60
        return limits
    }
}

/// Pauses that don't pass time, and are recorded.
final class Pauses: Sendable {
    let seconds = Locked<[Double]>([])

    var backOff: PostgresBackOff {
        let random = Locked(Seeded(1))
        return PostgresBackOff(
            first: 0.1,
            longest: 1,
            random: RandomSource { random.withLock { $0.next() } },
            sleep: { second in
                self.seconds.withLock { $0.append(second) }
                // Real, but short: the thread waits for a server that starts.
                Thread.sleep(forTimeInterval: 0.01)
            }
        )
    }
}

/// Returns the error of the module that a body throws.
func failure(_ body: () throws -> Void) -> PostgresError? {
    do {
        try body()
        return nil
    } catch {
        return error as? PostgresError
    }
}
