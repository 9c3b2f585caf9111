import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct BroadcastTests {
    @Test(arguments: [1, 1_000])
    func `a broadcast is one row and one queue entry for any number of people`(_ people: Int) async throws {
        try await withServer { server in
            let names = (0..<people).map { "p\($0)" }
            try await server.send(to: ["people": JSON(names)])
            let storage = try await server.storage()
            func rows() async throws -> Int {
                try await storage.readTables { db in
                    let tables = ["person", "message", "delivery", "due", "batch"]
                    return try tables.reduce(0) { try $0 + (db.value("SELECT count(*) FROM \($1)") ?? 0) }
                }
            }
            let before = try await rows()
            let id = try await server.send(to: ["everyone": true])
            // The message and its entry in the due queue.
            #expect(try await rows() == before + 2)
            let last = try await server.device(of: names[people - 1])
            #expect(try await last.ids().first == id)
            try await last.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            #expect(try await rows() == before + 3)
        }
    }

    /// A broadcast writes the same amount for a hundred people as for a million.
    @Test(.onlySQLite) func `a broadcast writes as much for 100 people as for a million`() async throws {
        func cost(people: Int) async throws -> (changes: Int, pages: Int, log: Int) {
            var cost = (changes: 0, pages: 0, log: 0)
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let storage = try Storage(file: file)
                let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system) { _ in }
                try await writer.write { transaction in
                    try transaction.db.run(
                        """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                        INSERT INTO person (name, account, sequence, createdAt) SELECT 'p' || i, 'a' || i, 0, 0 FROM n
                        """,
                        [people]
                    )
                }
                let reader = JSONReader(["to": ["everyone": true], "message": ["title": "Hello"]])
                let messages = try OutgoingMessages(checking: reader, now: ManualClock().now)
                func size() throws -> Int { try #require(file.resourceValues(forKeys: [.fileSizeKey]).fileSize) }
                func pages() async throws -> Int {
                    try await storage.readTables { db in try db.value("PRAGMA page_count") ?? 0 }
                }
                // The first broadcast may allocate pages, so only the following ones are measured.
                try await writer.write { transaction in _ = try transaction.send(messages) }
                _ = try await storage.pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
                let before = (try size(), try await pages())
                cost.changes = try await writer.write { transaction in
                    let before = transaction.db.changeCount
                    for _ in 1...100 { _ = try transaction.send(messages) }
                    return transaction.db.changeCount - before
                }
                cost.pages = try await pages() - before.1
                let log = URL(filePath: file.path(percentEncoded: false) + "-wal")
                cost.log = try #require(log.resourceValues(forKeys: [.fileSizeKey]).fileSize)
                await onNewThread { _ = try? storage.pool.close() }
            }
            return cost
        }
        let (few, many) = (try await cost(people: 100), try await cost(people: 1_000_000))
        #expect(few.changes == many.changes)
        // A table's page may be full in one database and not in the other.
        #expect(abs(few.pages - many.pages) <= 1)
        #expect(abs(few.log - many.log) <= 2 * 4_120)
    }

    @Test func `new people see live broadcasts until they expire`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await server.send(to: ["everyone": true])
            clock.advance(by: 89 * 86_400)
            #expect(try await server.device(of: "late").ids() == [id])
            clock.advance(by: 86_400)
            let device = try await server.device(of: "later")
            #expect(try await eventually { try await device.ids() == [] })
        }
    }

    /// Whether it is delivered at once or later: people who exist at delivery see it in every response, and people
    /// created later in none.
    @Test(arguments: [false, true])
    func `a broadcast with newPeople false is invisible to people created after it`(isForLater: Bool) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ann = try await server.device(of: "ann")
            #expect(try await ann.ids() == [])
            let before = try await ann.state()
            let usual = try await server.send(to: ["everyone": true])
            let id = try await server.send(
                to: ["everyone": true, "newPeople": false],
                isForLater ? ["title": "x", "deliverAt": "2026-05-01T09:00:00Z"] : ["title": "x"]
            )
            let stored = try await server.rest("GET", "/v1/messages/\(id)").json
            #expect(stored["audience"] == "everyone" && stored["newPeople"] == false)
            #expect(try await server.rest("GET", "/v1/messages/\(usual)").json["newPeople"] == true)
            // A person created before the delivery sees it.
            let bob = try await (isForLater ? server.device(of: "bob") : ann)
            #expect(try await bob.ids().count == (isForLater ? 1 : 2))
            if isForLater { clock.advance(by: 3_600) }
            #expect(try await eventually { try await bob.ids() == [id, usual] })
            #expect(try await ann.changes(since: before).created == [usual, id])

            let late = try await server.device(of: "late")
            #expect(try await late.ids() == [usual])
            #expect(try await late.ids(["sort": [["property": "title"]]]) == [usual])
            #expect(try await late.call("query", ["calculateTotal": true])["total"] == 1)
            #expect(try await late.message(id) == nil)
            #expect(
                try await late.update(id, ["readAt": "2026-05-01T08:00:00Z"])["notUpdated"]?[id]?["type"] == "notFound"
            )
            let state = try await late.state()
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status == 204)
            #expect(try await eventually { try await ann.ids() == [usual] })
            let changes = try await late.changes(since: state)
            #expect(changes.created.isEmpty && changes.updated.isEmpty && changes.destroyed.isEmpty)
        }
    }

    @Test func `more than 1000 live broadcasts are rejected until one expires`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let expiresAt: JSON = number == 0 ? "2026-05-01T09:00:00Z" : "2026-06-01T09:00:00Z"
                        let deliverAt: JSON = number % 2 == 0 ? .null : "2026-05-01T08:30:00Z"
                        try await server.send(
                            to: ["everyone": true],
                            ["title": "x", "expiresAt": expiresAt, "deliverAt": deliverAt]
                        )
                    }
                }
                try await group.waitForAll()
            }
            let body: JSON = ["to": ["everyone": true], "message": ["title": "x"]]
            let refused = try await server.rest("POST", "/v1/messages", body)
            #expect(refused.status == 409)
            #expect(refused.json["detail"]?.stringValue?.contains("1000") == true)
            clock.advance(by: 3_600)
            #expect(try await eventually { try await server.rest("POST", "/v1/messages", body).status == 201 })
        }
    }
}
