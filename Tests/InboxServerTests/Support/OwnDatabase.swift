#if PostgreSQL
    import Foundation
    import RunningPostgres
    import Testing

    @testable import InboxServer

    /// Runs a test with a server and with a PostgreSQL that has this server's database alone, so that the test can stop
    /// it. The test stops the server, too.
    func withOwnDatabase(_ body: (TestServer, DatabaseServer) async throws -> Void) async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { database in
            let address = try #require(URL(string: database.address()))
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let server = try await TestServer.start(file: file, clock: ManualClock()) { configuration in
                    configuration.database = address
                    configuration.pooler = nil
                }
                try await body(server, database)
            }
        }
    }
#endif
