#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import JMAP
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A server beside the next version's, whose migrations are made up.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct UpgradeTests {
        /// A change of each kind that servers of the version before go on with, in the tables that a send writes and a
        /// sync reads.
        private static let next = PostgresMigration(
            name: "next",
            sql: """
                ALTER TABLE message ADD COLUMN nextText text COLLATE "C";
                ALTER TABLE delivery ADD COLUMN nextNumber bigint NOT NULL DEFAULT 7;
                ALTER TABLE person ADD COLUMN nextFlag boolean NOT NULL DEFAULT false;
                CREATE INDEX message_next ON message (nextText) WHERE nextText IS NOT NULL;
                CREATE TABLE nextTable (id bigint PRIMARY KEY);
                INSERT INTO nextTable SELECT generate_series(1, 10);

                """,
            compatibility: .additive
        )

        @Test func `a server keeps running while the next version migrates its database, once`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let settings = try database.settings(name)
            let address = try #require(URL(string: database.address(name)))
            func start(_ folder: URL) async throws -> TestServer {
                try await TestServer.start(file: folder.appending(path: "unused"), clock: SystemClock()) {
                    $0.database = address
                    $0.pooler = nil
                }
            }
            func numbers(_ sql: String) async throws -> [Int] {
                try await onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    return try connection.execute(sql).map { try $0[0] }
                }
            }
            try await withFolder { folder in
                let old = try await start(folder)
                let phone = try await old.device(of: "ann")
                let (stream, status) = await EventStream.open(phone, "types=*&closeafter=no&ping=0")
                #expect(status == 200)
                defer { stream.close() }
                let first = try await old.send(to: ["person": "ann"])
                let (isOver, sent) = (Locked(false), Locked([first]))
                let roles = try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<3 {
                        group.addTask {
                            while !isOver.withLock({ $0 }) {
                                let id = try await old.send(to: ["person": "ann"], ["title": .string("\(sender)")])
                                sent.withLock { $0.append(id) }
                            }
                        }
                    }
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            let state = try await phone.state()
                            try await phone.update(first, ["readAt": "2026-05-01T08:00:00Z"])
                            let id = try #require(try await phone.ids().first)
                            #expect(try await phone.message(id)?["title"] != nil)
                            #expect(try await phone.changes(since: state).destroyed.isEmpty)
                        }
                    }
                    _ = try await eventually { sent.withLock { $0.count } > 20 }
                    // Two servers of the next version start at the same time.
                    let migrator = PostgresMigrator(PostgresSchema.migrations + [Self.next])
                    async let one = onNewThread { try Self.prepare(settings, migrator) }
                    async let other = onNewThread { try Self.prepare(settings, migrator) }
                    let roles = try await [one, other]
                    let before = sent.withLock { $0.count }
                    _ = try await eventually { sent.withLock { $0.count } > before + 20 }
                    isOver.withLock { $0 = true }
                    try await group.waitForAll()
                    return roles
                }
                #expect(Set(roles.map(\.name)).count == 1)
                #expect(try await numbers("SELECT count(*) FROM migration WHERE name = 'next'") == [1])
                #expect(try await numbers("SELECT count(*) FROM nextTable") == [10])

                // What was written meanwhile, and its streams.
                let ids = sent.withLock { $0 }
                #expect(try await numbers("SELECT count(*) FROM delivery WHERE nextNumber = 7") == [ids.count])
                try await old.send(to: ["everyone": true])
                let state = try await phone.state()
                var heard = ""
                while heard != state { heard = try #require(await stream.next()).id ?? "" }

                // Another server of the earlier version starts beside it.
                let second = try await start(folder)
                try await second.send(to: ["person": "ann"])
                let there = Device(server: second, token: phone.token, account: phone.account)
                #expect(try await there.state() == phone.state())
                #expect(try await old.rest("DELETE", "/v1/people/ann").status == 200)
                #expect(try await numbers("SELECT count(*) FROM delivery") == [0])
                try await second.stop()
                try await old.stop()
            }
        }

        private static func prepare(_ settings: PostgresSettings, _ migrator: PostgresMigrator) throws -> PersonRole {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return try PostgresSchema.prepare(connection, migrator: migrator)
        }
    }
#endif
