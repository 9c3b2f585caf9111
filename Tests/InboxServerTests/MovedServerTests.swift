#if PostgreSQL
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// What devices and backends see of `inbox move`.
    @Suite(.timeLimit(.minutes(15)), .onlySQLite) struct MovedServerTests: MoveTesting {
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

        @Test func `devices and backends work the same after a move there and back`() async throws {
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

        @Test func `numbers are never reused after a move, also those of deleted rows`() async throws {
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

        @Test func `PostgreSQL's slots are summed on the way back`() async throws {
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
    }
#endif
