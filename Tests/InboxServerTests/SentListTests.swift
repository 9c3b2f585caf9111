import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// `GET /v1/messages`.
@Suite(.timeLimit(.minutes(10))) struct SentListTests {
    private func ids(_ query: String = "", limit: Int = 50, on server: TestServer) async throws -> [String] {
        try await server.pagedIds("/v1/messages", query, limit: limit)
    }

    @Test func `sent messages are listed newest first, without recalled ones`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var sent: [String] = []
            for number in 0..<7 {
                let to: JSON = number % 2 == 0 ? ["people": ["ann", "bob"]] : ["everyone": true]
                sent.insert(try await server.send(to: to, ["title": .string("\(number)")]), at: 0)
                if number % 3 == 0 { clock.advance(by: 1) }
            }
            for limit in [1, 2, 3, 7, 8] { #expect(try await ids(limit: limit, on: server) == sent, "\(limit)") }
            let list = try await server.rest("GET", "/v1/messages").json["messages"]?.arrayValue ?? []
            for (item, id) in zip(list, sent) {
                #expect(try await server.rest("GET", "/v1/messages/\(id)").json == item)
            }
            #expect(list.last?["state"] == "shown" && list.last?["createdAt"] == "2026-05-01T08:00:00Z")
            #expect(list.last?["recipients"] == 2)

            _ = try await server.rest("DELETE", "/v1/messages/\(sent[2])")
            let rest = sent.filter { $0 != sent[2] }
            #expect(try await ids(limit: 2, on: server) == rest)
            // A page may begin after a deleted message.
            #expect(try await ids("&after=\(sent[2])", on: server) == Array(sent.dropFirst(3)))
        }
    }

    @Test func `sent messages are filtered by state, campaign and time`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            func send(_ more: [(String, JSON)]) async throws -> String {
                try await server.send(to: ["person": "ann"], .object(JSONObject([("title", "x")] + more)))
            }
            let expiring = try await send([("campaignId", "a"), ("expiresAt", "2026-05-01T08:00:10Z")])
            clock.advance(by: 60)
            let shown = try await send([("campaignId", "b")])
            clock.advance(by: 60)
            let waiting = try await send([("campaignId", "a"), ("deliverAt", "2026-05-02T00:00:00Z")])
            let plain = try await send([])
            #expect(
                try await eventually {
                    try await server.rest("GET", "/v1/messages/\(expiring)").json["state"] == "expired"
                }
            )
            for (query, expected) in [
                ("", [plain, waiting, shown, expiring]), ("state=waiting", [waiting]), ("state=shown", [plain, shown]),
                ("state=expired", [expiring]), ("campaign=a", [waiting, expiring]), ("campaign=none", []),
                ("campaign=a&state=expired", [expiring]), ("campaign=b&state=waiting", []),
                ("since=2026-05-01T08:01:00Z", [plain, waiting, shown]),
                ("since=2026-05-01T08:01:00.001Z", [plain, waiting]),
                ("until=2026-05-01T08:01:00Z", [expiring]), ("until=2026-05-01T08:01:00.001Z", [shown, expiring]),
                ("since=2026-05-01T08:01:00Z&until=2026-05-01T08:02:00Z", [shown]),
                ("campaign=a&since=2026-05-01T08:01:00Z", [waiting]),
                ("since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z", []),
            ] {
                #expect(try await ids("&" + query, on: server) == expected, "\(query)")
                #expect(try await ids("&" + query, limit: 1, on: server) == expected, "\(query), one by one")
            }
            // The filter uses the message's current campaign.
            let moved: JSON = ["message": ["campaignId": "b"]]
            _ = try await server.rest("PATCH", "/v1/messages/\(waiting)", moved)
            #expect(try await ids("&campaign=b", on: server) == [waiting, shown])
        }
    }

    @Test func `a page of sent messages is limited in bytes`() async throws {
        try await withServer { server in
            let html = JSON.string(String(repeating: "x", count: 524_288))
            for _ in 0..<10 { try await server.send(to: ["person": "ann"], ["html": html]) }
            let page = try await server.rest("GET", "/v1/messages").json
            #expect(page["messages"]?.arrayValue?.count == 7)
            let rest = try await server.rest("GET", "/v1/messages?after=\(page["next"]?.stringValue ?? "")").json
            #expect(rest["messages"]?.arrayValue?.count == 3 && rest["next"] == nil)
        }
    }

    @Test func `an invalid query of sent messages is 400`() async throws {
        let cases: [String] = [
            "limit=0", "limit=101", "after=x", "state=recalled", "state=", "campaign=", "since=yesterday", "until=",
            "audience=everyone", "since=2026-05-01",
        ]
        try await withServer { server in
            for query in cases {
                let answer = try await server.rest("GET", "/v1/messages?\(query)")
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    @Test(.onlySQLite, arguments: [nil, "a"], [nil, MessageStage.shown])
    func `a page of sent messages is read from an index in order`(_ campaign: String?, _ stage: MessageStage?)
        async throws
    {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let list = SentList(
                campaign: campaign,
                stage: stage,
                since: 1,
                page: Page(limit: 10, after: MessageID(rawValue: 7))
            )
            let (sql, arguments) = list.statement(upTo: SentList.Place(createdAt: 5, id: 7))
            let plan = try await storage.readFile { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.sqlite, arguments: arguments.sqlite).map {
                    $0["detail"] as String
                }
            }
            let reads = plan.filter { $0.contains(" message ") }
            #expect(reads.count == (stage == nil ? 3 : 1), "\(plan)")
            let key = campaign == nil ? "message_sent (state=?" : "message_campaign (campaign=? AND state=?"
            for read in reads {
                #expect(
                    read.contains("SEARCH message USING INDEX \(key) AND createdAt>? AND createdAt<?)"),
                    "\(plan)"
                )
            }
            // Only the results of the states are merged.
            #expect(plan.filter { $0.contains("TEMP B-TREE") }.count <= (stage == nil ? 1 : 0), "\(plan)")
        }
    }

    @Test(.onlySQLite) func `messages of an earlier version are found by campaign`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let pool = try DatabasePool(path: file.path(percentEncoded: false))
            try Schema.migrator.migrate(pool, upTo: "newPeople")
            try await pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state) VALUES
                            (1, '{"title":"x","campaignId":"a"}', 'inbox', 1, 1, 1, 1), (2, '{"title":"x"}', 'inbox', 2, 2, 1, 1),
                            (3, '', 'inbox', 3, 3, 1, 2)
                        """
                )
            }
            try pool.close()
            let server = try await TestServer.start(file: file, clock: ManualClock())
            let first = MessageID(rawValue: 1).text
            let found = try await ids("&campaign=a", on: server)
            let all = try await ids(on: server)
            try await server.stop()
            #expect(found == [first] && all == [MessageID(rawValue: 2).text, first])
        }
    }
}
