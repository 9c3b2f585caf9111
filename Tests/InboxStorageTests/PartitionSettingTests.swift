import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// The number of partitions that a process is set to.
@Suite(.timeLimit(.minutes(5))) struct PartitionSettingTests {
    @Test func `a database has 64 partitions unless something else is set`() throws {
        #expect(try PartitionSetting.value(of: nil) == 64)
        #expect(try PartitionSetting.value(of: "") == 64)
        #expect(try PartitionSetting.value(of: "1") == 1)
        #expect(try PartitionSetting.value(of: "64") == 64)
    }

    @Test(arguments: ["0", "65", "-4", "four", "4 ", "99999999999999999999"])
    func `a number that can't be used is refused with the name of its variable`(text: String) {
        let error = failure(ServerSetupError.self) { _ = try PartitionSetting.value(of: text) }
        #expect(error?.description == "INBOX_PARTITIONS isn't a number from 1 to 64. Correct it, or unset it.")
    }

    /// A table of people as of a database with two partitions.
    private static let divided = """
        CREATE TABLE person (id bigint) PARTITION BY HASH (id);
        CREATE TABLE person_00 PARTITION OF person FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE person_01 PARTITION OF person FOR VALUES WITH (MODULUS 2, REMAINDER 1);
        """
    private static let refusal = """
        The tables of the database have 2 partitions, but this server is set to \(PostgresSchema.partitions). They \
        never change: set INBOX_PARTITIONS to 2, and start again.
        """

    @Test func `a database with another number of partitions is refused, unchanged`() async throws {
        let database = try await StorageDatabase()
        let (errors, tables) = try await database.use { connection in
            try connection.executeScript(Self.divided)
            // Also where another server has made the tables after the first look.
            let errors = [
                failure(ServerSetupError.self) { _ = try PostgresSchema.prepare(connection) },
                failure(ServerSetupError.self) { try PostgresMigrator().migrate(connection) },
            ]
            let tables: Int = try connection.execute(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
            )[0][0]
            return (errors, tables)
        }
        for error in errors { #expect(error?.description == Self.refusal) }
        #expect(tables == 3)
    }

    @Test func `a checkup of a database with another number of partitions names it`() async throws {
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name)))
        let error = try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript("DROP TABLE person CASCADE; \(Self.divided)")
            return failure(MaintenanceError.self) {
                _ = try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100)
            }
        }
        #expect(error?.description == Self.refusal)
    }

    @Test func `a partition that something else has removed doesn't change the number`() async throws {
        let database = try await StorageDatabase()
        let error = try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript("ALTER TABLE person DETACH PARTITION person_01")
            return failure(ServerSetupError.self) { try PartitionSetting.require(in: connection) }
        }
        #expect(error?.description == nil)
    }
}
