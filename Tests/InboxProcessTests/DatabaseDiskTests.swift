#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    /// A full disk of PostgreSQL, with servers as processes: nothing that was acknowledged is lost, nothing is doubled,
    /// and the servers go on by themselves when there is room.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct DatabaseDiskTests {
        private func withDisk(megabytes: Int, _ body: (SmallDisk) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
            try await SmallDisk.with(at: folder, megabytes: megabytes, owner: "postgres", body)
        }

        private static func run(_ sql: String, on database: DatabaseServer) async throws {
            let settings = try database.settings("postgres")
            try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                try connection.executeScript(sql)
            }
        }

        @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
        func `a full disk of the tables refuses sends, and no server has to be started again`() async throws {
            try await withDisk(megabytes: 256) { disk in
                try await Nodes.with { database in
                    try await Self.run("CREATE TABLESPACE small LOCATION '\(disk.folder.path)'", on: database)
                    try await Self.run("ALTER DATABASE inbox SET TABLESPACE small", on: database)
                } _: { nodes in
                    try await nodes.round(1) {
                        try disk.fill()
                        try await nodes.worlds[0].until("sends are refused") {
                            nodes.refusals.withLock { $0[507, default: 0] } >= 10
                        }
                        for world in nodes.worlds {
                            try await world.until("it is ready") {
                                try await world.request("GET", "/health/ready").status == 200
                            }
                            #expect(try await world.request("GET", "/v1/people/ann").status == 200, "reads go on")
                        }
                        try disk.free()
                    }
                    try await nodes.end(rounds: 1)
                }
            }
        }

        @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
        func `a full disk of the log stops PostgreSQL, and nothing acknowledged is lost`() async throws {
            try await withDisk(megabytes: 320) { disk in
                try await Nodes.with { database in
                    try await database.shutDown()
                    let log = database.folder.appending(path: "data/pg_wal").path
                    try SmallDisk.run("cp", "-a", log, disk.folder.appending(path: "log").path)
                    try SmallDisk.run("rm", "-r", log)
                    try SmallDisk.run("ln", "-s", disk.folder.appending(path: "log").path, log)
                    try await database.restart()
                } _: { nodes in
                    try await nodes.round(1) {
                        try disk.fill()
                        // Each begins another file of the log, until there is no room for one.
                        try await nodes.worlds[0].until("PostgreSQL stops") {
                            (try? await Self.run("SELECT pg_switch_wal()", on: nodes.database)) == nil
                        }
                        try await nodes.worlds[0].until("sends are refused") {
                            nodes.refusals.withLock { $0[503, default: 0] } >= 10
                        }
                        for world in nodes.worlds {
                            try await world.until("it isn't ready") {
                                try await world.request("GET", "/health/ready").status == 503
                            }
                            #expect(try await world.request("GET", "/health/live").status == 200)
                        }
                        try disk.free()
                        // It may have ended while it recovered: that needs the log, too.
                        try await nodes.database.kill()
                        try await nodes.database.restart()
                        for world in nodes.worlds {
                            try await world.until("the server goes on by itself") {
                                try await world.request("GET", "/health/ready").status == 200
                            }
                        }
                    }
                    try await nodes.end(rounds: 1)
                }
            }
        }
    }
#endif
