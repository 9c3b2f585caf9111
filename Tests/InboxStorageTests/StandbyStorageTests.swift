import Eventually
import Foundation
import Groundwork
import Logging
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// A primary that fails, and its standby.
@Suite(.timeLimit(.minutes(5))) struct StandbyStorageTests {
    private func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    /// A standby is read where the address asks for it. Otherwise it isn't used at all.
    @Test(arguments: ["", "target_session_attrs=any"])
    func `servers continue with a promoted standby, and store nothing before`(options: String) async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { server in
            let first = try await Storage.open(try #require(URL(string: server.address())))
            try await first.close()
            let standby = try await server.startStandby()
            let alone = try #require(URL(string: server.address(port: standby) + "?target_session_attrs=any"))
            let refused = await failure(ServerSetupError.self) { _ = try await Storage.open(alone) }
            #expect(refused?.description.contains("leads to a standby") == true, "\(refused as Any)")
            let findings = try await blocking { try PostgresCheckup.run(alone.absoluteString, now: Date()) }
            #expect(findings[0].verdict == .notice && findings[0].value.contains("a standby"), "\(findings[0])")
            let address = server.address(ports: [server.port, standby], options: options)
            let storage = try await Storage.open(try #require(URL(string: address)))
            try await storage.join()
            let writer = try await writer(storage)
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
            #expect(try await eventually { storage.isReachable })
            let replica = try PostgresSettings(server.address(port: standby) + "?target_session_attrs=any")
            let hasArrived = try await eventually {
                try await blocking { try PostgresConnection(replica).execute("SELECT count(*) FROM person")[0][0] } == 1
            }
            #expect(hasArrived)
            try await server.kill()
            let isRefused = try await eventually {
                let error = await failure((any Error).self) {
                    _ = try await writer.write { try $0.person(named: "bob", advancing: true) }
                }
                // Where the connection was lost with the primary, it is unknown what it did.
                return if case .busy? = error.flatMap({ StorageFailure($0) }) { true } else { false }
            }
            #expect(isRefused)
            if !options.isEmpty {
                #expect(try await eventually { (try? await storage.read { try $0.broadcastState() }) != nil })
            }
            let start = ContinuousClock.now
            #expect(try await eventually { !storage.isReachable })
            // Each one is refused, and none as a fault of the server.
            while ContinuousClock.now - start < .seconds(2) {
                let error = await failure((any Error).self) {
                    _ = try await writer.write { try $0.person(named: "bob", advancing: true) }
                }
                guard case .busy? = error.flatMap({ StorageFailure($0) }) else {
                    Issue.record("\(String(describing: error)) isn't retryable")
                    break
                }
                #expect(!storage.isReachable || ContinuousClock.now - start < .seconds(10))
                try await Task.sleep(for: .milliseconds(100))
            }
            try await server.promote(standby)
            let isBack = try await eventually {
                (try? await writer.write { try $0.person(named: "ann", advancing: true).sequence }) == 2
            }
            #expect(isBack)
            #expect(try await eventually { storage.isReachable })
            let names: [String] = try await storage.read { try $0.db.values("SELECT name FROM person") }
            #expect(names == ["ann"])
            try await storage.close()
        }
    }

    @Test func `a replication slot whose log is lost delays no receipt of an erasure`() async throws {
        // Its log is lost with the second file behind it. An autovacuum could be older than the erasure.
        let options = ["max_locks_per_transaction=256", "autovacuum=off", "max_slot_wal_keep_size=1MB"]
        try await DatabaseServer.run(options: options) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: Logger(label: "test")))
            let primary = try PostgresConnection(try server.settings())
            defer { primary.close() }
            try primary.execute("SELECT FROM pg_create_physical_replication_slot('standby')")
            let standby = try await server.startStandby()
            let settings = try PostgresSettings(server.address(port: standby) + "?target_session_attrs=any")
            let replica = try PostgresConnection(settings)
            defer { replica.close() }
            try replica.executeScript("ALTER SYSTEM SET hot_standby_feedback = on")
            try replica.executeScript("ALTER SYSTEM SET primary_slot_name = 'standby'")
            try replica.execute("SELECT pg_reload_conf()")
            let hasTransaction = try await eventually {
                try !primary.execute("SELECT FROM pg_replication_slots WHERE xmin IS NOT NULL").isEmpty
            }
            #expect(hasTransaction)
            try replica.executeScript("ALTER SYSTEM SET primary_conninfo = ''")
            try replica.execute("SELECT pg_reload_conf()")
            let isAlone = try await eventually {
                try !primary.execute("SELECT FROM pg_replication_slots WHERE NOT active").isEmpty
            }
            #expect(isAlone)
            try primary.execute(StorageDatabase.erasure)
            #expect(try await rows.removeDue() == 0)
            #expect(try ErasedRows.holder(primary) == "replication slot 'standby'")
            let isLost = try await eventually {
                try primary.execute("SELECT FROM pg_switch_wal()")
                try primary.executeScript("CHECKPOINT")
                return try !primary.execute("SELECT FROM pg_replication_slots WHERE wal_status = 'lost'").isEmpty
            }
            #expect(isLost)
            let isRemoved = try await eventually { try await rows.removeDue() == 1 }
            #expect(isRemoved)
            #expect(try ErasedRows.holder(primary) == nil)
            try await storage.close()
        }
    }

    @Test func `a server whose confirmed commits are lost by a failover stores nothing more`() async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { server in
            try await Storage.open(try #require(URL(string: server.address()))).close()
            let standby = try await server.startStandby()
            let hosts = try #require(URL(string: server.address(ports: [server.port, standby])))
            let storage = try await Storage.open(hosts)
            try await storage.join()
            let writer = try await writer(storage)
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
            let replica = try PostgresSettings(server.address(port: standby) + "?target_session_attrs=any")
            let hasArrived = try await eventually {
                try await blocking { try PostgresConnection(replica).execute("SELECT count(*) FROM person")[0][0] } == 1
            }
            #expect(hasArrived)
            // The standby receives nothing more, and the primary doesn't wait for it.
            try await blocking {
                let connection = try PostgresConnection(replica)
                defer { connection.close() }
                try connection.executeScript("ALTER SYSTEM SET primary_conninfo = ''")
                try connection.execute("SELECT pg_reload_conf()")
                while try !connection.execute("SELECT FROM pg_stat_wal_receiver").isEmpty {
                    Thread.sleep(forTimeInterval: 0.01)
                }
            }
            _ = try await writer.write { try $0.person(named: "bob", advancing: true) }
            #expect(!storage.hasLostCommits)
            try await server.kill()
            try await server.promote(standby)
            // It finds that by its own row, without a request.
            #expect(try await eventually { storage.hasLostCommits })
            let error = await failure((any Error).self) {
                _ = try await writer.write { try $0.person(named: "cid", advancing: true) }
            }
            let isBusy = if case .busy? = error.flatMap({ StorageFailure($0) }) { true } else { false }
            #expect(isBusy, "\(String(describing: error))")
            let isRead = try await eventually {
                let names: [String]? = try? await storage.read { try $0.db.values("SELECT name FROM person") }
                return names == ["ann"]
            }
            #expect(isRead)
            // The mark for other servers is stored a moment after it knows.
            let promoted = try server.settings(port: standby)
            let isMarked = try await eventually {
                try await blocking {
                    let connection = try PostgresConnection(promoted)
                    defer { connection.close() }
                    return try LostCommits.isMarked(connection)
                }
            }
            #expect(isMarked)
            try await storage.close()

            // Nor does another one, until the database has a new generation of states.
            let later = try await Storage.open(hosts)
            let refusal = await failure(ServerSetupError.self) { try await later.join() }
            #expect(refusal?.description.contains("inbox restore --database") == true, "\(refusal as Any)")
            try await later.close()
            try await onNewThread { try RestoredDatabase.beginGeneration(of: hosts) }
            let restored = try await Storage.open(hosts)
            try await restored.join()
            #expect(!restored.hasLostCommits)
            try await restored.close()
        }
    }

    @Test func `a commit waits for a synchronous standby, and the server isn't ready meanwhile`() async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { server in
            let settings = try server.settings()
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            try await storage.join()
            let writer = try await writer(storage)
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
            try await haveCommitsWait(settings)
            let write = Task { try await writer.write { try $0.person(named: "ann", advancing: true).sequence } }
            #expect(try await eventually { !storage.isReachable })
            let sequence: Int? = try await storage.read { try $0.db.value("SELECT sequence FROM person") }
            #expect(sequence == 1)
            try await endWaits(settings)
            #expect(try await write.value == 2)
            #expect(try await eventually { storage.isReachable })
            try await storage.close()
        }
    }

    @Test func `counts of the audit log whose commit has an unknown outcome aren't added twice`() async throws {
        try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { server in
            let settings = try server.settings()
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            try await storage.join()
            let writer = try await writer(storage)
            let counts = AuditCounts(writer: writer, clock: SystemClock(), logger: Logger(label: "test"))
            // Opens the writer's connection.
            counts.record(.signedOut)
            try await counts.store()
            try await haveCommitsWait(settings)
            counts.record(.signedOut)
            let store = Task { try await counts.store() }
            let cancel = """
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE wait_event = 'SyncRep' AND datname = current_database()
                """
            let isCancelled = try await eventually {
                try await blocking { try PostgresConnection(settings).execute(cancel)[0][0] as Int } > 0
            }
            #expect(isCancelled)
            let error = await failure((any Error).self) { try await store.value }
            let isUnknown = if case .unknown? = error.flatMap({ StorageFailure($0) }) { true } else { false }
            #expect(isUnknown, "\(String(describing: error))")
            try await endWaits(settings)
            counts.record(.signedOut)
            try await counts.store()
            let stored: [Int] = try await storage.read { reading in
                try reading.db.values("SELECT count FROM audit WHERE count IS NOT NULL")
            }
            #expect(stored.reduce(0, +) == 3)
            try await storage.close()
        }
    }

    /// Makes commits wait for a standby, and there is none.
    private func haveCommitsWait(_ settings: PostgresSettings) async throws {
        try await blocking {
            let connection = try PostgresConnection(settings)
            try connection.executeScript("ALTER SYSTEM SET synchronous_standby_names = 'none'")
            try connection.execute("SELECT pg_reload_conf()")
            let setting = PostgresStatement("SHOW synchronous_standby_names")
            while try connection.pipeline([setting])[0][0][0] != "none" { Thread.sleep(forTimeInterval: 0.01) }
            // Commits wait once the checkpointer has read the setting, which it does before a checkpoint.
            try connection.execute("CHECKPOINT")
        }
    }

    private func endWaits(_ settings: PostgresSettings) async throws {
        try await blocking {
            let connection = try PostgresConnection(settings)
            try connection.executeScript("ALTER SYSTEM RESET synchronous_standby_names")
            try connection.execute("SELECT pg_reload_conf()")
        }
    }
}
