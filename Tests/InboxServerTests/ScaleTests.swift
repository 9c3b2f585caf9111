import Coverage
import Foundation
import GRDB
import Groundwork
import JMAP
import Testing

@testable import InboxServer
@testable import InboxService

/// SQLite's work on the server is independent of other people's data.
@Suite(.timeLimit(.minutes(10)), .onlySQLite) struct ScaleTests {
    @Test(.rulesOut(.flarum4507, .peerTube6392, .djangoNotifications153, .laravel14788))
    func `listing, counting and reading look up only the person's own rows`() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system, committed: { _ in })
            let people = People(storage: storage, writer: writer, states: LatestStates(broadcast: 0))
            let token = Tokens.Verified(person: "ann", issuedAt: nil, expiresAt: .distantFuture)
            let person = try await people.person(of: token)
            let unread = try InboxFilter(
                reading: JSONReader(["property": "readAt", "op": "equal", "value": .null] as JSON)
            )
            let body = JSON.array((0..<40).map { ["to": ["person": "ann"], "message": ["title": .string("\($0)")]] })
            let messages = try OutgoingMessages(checking: JSONReader(body), now: ManualClock().now)
            let ran = try await writer.write { transaction in
                let sent = try transaction.send(messages)
                let ids = sent.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                let ran = Locked<[String]>([])
                transaction.db.sqlite?.trace(options: .statement) { event in
                    if case .statement(let statement) = event { ran.withLock { $0.append(statement.sql) } }
                }
                let update = JSONObject(ids.map { ($0, ["readAt": "2026-05-01T08:00:00Z"]) })
                let arguments: JSON = ["accountId": .string(person.account), "update": .object(update)]
                _ = try transaction.set(try SetArguments(reading: JSONReader(arguments)), for: person)
                let inbox = transaction.reading.inbox(of: person)
                _ = try inbox.ids(filter: unread, isAscending: false, offset: 0, limit: 50)
                _ = try inbox.count(filter: unread)
                transaction.db.sqlite?.trace(options: .statement)
                return ran.withLock { $0 }
            }
            let kinds = Set(ran.filter { !$0.hasPrefix("--") })
            #expect(kinds.contains { $0.contains("INSERT INTO delivery") })
            #expect(kinds.count < 20, "all of them are read in one transaction, by a few statements: \(kinds)")
            for sql in kinds where !sql.hasPrefix("PRAGMA") {
                let plan = try await storage.readFile { db in
                    let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
                    statement.setUncheckedArguments(StatementArguments())
                    return try Row.fetchAll(statement).map { $0["detail"] as String }
                }
                // Live broadcasts are few, and in an index of their own.
                let steps = plan.filter { $0 != "SCAN m USING INDEX message_broadcast" }.map { $0 + " " }
                for table in ["message", "delivery", "person", "event", "reach", "due", "m", "d"] {
                    #expect(!steps.contains { $0.hasPrefix("SCAN \(table) ") }, "\(sql): \(plan)")
                }
            }
            await onNewThread { _ = try? storage.pool.close() }
        }
    }
}
