#if PostgreSQL
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// `inbox move`, with files that real servers have written.
    @Suite(.timeLimit(.minutes(15)), .onlySQLite) struct MoveTests {
        /// A run was ended by the test.
        private struct Ended: Error {}

        /// A new database of PostgreSQL.
        private struct PostgresTarget {
            let server: DatabaseServer
            let name: String

            init() async throws {
                server = try await DatabaseServer.shared.value
                name = try await server.newDatabase()
            }

            var url: URL { URL(string: server.address(name)) ?? URL(filePath: "/") }

            func run(_ sql: String) async throws {
                let settings = try server.settings(name)
                try await blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    try connection.executeScript(sql)
                }
            }

            func number(_ sql: String) async throws -> Int {
                let settings = try server.settings(name)
                return try await blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    return try connection.execute(sql)[0][0]
                }
            }
        }

        @discardableResult
        private func move(
            _ source: URL,
            _ target: URL,
            rows: Int = 20_000,
            size: Int = 8 * 1_048_576,
            reached: @escaping @Sendable (MoveRun.Step) throws -> Void = { _ in }
        ) async throws -> MoveReport {
            try await blocking {
                try DatabaseMove.run(
                    from: source,
                    to: target,
                    part: MoveRun.Part(rows: rows, size: size),
                    reached: reached
                )
            }
        }

        /// Writes a file with rows in every table, and values that are easily changed on the way.
        private func file(in folder: URL, _ name: String = "inbox.sqlite") async throws -> URL {
            let file = folder.appending(path: name)
            try FileManager.default.copyItem(
                at: ServerFixture.file(try #require(ServerFixture.versions.last)),
                to: file
            )
            try await edit(file) { db in
                // A large message, empty and unusual texts, an empty blob, and the ends of ranges.
                try db.execute(
                    sql: """
                        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state, category)
                        VALUES (9223372036854775807, ?, '', -1, 0, 1, 2, ''), (-5, '', 'é\u{301}', 0, 0, 1, 0, '\u{10FFFF}');
                        INSERT INTO blob (rowid, person, hash, size, at, content)
                        VALUES (77, 2, x'00', 0, 5, x''), (40, 2, x'ff00', 3, 5, x'00ff00');
                        INSERT INTO attributes (person, value) VALUES (2, '');
                        INSERT INTO setting (name, value) VALUES ('empty', x''), ('Ünï', x'00');
                        UPDATE sqlite_sequence SET seq = 500 WHERE name = 'outbox';
                        UPDATE counter SET value = 90 WHERE name = 'erasedPerson';
                        UPDATE counter SET value = value + (7 << 32) WHERE name = 'broadcast';
                        INSERT INTO audit (uid, at, kind, reason, count)
                        VALUES (-9223372036854775808, 3600000, 'key.refused', 'é', 12);
                        """,
                    arguments: [#"{"title":"\u0000"# + String(repeating: "漢", count: 300_000) + #""}"#]
                )
            }
            return file
        }

        private func edit(_ file: URL, _ body: @Sendable @escaping (Database) throws -> Void) async throws {
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write(body)
            try queue.close()
        }

        /// All rows of a file with their numbers, the greatest numbers that were given, and the schema.
        private func picture(_ file: URL) async throws -> [String: [String]] {
            let queue = try DatabaseQueue(path: file.path)
            defer { try? queue.close() }
            return try await queue.read { db in
                var picture: [String: [String]] = [:]
                for table in try ServerFixture.tables(db) + ["sqlite_sequence", "grdb_migrations"] {
                    let columns = try ServerFixture.columns(table, db)
                    let values = columns.map { "typeof(\"\($0)\") || ' ' || quote(CAST(\"\($0)\" AS BLOB))" }
                    let number = table == "blob" ? ["rowid"] : []
                    let list = (number + values).joined(separator: " || ',' || ")
                    picture[table] = try String.fetchAll(db, sql: "SELECT \(list) AS r FROM \"\(table)\" ORDER BY r")
                }
                picture["schema"] = try String.fetchAll(
                    db,
                    sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
                )
                picture["id"] = try String.fetchAll(db, sql: "PRAGMA application_id")
                return picture
            }
        }

        private func expectEqual(_ one: URL, _ other: URL) async throws {
            let (one, other) = (try await picture(one), try await picture(other))
            #expect(Set(one.keys) == Set(other.keys))
            for table in one.keys.sorted() { #expect(one[table] == other[table], "\(table)") }
        }

        /// Ends a run at a step, or at the first one.
        private static func end(at wanted: MoveRun.Step? = nil) -> @Sendable (MoveRun.Step) throws -> Void {
            { step in if step == wanted ?? step { throw Ended() } }
        }

        private func message(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return ""
            } catch {
                return "\(error)"
            }
        }

        // MARK: There and back

        @Test func `a file with rows in every table is equal after moving there and back`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let empty = try await picture(file).filter { $0.value.isEmpty }.keys.sorted()
                #expect(empty == [])
                let before = try Data(contentsOf: file)
                let database = try await PostgresTarget()
                let there = try await move(file, database.url)
                #expect(there.rows > 80)
                #expect(!there.isContinued)
                #expect(!there.target.contains(database.server.password))
                #expect(try Data(contentsOf: file) == before, "the source is unchanged")
                let copy = folder.appending(path: "back.sqlite")
                let back = try await move(database.url, copy)
                #expect(back.rows == there.rows)
                try await expectEqual(file, copy)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                    $0.hasPrefix("back")
                }
                #expect(Set(names) == ["back.sqlite", "back.sqlite.lock"])
                let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                // PostgreSQL's database is as it was, and can be moved again.
                try await move(database.url, folder.appending(path: "again.sqlite"))
            }
        }

        @Test func `a move that ends after each step goes on, and its result is equal`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let copy = folder.appending(path: "back.sqlite")
                let database = try await PostgresTarget()
                for (source, target) in [(file, database.url), (database.url, copy)] {
                    var runs = 0
                    var steps: Set<MoveRun.Step> = []
                    // Each run ends one step later than what it finds: at the commit of a part, and after it.
                    var isWritten = true
                    while true {
                        let (wanted, reached) = (isWritten, Locked<MoveRun.Step?>(nil))
                        do {
                            let report = try await move(source, target, rows: 6) { step in
                                if step == .written, !wanted { return }
                                reached.withLock { $0 = step }
                                throw Ended()
                            }
                            Issue.record("\(report)")
                            break
                        } catch is Ended {
                            let step = try #require(reached.withLock { $0 })
                            steps.insert(step)
                            runs += 1
                            if step == .moved { break }
                            isWritten = step != .written
                        }
                    }
                    #expect(runs > 60)
                    _ = await message { try await move(source, target, reached: Self.end(at: .compared)) }
                    #expect(steps == [.written, .committed, .moved])
                    #expect(await message { _ = try await Storage.open(target) }.contains("inbox move was interrupted"))
                    #expect(try await move(source, target).isContinued)
                    try await Storage.open(target).close()
                }
                try await expectEqual(file, copy)
            }
        }

        @Test func `each row can be a part of its own`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let copy = folder.appending(path: "back.sqlite")
                let database = try await PostgresTarget()
                let count = Locked(0)
                let report = try await move(file, database.url, size: 1) { step in
                    if step == .committed { count.withLock { $0 += 1 } }
                }
                #expect(count.withLock { $0 } >= report.rows)
                try await move(database.url, copy, size: 1)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a move whose connection is lost goes on with the next run`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let settings = try database.server.settings(database.name)
                let parts = Locked(0)
                let isLost = Locked(false)
                let text = await message {
                    try await move(file, database.url, rows: 4) { step in
                        guard step == .written,
                            parts.withLock({ count in
                                count += 1
                                return count == 9
                            })
                        else { return }
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        try connection.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                            """
                        )
                        isLost.withLock { $0 = true }
                    }
                }
                #expect(isLost.withLock { $0 })
                #expect(text.hasPrefix("PostgreSQL: ") && text.contains("it goes on where it was"), "\(text)")
                #expect(try await move(file, database.url).isContinued)
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `the progress reaches all rows while they are moved, and while they are compared`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let seen = Locked<[MoveProgress]>([])
                _ = await message { try await move(file, database.url, rows: 5, reached: Self.end(at: .moved)) }
                let (source, target) = (file, database.url)
                try await blocking {
                    _ = try DatabaseMove.run(from: source, to: target) { progress in
                        seen.withLock { $0.append(progress) }
                    }
                }
                let steps = seen.withLock { $0 }
                for phase in [MoveProgress.Phase.moving, .comparing] {
                    let done = steps.filter { $0.phase == phase }
                    #expect(done.last?.done == done.last?.total)
                    #expect(done.map(\.done) == done.map(\.done).sorted())
                    #expect(done.last?.total ?? 0 > 80)
                }
                #expect(steps.map { $0.phase == .moving ? 0 : 1 } == steps.map { $0.phase == .moving ? 0 : 1 }.sorted())
            }
        }

        /// Row-level security would hide people's rows without an error.
        @Test func `a user who isn't the owner of the tables can't move a part of them`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let user = "reader_\(database.name)"
                try await database.run(
                    """
                    CREATE ROLE \(user) LOGIN PASSWORD 'secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(user);
                    GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO \(user);
                    """
                )
                let address = "postgres://\(user):secret@127.0.0.1:\(database.server.port)/\(database.name)"
                let url = try #require(URL(string: address))
                let text = await message { try await move(url, folder.appending(path: "back.sqlite")) }
                #expect(text.contains("row-level security"), "\(text)")
            }
        }

        // MARK: For devices and backends

        /// What the server answers to devices and backends, but for what asking leaves: the entries of exports.
        private func answers(_ server: TestServer, _ tokens: [String], people: [String]) async throws
            -> [String: String]
        {
            var answers: [String: String] = [:]
            let paths = people.flatMap { ["people/\($0)", "people/\($0)/messages", "people/\($0)/export"] }
            for path in ["messages?limit=100", "keys", "webhooks", "surfaces/inbox", "audit?limit=1000"] + paths {
                let answer = try await server.rest("GET", "/v1/" + path)
                #expect(answer.status == 200, "\(path)")
                var object = try #require(answer.json.objectValue)
                object["auditEntries"] = nil
                object["entries"] = object["entries"].map { entries in
                    .array((entries.arrayValue ?? []).filter { $0["kind"] != "person.exported" })
                }
                answers[path] = JSON.object(object).description
            }
            for token in tokens {
                let device = try await device(token, server)
                answers["account \(token)"] = device.account
                answers["state \(token)"] = try await device.state()
                answers["get \(token)"] = try await device.call("get", ["ids": JSON(device.ids())]).description
            }
            return answers
        }

        private func device(_ token: String, _ server: TestServer) async throws -> Device {
            let session = try await server.request(
                "GET",
                "/.well-known/jmap",
                headers: ["Authorization": "Bearer \(token)"]
            ).json
            let account = try #require(session["primaryAccounts"]?.objectValue?.members.first?.value.stringValue)
            return Device(server: server, token: token, account: account)
        }

        private func running<Value>(_ address: URL, _ body: (TestServer) async throws -> Value) async throws -> Value {
            let server = try await TestServer.start(
                file: URL(filePath: "/nonexistent"),
                clock: ManualClock(),
                configure: { $0.database = address }
            )
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body(server))
            } catch {
                outcome = .failure(error)
            }
            try await server.stop()
            return try outcome.get()
        }

        @Test func `devices and backends notice nothing of a move there and back`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                try FileManager.default.copyItem(
                    at: ServerFixture.file(try #require(ServerFixture.versions.last)),
                    to: file
                )
                let read: JSON = ["readAt": "2026-05-01T08:00:00Z"]
                let once = ["Idempotency-Key": "moved-1"]
                let body: JSON = ["to": ["person": "ann"], "message": ["title": "Once"]]
                let (tokens, states, first, sent) = try await running(file) { server in
                    let tokens = [try await server.token(for: "ann"), try await server.token(for: "bob")]
                    let sent = try await server.rest("POST", "/v1/messages", body, headers: once).json
                    let ann = try await device(tokens[0], server)
                    let outcome = try await ann.update(
                        try #require(sent["id"]?.stringValue),
                        read,
                        batch: ["epoch": "moved", "number": 1]
                    )
                    let states = [try await ann.state(), try await device(tokens[1], server).state()]
                    return (tokens, states, try await answers(server, tokens, people: ["ann", "bob"]), (sent, outcome))
                }
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let id = try #require(sent.0["id"]?.stringValue)
                let second = try await running(database.url) { server in
                    let second = try await answers(server, tokens, people: ["ann", "bob"])
                    for (name, answer) in first { #expect(second[name] == answer, "\(name)") }
                    for (token, state) in zip(tokens, states) {
                        let changes = try await device(token, server).changes(since: state)
                        #expect(changes.isEmpty && changes.state == state)
                    }
                    // Repeated requests are known.
                    #expect(try await server.rest("POST", "/v1/messages", body, headers: once).json == sent.0)
                    let ann = try await device(tokens[0], server)
                    let outcome = try await ann.update(id, read, batch: ["epoch": "moved", "number": 1])
                    #expect(outcome == sent.1)
                    #expect(try await ann.state() == states[0])
                    // The server works with the rows: a device that knows the state receives what is new.
                    let new = try await server.send(to: ["person": "ann"])
                    let all = try await server.send(to: ["everyone": true])
                    #expect(try await Set(ann.changes(since: states[0]).created) == [new, all])
                    try await ann.track("clicked", new, uid: "moved-1")
                    #expect(try await server.rest("DELETE", "/v1/people/bob").status == 200)
                    try await server.send(to: ["person": "dora"])
                    return (try await answers(server, [tokens[0]], people: ["ann", "dora"]), try await ann.state())
                }
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await running(copy) { server in
                    let third = try await answers(server, [tokens[0]], people: ["ann", "dora"])
                    for (name, answer) in second.0 { #expect(third[name] == answer, "\(name)") }
                    let changes = try await device(tokens[0], server).changes(since: second.1)
                    #expect(changes.isEmpty && changes.state == second.1)
                    #expect(try await server.rest("GET", "/v1/people/bob").status == 404)
                    let checkup = try await blocking { try DatabaseCheckup(of: copy) }
                    #expect(checkup.isHealthy)
                }
            }
        }

        @Test func `no number is given again, not even that of a row that is gone`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let storage = try await Storage.open(database.url)
                let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system) { _ in }
                let person = try await writer.write { try $0.person(named: "new", advancing: true).id }
                #expect(person == 91)
                #expect(try await database.number("SELECT nextval('outboxNumber')") == 501)
                #expect(try await database.number("SELECT nextval('blobNumber')") == 78)
                #expect(try await database.number("SELECT nextval('webhook_id_seq')") == 3)
                #expect(try await database.number("SELECT nextval('audit_id_seq')") == 13)
                #expect(try await database.number("SELECT nextval('apiKey_id_seq')") == 4)
                _ = try await writer.write { try $0.erase("new", receipt: "r", by: .tool) }
                try await storage.close()
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                let back = try Storage(file: copy)
                let again = try await Writer(storage: back, clock: ManualClock(), random: .system) { _ in }
                #expect(try await again.write { try $0.person(named: "newer", advancing: true).id } == 92)
                let kept = try await back.readTables { db in
                    try db.rows("SELECT name, seq FROM sqlite_sequence").map { "\($0[0] as String) \($0[1] as Int)" }
                }
                #expect(Set(kept) == ["outbox 501", "webhook 3"])
                try await back.close()
            }
        }

        @Test func `what PostgreSQL has in slots is summed on the way back`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                try await database.run(
                    """
                    INSERT INTO figure (message, slot, delivered, seen, read, clicked)
                    SELECT message, 5 + n, 1, 2, 3, 4 FROM figure, generate_series(1, 3) n;
                    INSERT INTO actionFigure (message, action, slot, clicks)
                    SELECT message, action, 9, 10 FROM actionFigure;
                    INSERT INTO audit (at, kind, reason, count, slot)
                    SELECT at, kind, reason, 100, n FROM audit, generate_series(3, 4) n WHERE count IS NOT NULL;
                    """
                )
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await edit(file) { db in
                    try db.execute(
                        sql: """
                            UPDATE figure SET delivered = delivered + 3, seen = seen + 6, read = read + 9,
                                clicked = clicked + 12;
                            UPDATE actionFigure SET clicks = clicks + 10;
                            UPDATE audit SET count = count + 200 WHERE count IS NOT NULL;
                            """
                    )
                }
                try await expectEqual(file, copy)
            }
        }

        // MARK: What is refused

        @Test func `a difference is found and named, and the target stays marked`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let changes = [
                    "UPDATE message SET content = replace(content, '漢漢', '漢字') WHERE id = 9223372036854775807",
                    "DELETE FROM reach WHERE person = 1", "UPDATE personName SET person = 8 WHERE name = 'bob'",
                    "UPDATE webhookCount SET dead = dead + 1", "SELECT setval('personNumber', 1)",
                    "INSERT INTO setting (name, value) VALUES ('Z', '')",
                ]
                let settings = try database.server.settings(database.name)
                func run() async -> MoveDifferences? {
                    do {
                        try await move(file, database.url) { step in
                            guard step == .moved else { return }
                            let connection = try PostgresConnection(settings)
                            defer { connection.close() }
                            for change in changes { try connection.executeScript(change) }
                        }
                        return nil
                    } catch {
                        return error as? MoveDifferences
                    }
                }
                let found = try #require(await run())
                let text = found.differences.joined(separator: "\n")
                #expect(text.contains("message (id 9223372036854775807) differs in content"))
                #expect(text.contains("person 1) is missing in the target"))
                #expect(text.contains(#"personName (name "bob") differs in person"#))
                #expect(text.contains("webhook (id 2) differs in dead"))
                #expect(text.contains("the greatest number of person is 90, and 1 in the target"))
                #expect(text.contains(#"setting (name "Z") is in the target alone"#))
                #expect(found.count == found.differences.count && found.count >= 8)
                #expect(found.description.contains("Remove the target, and begin again"))
                #expect(await message { _ = try await Storage.open(database.url) }.contains("isn't complete"))
            }
        }

        @Test func `on the way back, a difference is found, too`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let copy = folder.appending(path: "back.sqlite")
                // After an interruption, a server has written to the source, and no count shows it.
                let ended = await message { try await move(database.url, copy, reached: Self.end(at: .moved)) }
                #expect(ended.contains("Ended"))
                try await database.run("UPDATE delivery SET readAt = 1 WHERE person = 2")
                let text = await message { try await move(database.url, copy) }
                #expect(text.contains("differs in readAt"))
                #expect(await message { _ = try await Storage.open(copy) }.contains("isn't complete"))
                // Where a count shows it, it is known before.
                try await database.run("UPDATE person SET sequence = sequence + 1")
                let changed = await message { try await move(database.url, copy) }
                #expect(changed.contains("this source has changed since"))
            }
        }

        @Test(
            arguments: [
                (
                    "UPDATE message SET category = 'a' || char(0) WHERE id = -5",
                    "column category: the text contains U+0000"
                ),
                ("UPDATE person SET name = CAST(x'61ff' AS TEXT) WHERE id = 2", "column name: the text isn't UTF-8"),
                ("UPDATE message SET state = 40000 WHERE id = -5", "column state: 40000 isn't in the column's range"),
                ("UPDATE webhook SET isGone = 2 WHERE id = 1", "column isGone: 2 is neither 0 nor 1"),
                ("UPDATE message SET createdAt = 0.5 WHERE id = -5", "column createdAt: the value has another type"),
            ]
        )
        func `a row that PostgreSQL can't store is named, and the move goes on later`(
            _ change: String,
            _ reason: String
        ) async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let before = try await picture(file)
                try await edit(file) { try $0.execute(sql: change) }
                let database = try await PostgresTarget()
                let text = await message { try await move(file, database.url) }
                #expect(text.contains(reason), "\(text)")
                try await edit(file) { db in
                    try db.execute(
                        sql: """
                            UPDATE message SET category = '\u{10FFFF}', state = 0, createdAt = 0 WHERE id = -5;
                            UPDATE person SET name = 'bob' WHERE id = 2; UPDATE webhook SET isGone = 0 WHERE id = 1;
                            """
                    )
                }
                #expect(try await picture(file) == before)
                #expect(try await move(file, database.url).isContinued)
            }
        }

        @Test func `a database that a server uses isn't moved, and no server starts on the target`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let lock = try DatabaseLock(for: file)
                #expect(await message { try await move(file, database.url) }.contains("Stop the server"))
                lock.release()

                // A server that was started on the empty target, and hasn't written anything.
                let storage = try await Storage.open(database.url)
                try await storage.join()
                #expect(await message { try await move(file, database.url) }.contains("Stop the servers"))
                try await storage.close()

                // While the move runs.
                let other = try await Storage.open(database.url)
                let isCaught = Locked<[String]>([])
                let (from, to) = (file, database.url)
                try await move(file, database.url) { step in
                    guard step == .moved else { return }
                    do {
                        _ = try DatabaseLock(for: from)
                    } catch {
                        isCaught.withLock { $0.append("\(error)") }
                    }
                    do {
                        _ = try DatabaseMove.run(from: from, to: to)
                    } catch {
                        isCaught.withLock { $0.append("\(error)") }
                    }
                }
                #expect(isCaught.withLock { $0 }.count == 2)
                try await other.join()
                let copy = folder.appending(path: "back.sqlite")
                #expect(await message { try await move(database.url, copy) }.contains("Stop the servers"))
                try await other.close()
            }
        }

        @Test func `a target that has something else is left as it is`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let (one, other) = (try await PostgresTarget(), try await PostgresTarget())
                try await Storage.open(one.url).close()
                try await one.run("INSERT INTO personName (name, person) VALUES ('ann', 1)")
                #expect(await message { try await move(file, one.url) }.contains("isn't empty: personName has rows"))
                try await other.run("CREATE TABLE cars (id int)")
                #expect(await message { try await move(file, other.url) }.contains("there is a table cars"))

                let database = try await PostgresTarget()
                try await move(file, database.url)
                #expect(await message { try await move(file, database.url) }.contains("isn't empty"))
                let before = try Data(contentsOf: file)
                #expect(await message { try await move(database.url, file) }.contains("already exists"))
                #expect(try Data(contentsOf: file) == before)

                // Another source for the same move.
                let third = try await PostgresTarget()
                _ = await message { try await move(file, third.url, reached: Self.end()) }
                let second = try await self.file(in: folder, "second.sqlite")
                try await edit(second) { try $0.execute(sql: "UPDATE setting SET value = x'07' WHERE name = 'empty'") }
                #expect(await message { try await move(second, third.url) }.contains("an unfinished move of another"))
                #expect(
                    await message { try await move(third.url, folder.appending(path: "x")) }.contains("interrupted")
                )

                #expect(await message { try await move(file, second) }.contains("One of the two has to be"))
                #expect(await message { try await move(one.url, other.url) }.contains("One of the two has to be"))
                let none = folder.appending(path: "none.sqlite")
                #expect(await message { try await move(none, third.url) }.contains("There is no file"))
                #expect(await message { try await move(other.url, none) }.contains("isn't an inbox server's"))
                #expect(!FileManager.default.fileExists(atPath: none.path))
            }
        }

        @Test func `a file of an unfinished move is refused by servers, backups and checkups`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let copy = folder.appending(path: "back.sqlite")
                _ = await message { try await move(database.url, copy, rows: 3, reached: Self.end()) }
                let backup = folder.appending(path: "backup.sqlite")
                let third = try await PostgresTarget()
                for text in [
                    await message { try DatabaseFile.check(copy) }, await message { _ = try Storage(file: copy) },
                    await message { try DatabaseBackup.make(of: copy, to: backup) },
                    await message { _ = try DatabaseCheckup(of: copy) },
                    await message { try await move(copy, third.url) },
                ] {
                    #expect(text.contains("inbox move was interrupted"), "\(text)")
                }
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a database of an earlier version is refused, and unchanged`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "old.sqlite")
                try FileManager.default.copyItem(at: ServerFixture.file("audit"), to: file)
                let database = try await PostgresTarget()
                let before = try Data(contentsOf: file)
                #expect(await message { try await move(file, database.url) }.contains("of an earlier version"))
                #expect(try Data(contentsOf: file) == before)
                try await Storage.open(database.url).close()
                try await database.run("DELETE FROM migration WHERE name = 'webhooks'")
                let target = folder.appending(path: "new.sqlite")
                #expect(await message { try await move(database.url, target) }.contains("is of another version"))
                #expect(!FileManager.default.fileExists(atPath: target.path))
            }
        }

        /// PostgreSQL checks no references.
        @Test func `a row without the one that it refers to is found on the way back`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                try await database.run("INSERT INTO reach (message, person, reach) VALUES (12345, 1, 1)")
                let copy = folder.appending(path: "back.sqlite")
                let text = await message { try await move(database.url, copy) }
                #expect(text.contains("A row of reach refers to a row of message that doesn't exist"))
            }
        }
    }
#endif
