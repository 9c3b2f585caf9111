#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Servers whose database has lost confirmed commits, or was moved, restored or emptied under them.
    @Suite(.timeLimit(.minutes(10)), .onlyPostgreSQL) struct LostCommitsTests {
        @Test func `a database that has lost what it confirmed is written to no more`() async throws {
            try await TwoServers.run { one, _ in
                let phone = try await one.device(of: "ann")
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                #expect(try await one.request("GET", "/health/ready").status == 200)
                // As after a failover to a standby that hadn't received the last commit.
                try await one.execute("UPDATE node SET groups = groups - 1 WHERE id = 0")
                let isUnready = try await eventually {
                    let answer = try await one.request("GET", "/health/ready")
                    return answer.status == 503 && answer.json["detail"]?.stringValue?.contains("restore") == true
                }
                #expect(isUnready)
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                let refusal = try await one.rest("POST", "/v1/messages", message)
                #expect(refusal.status == 503 && refusal.header("Retry-After") != nil)
                #expect(try await phone.ids().count == 3)
            }
        }

        /// What is lost may have been confirmed to one server alone, and only that one finds it.
        @Test func `lost commits are known to all servers, later ones too, until a restore`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let one = try await TestServer.start(file: file, clock: ManualClock())
                let other = try await TestServer.start(file: file, clock: ManualClock())
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                #expect(try await other.request("GET", "/health/ready").status == 200)
                try await one.execute("UPDATE node SET groups = groups - 1 WHERE id = 0")
                let isUnready = try await eventually {
                    let answer = try await other.request("GET", "/health/ready")
                    return answer.status == 503 && answer.json["detail"]?.stringValue?.contains("restore") == true
                }
                #expect(isUnready)
                #expect(try await other.rest("POST", "/v1/messages", message).status == 503)
                try await one.stop()
                try await other.stop()

                let later = await #expect(throws: ServerSetupError.self) {
                    try await TestServer.start(file: file, clock: ManualClock()).stop()
                }
                #expect(later?.description.contains("run inbox restore --database") == true)
                let address = try await TestDatabase.address(for: file)
                let finding = try await onNewThread {
                    try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
                        .first { $0.name == "Commits" }
                }
                #expect(finding?.verdict == .trouble && finding?.advice?.contains("inbox restore") == true)
                try await onNewThread { try RestoredDatabase.beginGeneration(of: address) }
                let restored = try await TestServer.start(file: file, clock: ManualClock())
                #expect(try await restored.request("GET", "/health/ready").status == 200)
                try await restored.send(to: ["person": "ann"])
                try await restored.stop()
            }
        }

        @Test func `a write that is on its way when commits are lost isn't stored`() async throws {
            try await TwoServers.run { one, _ in
                let phone = try await one.device(of: "ann")
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                let settings = try await one.databaseSettings()
                let failover = try await RunningPostgres.blocking {
                    let connection = try PostgresConnection(settings)
                    try connection.execute("BEGIN")
                    try connection.execute("UPDATE node SET groups = groups - 1 WHERE id = 0")
                    return Held(connection)
                }
                async let refused = one.rest(
                    "POST",
                    "/v1/messages",
                    ["to": ["person": "ann"], "message": ["title": "Lost"]]
                )
                let isWaiting = try await eventually {
                    try await onNewThread {
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        return try !connection.execute(
                            """
                            SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                                AND query LIKE '%noteGroup%'
                            """
                        ).isEmpty
                    }
                }
                #expect(isWaiting)
                let isOver = await failover.use { connection in
                    defer { connection.close() }
                    return (try? connection.execute("COMMIT")) != nil
                }
                #expect(isOver)
                #expect(try await refused.status == 503)
                #expect(try await eventually { try await one.request("GET", "/health/ready").status == 503 })
                #expect(try await phone.ids().count == 3)
            }
        }

        @Test func `a server that loses its number with its commits writes nothing more`() async throws {
            try await TwoServers.run { one, _ in
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                // As after a failover to a standby that knew the number's former server, and fewer of its groups.
                try await one.execute("UPDATE node SET session = 7, groups = groups - 1 WHERE id = 0")
                let isUnready = try await eventually {
                    try await one.request("GET", "/health/ready").json["detail"]?.stringValue?.contains("restore")
                        == true
                }
                #expect(isUnready)
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                #expect(try await one.rest("POST", "/v1/messages", message).status == 503)
            }
        }

        @Test func `a server that comes back after a move or a restore writes nothing`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                try await one.send(to: ["person": "ann"])
                // As inbox move and inbox restore do where they see no server.
                try await one.execute("UPDATE node SET session = NULL, fence = 5")
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                for server in [one, other] {
                    let refusal = try await server.rest("POST", "/v1/messages", message)
                    #expect(refusal.status == 503 && refusal.header("Retry-After") != nil)
                }
                #expect(try await phone.ids().count == 1)
                let storage = try await one.storage()
                let sessions: [Int] = try await storage.readTables { db in
                    try db.values("SELECT id::bigint FROM node WHERE session IS NOT NULL")
                }
                #expect(sessions == [])
            }
        }

        /// Its confirmed commits are more than those of the backup, which has lost none.
        @Test func `a server from before a restore doesn't mark the database as one with losses`() async throws {
            try await TwoServers.run { one, other in
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                try await one.execute("UPDATE node SET session = NULL, fence = 5, groups = 0")
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                for server in [one, other] {
                    #expect(try await server.rest("POST", "/v1/messages", message).status == 503)
                }
                // Several reads of the rows later.
                try await Task.sleep(for: .seconds(1))
                let storage = try await one.storage()
                let marks: [String] = try await storage.readTables { db in
                    try db.values("SELECT name FROM setting WHERE name = '\(LostCommits.setting)'")
                }
                #expect(marks == [])
            }
        }

        @Test func `servers whose rows were deleted write nothing, and one that starts does`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                for _ in 0..<3 { try await one.send(to: ["person": "ann"]) }
                try await one.execute("DELETE FROM node")
                let third = try await TestServer.start(file: one.file, clock: ManualClock())
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "Lost"]]
                for server in [one, other] {
                    #expect(try await server.rest("POST", "/v1/messages", message).status == 503)
                }
                try await third.send(to: ["person": "ann"])
                // Also once the others have read the rows and sent heartbeats.
                try await Task.sleep(for: .seconds(3))
                for server in [one, other] {
                    #expect(try await server.rest("POST", "/v1/messages", message).status == 503)
                }
                try await third.send(to: ["person": "ann"])
                #expect(try await phone.moved(to: third).ids().count == 5)
                let storage = try await one.storage()
                let numbers: [Int] = try await storage.readTables { db in
                    try db.values("SELECT id::bigint FROM node WHERE session IS NOT NULL")
                }
                let marks: [String] = try await storage.readTables { db in
                    try db.values("SELECT name FROM setting WHERE name = '\(LostCommits.setting)'")
                }
                #expect(numbers == [0] && marks == [])
                try await third.stop()
            }
        }
    }
#endif
