import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

/// A standby beside the primary.
@Suite(.timeLimit(.minutes(5))) struct StandbyTests {
    @Test func `a standby is left for the primary, and refused by a write where it is asked for`() async throws {
        try await DatabaseServer.run { server in
            let own = try server.settings()
            try await blocking {
                try PostgresConnection(own).executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
            }
            let standby = try await server.startStandby()
            let refused = try server.settings(port: standby)
            #expect(try await blocking { failure { _ = try PostgresConnection(refused) } }?.kind == .unavailable)
            let both = try PostgresSettings(server.address(ports: [standby, server.port]))
            #expect(
                try await blocking { try PostgresConnection(both).execute("SELECT pg_is_in_recovery()")[0][0] } == false
            )
            let asked = try PostgresSettings(
                server.address(ports: [standby, server.port], options: "target_session_attrs=any")
            )
            for mode in [PostgresTransactionMode.readWrite, .serializable] {
                try await blocking {
                    let connection = try PostgresConnection(asked)
                    #expect(try connection.execute("SELECT pg_is_in_recovery()")[0][0] == true)
                    try connection.transaction(.snapshot) { _ = try $0.execute("SELECT count(*) FROM t") }
                    let error = failure {
                        try connection.transaction(mode) { _ = try $0.execute("INSERT INTO t VALUES (1)") }
                    }
                    #expect(error?.kind == .unavailable, "\(error.map { "\($0)" } ?? "")")
                    #expect(error?.mayHaveCommitted == false)
                    // Another one is opened, perhaps elsewhere.
                    #expect(!connection.isUsable)
                }
            }
            // What isn't supported on a primary is no reason to leave it.
            try await blocking {
                let connection = try PostgresConnection(own)
                let error = failure { _ = try connection.execute("CREATE TABLE u (LIKE pg_class) PARTITION BY x (y)") }
                #expect(error != nil && error?.kind != .unavailable && connection.isUsable)
                let unsupported = failure {
                    try connection.transaction { connection in
                        let raise = "RAISE EXCEPTION 'raised' USING ERRCODE = '0A000'"
                        _ = try connection.execute("DO $$ BEGIN \(raise); END $$")
                    }
                }
                #expect(unsupported?.kind == .other && connection.isUsable)
            }
        }
    }

    @Test func `a pool continues with a promoted standby`() async throws {
        try await DatabaseServer.run { server in
            let own = try server.settings()
            try await blocking {
                try PostgresConnection(own).executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
            }
            let standby = try await server.startStandby()
            let pool = try PostgresPool(PostgresSettings(server.address(ports: [server.port, standby])))
            #expect(try await eventuallyAnswers(pool))
            try await server.kill()
            // A standby isn't enough.
            let isRefused = try await eventually {
                _ = try? await pool.run { _ = try $0.execute("SELECT 1") }
                return pool.outage != nil
            }
            #expect(isRefused)
            try await Task.sleep(for: .milliseconds(500))
            #expect(pool.outage != nil)
            try await server.promote(standby)
            #expect(
                try await eventually {
                    (try? await pool.run { connection in
                        try connection.transaction { _ = try $0.execute("INSERT INTO t VALUES (1)") }
                    }) != nil
                }
            )
            await pool.close()
        }
    }
}
