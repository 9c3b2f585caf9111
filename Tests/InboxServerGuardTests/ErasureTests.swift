import Crypto
import Eventually
import Foundation
import GRDB
import Groundwork
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct ErasureTests {
    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).status
    }

    @Test(.onlySQLite) func `every table with personal rows is exported and erased by an index`() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let tables = try await storage.readFile { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
                        WHERE t.type = 'table' AND c.name IN ('person', 'personName') ORDER BY 1
                        """
                )
            }
            #expect(tables == PersonalTable.all.map(\.table).sorted())
            for table in PersonalTable.all {
                for sql in [table.keys, table.erase] {
                    let plan = try await storage.readFile { db in
                        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.sqlite, arguments: [1]).map {
                            $0["detail"] as String
                        }
                    }
                    #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(table.name): \(plan)")
                }
            }
        }
    }

    @Test func `a due message, recalled for its only recipient, loses its content on erasure`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "consentCategory": "health", "deliverAt": "2026-05-02T08:00:00Z"]
            )
            #expect(try await server.rest("DELETE", "/v1/people/ann/messages/\(id)").status == 204)
            #expect(try await server.rest("DELETE", "/v1/people/ann/messages/\(id)").status == 404)
            let erasure = try await server.rest("DELETE", "/v1/people/ann")
            #expect(erasure.json["removed"]?["contents"] == 1)
            #expect(try await server.rest("GET", "/v1/messages/\(id)").status == 404)
            let left: String? = try await server.storage().readTables { db in
                try db.value("SELECT consentCategory FROM message WHERE consentCategory IS NOT NULL")
            }
            #expect(left == nil)
        }
    }

    @Test func `erasure deletes one person's rows and keeps the receipt and others' rows`() async throws {
        try await withServer { server in
            _ = try await server.rest("PUT", "/v1/people/ann", ["attributes": ["plan": "pro"]])
            let alone = try await server.send(to: ["person": "ann"])
            let waiting = try await server.send(
                to: ["person": "ann"],
                ["title": "x", "deliverAt": "2026-05-02T08:00:00Z", "expiresAt": "2026-05-03T08:00:00Z"]
            )
            let shared = try await server.send(to: ["people": ["ann", "bob"]])
            let everyone = try await server.send(to: ["everyone": true])
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            // No server listens on this port.
            let hook = try await server.addWebhook("http://127.0.0.1:9/").id
            for device in [ann, bob] {
                try await device.track("displayed", shared, uid: "u")
                try await device.upload("Hi")
            }
            try await ann.update(alone, ["deletedAt": "2026-05-01T08:00:00Z"], batch: ["epoch": "e", "number": 1])
            try await ann.update(everyone, ["readAt": "2026-05-01T08:00:00Z"])

            let answer = try await server.rest("DELETE", "/v1/people/ann")
            #expect(answer.status == 200)
            let hash = SHA256.hash(data: Data("ann".utf8)).hexadecimal
            #expect(answer.json["personSha256"]?.stringValue == hash)
            #expect(answer.json["erasedAt"] == "2026-05-01T08:00:00Z")
            #expect(
                answer.json["removed"]
                    == [
                        "messages": 4, "contents": 2, "purges": 1, "batches": 1, "attributes": 1, "imports": 0,
                        "events": 1,
                        "reach": 3,
                        "webhookPayloads": 3, "blobs": 1, "tokenEnds": 0, "endedTokens": 0, "auditEntries": 0,
                    ]
            )
            let id = try #require(answer.json["id"]?.stringValue)
            #expect(try await server.rest("GET", "/v1/erasures/\(id)").json == answer.json)
            #expect(try await server.rest("GET", "/v1/erasures/e0").status == 404)

            #expect(try await server.rest("GET", "/v1/people/ann").status == 404)
            for (message, status) in [(alone, 404), (waiting, 404), (shared, 200), (everyone, 200)] {
                #expect(try await server.rest("GET", "/v1/messages/\(message)").status == status)
            }
            #expect(Set(try await bob.ids()) == [shared, everyone])
            // Figures belong to no person.
            #expect(try await server.rest("GET", "/v1/messages/\(shared)/figures").json["seen"] == 2)
            #expect(try await server.webhook(hook)["pending"] == 1)
            let storage = try await server.storage()
            for table in ["event", "reach", "outbox", "blob"] {
                #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM \(table)") } == 1, "\(table)")
            }
            // The remaining row is the broadcast's expiry.
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM due") } == 1)
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM person") } == 1)
        }
    }

    @Test func `erasure deletes a person's dead letters`() async throws {
        try await withReceiver { server, receiver in
            receiver.answer { _ in .status(410) }
            let hook = try await server.addWebhook(receiver.url, ["event.*"]).id
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u")
            #expect(try await eventually { try await server.webhook(hook)["deadLetters"] == 1 })
            let answer = try await server.rest("DELETE", "/v1/people/ann")
            #expect(answer.json["removed"]?["webhookPayloads"] == 1)
            #expect(try await server.webhook(hook)["deadLetters"] == 0)
            #expect(try await server.rest("GET", "/v1/webhooks/\(hook)/dead-letters").json["deadLetters"] == [])
            let left: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM outbox")
            }
            #expect(left == 0)
        }
    }

    @Test func `earlier tokens are rejected after an erasure and a restart, later ones work`() async throws {
        let clock = ManualClock("2026-05-01T08:00:00.4Z")
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: clock)
            let old = try await first.device(of: "ann")
            // A token that the server hasn't verified yet, so it isn't cached.
            let unseen = try await first.token(for: "ann")
            try await first.send(to: ["person": "ann"])
            #expect(try await first.rest("DELETE", "/v1/people/ann").status == 200)
            for token in [old.token, unseen] { #expect(try await status(token, first) == 401) }
            #expect(try await first.rest("GET", "/v1/people/ann").status == 404)

            // The id may be used again, without its earlier data, and earlier tokens stay invalid.
            try await first.send(to: ["person": "ann"], ["title": "New"])
            for token in [old.token, unseen] { #expect(try await status(token, first) == 401) }
            let new = try await first.device(of: "ann")
            #expect(new.account != old.account)
            #expect(try await new.ids().count == 1)
            try await first.stop()

            let second = try await TestServer.start(file: file, clock: clock)
            #expect(try await status(old.token, second) == 401)
            #expect(try await status(new.token, second) == 200)
            try await second.stop()
        }
    }

    @Test func `an erased person's row id is never reused`() async throws {
        try await withServer { server in
            let storage = try await server.storage()
            var numbers: Set<Int> = []
            for _ in 0..<3 {
                _ = try await server.rest("PUT", "/v1/people/ann", ["attributes": [:]])
                let number: Int? = try await storage.readTables { try $0.value("SELECT id FROM person") }
                #expect(numbers.insert(try #require(number)).inserted)
                _ = try await server.rest("DELETE", "/v1/people/ann")
            }
        }
    }

    @Test func `erasure ends the person's event streams only`() async throws {
        try await withServer { server in
            let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
            let (stream, _) = await EventStream.open(ann, "types=*&closeafter=no&ping=0")
            let (other, _) = await EventStream.open(bob, "types=*&closeafter=no&ping=0")
            defer { other.close() }
            #expect(try await eventually { server.watchers.count == 2 })
            _ = try await server.rest("DELETE", "/v1/people/ann")
            while await stream.next() != nil {}
            #expect(try await eventually { server.watchers.count == 1 })
            try await server.send(to: ["person": "bob"])
            #expect(await other.next()?.name == "state")
        }
    }

    @Test func `writes during an erasure leave no rows behind`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let patch: JSON = ["readAt": "2026-05-01T08:00:00Z", "seenAt": .null]
                        let update: JSON = .object(JSONObject(ids.map { ($0, patch) }))
                        let batch: JSON = ["epoch": .string("e\(number)"), "number": 1]
                        let arguments: JSON = ["accountId": .string(device.account), "update": update, "batch": batch]
                        let call: JSON = ["InboxMessage/set", arguments, "0"]
                        let body: JSON = [
                            "using": ["https://swift-inbox.example/jmap/messages"], "methodCalls": [call],
                        ]
                        let status = try await device.post(body).status
                        #expect([200, 401, 429].contains(status))
                    }
                }
                group.addTask {
                    let status = try await server.rest("DELETE", "/v1/people/ann").status
                    #expect(status == 200)
                }
                try await group.waitForAll()
            }
            let storage = try await server.storage()
            for table in ["person", "delivery", "batch", "reach"] {
                #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM \(table)") } == 0, "\(table)")
            }
        }
    }

    @Test func `a write that arrives after the erasure fails with RecordNotFoundError`() async throws {
        try await withServer { server in
            let everyone = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            let storage = try await server.storage()
            let person = Person(
                id: try #require(try await storage.readTables { try $0.value("SELECT id FROM person") }),
                name: "ann",
                account: device.account
            )
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system, committed: { _ in })
            await #expect(throws: RecordNotFoundError.self) {
                let blob = Blob(id: BlobID(hash: Data(SHA256.hash(data: Data()))), content: Data())
                try await writer.write { transaction in try transaction.store(blob, of: person) }
            }
            let events = try #require(
                EventMethods(writer: writer, core: CoreCapability()).all["InboxEvent/set"]
            )
            let event: JSON = ["uid": "1", "message": .string(everyone), "type": "displayed"]
            await #expect(throws: RecordNotFoundError.self) {
                let arguments = JSONObject([("accountId", .string(device.account)), ("create", ["k": event])])
                _ = try await events.handler(
                    JMAPCall(arguments: arguments, reads: .unlimited(person, storage), createdIDs: [:])
                )
            }
            for table in ["person", "event", "blob", "figure"] {
                #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM \(table)") } == 0, "\(table)")
            }
        }
    }

    @Test(.onlySQLite) func `no byte of an erased person is left in the database or its log`() async throws {
        try await withServer { server in
            // Many rows of each kind, so that pages are split and freed.
            let count = 150
            let hook = try await server.addWebhook("http://127.0.0.1:9/").id
            for number in 0..<count {
                let people: [JSON] = (0..<3).map { .string("erase-me-\((number * 7919 + $0 * 31) % 1009)") }
                let text = String(repeating: "very-secret ", count: number * 3)
                let id = try await server.send(
                    to: ["people": .array(people)],
                    ["title": "top-secret-title", "body": .string(text), "category": "secret-category"]
                )
                try await server.send(to: ["person": .string("stays-\(number)")], ["title": "plain"])
                // The edit shortens the content, which frees pages.
                let edited: JSON = ["message": ["title": "top-secret-title", "category": "secret-category"]]
                if number % 3 == 0 { _ = try await server.rest("PUT", "/v1/messages/\(id)", edited) }
                for person in people where number % 5 == 0 {
                    let attributes: JSON = ["attributes": ["secret-name": "very-secret value"]]
                    _ = try await server.rest("PUT", "/v1/people/\(person.stringValue ?? "")", attributes)
                }
                if number % 10 == 0, let person = people[0].stringValue {
                    let device = try await server.device(of: person)
                    try await device.upload(String(repeating: "very-secret \(number) ", count: number * 20))
                    for event in 0..<5 {
                        try await device.track("very-secret", id, uid: "\(event)", data: ["secret-key": "very-secret"])
                    }
                }
            }
            #expect(try Self.hasSecrets(server.file))
            let storage = try await server.storage()
            let names: [String] = try await storage.readTables {
                try $0.values("SELECT name FROM person WHERE name LIKE 'erase-me-%'")
            }
            let rows: Int? = try await storage.readTables { try $0.value("SELECT count(*) FROM outbox") }
            #expect(rows == 5 * count / 10)
            try storage.pool.close()
            // A disabled webhook has no reader of the outbox, which would keep the log from being truncated.
            let off: JSON = ["url": "http://127.0.0.1:9/", "types": ["*"], "enabled": false]
            #expect(try await server.rest("PUT", "/v1/webhooks/\(hook)", off).status == 200)
            for name in names { #expect(try await server.rest("DELETE", "/v1/people/\(name)").status == 200) }
            #expect(try !Self.hasSecrets(server.file))
        }
    }

    private static func hasSecrets(_ file: URL) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            let bytes = try Data(contentsOf: URL(filePath: file.path() + suffix))
            return ["erase-me-", "secret-", "-secret"].contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }
}
