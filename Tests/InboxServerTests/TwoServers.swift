#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Two servers with one database.
    enum TwoServers {
        /// Runs a test with two servers on a new database, and stops them afterwards.
        static func run(
            clock: any WallClock = ManualClock(),
            _ body: (TestServer, TestServer) async throws -> Void
        ) async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let one = try await TestServer.start(file: file, clock: clock)
                let other = try await TestServer.start(file: file, clock: clock)
                let result: Result<Void, any Error>
                do {
                    result = .success(try await body(one, other))
                } catch {
                    result = .failure(error)
                }
                try await one.stop()
                try await other.stop()
                try result.get()
            }
        }
    }

    extension Device {
        /// Returns the person's device, at another server.
        func moved(to server: TestServer) -> Device {
            Device(server: server, token: token, account: account)
        }

        /// Opens an event stream, and returns it once it sends changes. A client that connects is assumed to have what
        /// was there before.
        func openStream() async throws -> EventStream {
            let others = server.watchers.count
            let (stream, status) = await EventStream.open(self, "types=*&closeafter=no&ping=0")
            #expect(status == 200)
            #expect(try await eventually { server.watchers.count > others })
            return stream
        }
    }

    extension TestServer {
        func databaseSettings() async throws -> PostgresSettings {
            try PostgresSettings(try await TestDatabase.address(for: file).absoluteString)
        }

        /// Runs statements on the server's database, in a connection of their own.
        func execute(_ sql: String) async throws {
            let settings = try await databaseSettings()
            try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                try connection.executeScript(sql)
            }
        }
    }
#endif
