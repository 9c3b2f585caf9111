import Coverage
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct QueryTests {
    /// Ten messages, a second apart, every third one a broadcast; oldest first.
    private func fill(_ server: TestServer, _ clock: ManualClock) async throws -> [String] {
        var ids: [String] = []
        for number in 0..<10 {
            ids.append(
                try await server.send(
                    to: number % 3 == 0 ? ["everyone": true] : ["person": "ann"],
                    [
                        "title": "x", "surface": number % 2 == 0 ? "inbox" : "news",
                        "category": .string("c\(number % 5)"),
                    ]
                )
            )
            clock.advance(by: 1)
        }
        return ids
    }

    @Test func `a query returns its sort order, window and total`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await fill(server, clock)
            let newest = Array(ids.reversed())
            let device = try await server.device(of: "ann")
            #expect(try await device.ids() == newest)
            #expect(try await device.ids(["filter": .null, "sort": .null]) == newest)
            #expect(try await device.ids(["sort": [["property": "deliverAt", "isAscending": true]]]) == ids)
            #expect(try await device.ids(["sort": [["property": "deliverAt", "isAscending": false]]]) == newest)

            let window = try await device.call("query", ["position": 2, "limit": 3, "calculateTotal": true])
            #expect(window["ids"] == JSON(newest[2..<5]))
            #expect(window["position"] == 2)
            #expect(window["total"] == 10)
            #expect(window["canCalculateChanges"] == true)
            #expect(window["queryState"]?.stringValue == (try await device.state()))
            #expect(window["limit"] == nil)

            let end = try await device.call("query", ["position": -3])
            #expect(end["ids"] == JSON(newest[7...]))
            #expect(end["position"] == 7)
            #expect(end["total"] == nil)
            #expect(try await device.call("query", ["position": -30, "limit": 1])["ids"] == JSON(newest[..<1]))
            #expect(try await device.ids(["position": 10]) == [])
            #expect(try await device.ids(["position": 9_007_199_254_740_991]) == [])
            #expect(try await device.ids(["limit": 0]) == [])
        }
    }

    @Test func `messages of the same time are sorted by id in the requested direction`() async throws {
        try await withServer { server in
            var ids: [String] = []
            for number in 0..<8 {
                ids.append(try await server.send(to: number % 2 == 0 ? ["everyone": true] : ["person": "ann"]))
            }
            let device = try await server.device(of: "ann")
            #expect(ids == ids.sorted())
            #expect(try await device.ids() == ids.reversed())
            #expect(try await device.ids(["sort": [["property": "deliverAt"]]]) == ids)
        }
    }

    @Test func `an anchor with an offset sets the position`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await fill(server, clock)
            let newest = Array(ids.reversed())
            let device = try await server.device(of: "ann")
            func window(_ index: Int, offset: Int? = nil, sort: JSON = .null) async throws -> JSON {
                let anchor = sort == .null ? newest[index] : ids[index]
                var arguments = JSONObject([("anchor", .string(anchor)), ("limit", 3), ("sort", sort), ("position", 9)])
                arguments["anchorOffset"] = offset.map { JSON($0) }
                return try await device.call("query", .object(arguments))
            }
            let here = try await window(4)
            #expect(here["ids"] == JSON(newest[4..<7]))
            #expect(here["position"] == 4)
            #expect(try await window(4, offset: -2)["ids"] == JSON(newest[2..<5]))
            #expect(try await window(4, offset: 3)["ids"] == JSON(newest[7...]))
            let start = try await window(1, offset: -5)
            #expect(start["ids"] == JSON(newest[..<3]))
            #expect(start["position"] == 0)
            let past = try await window(9, offset: 5)
            #expect(past["ids"] == [])
            #expect(past["position"] == 14)
            // The same in any other order.
            for property: JSON in ["deliverAt", "id"] {
                let other = try await window(6, offset: 1, sort: [["property": property]])
                #expect(other["ids"] == JSON(ids[7...]))
                #expect(other["position"] == 7)
            }
        }
    }

    @Test func `an anchor outside the results is anchorNotFound`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await fill(server, clock)
            let device = try await server.device(of: "ann")
            let other = try await server.send(to: ["person": "bob"])
            _ = try await device.call("set", ["destroy": [.string(ids[0])]])
            for anchor in [ids[0], ids[1], other, "nope"] {
                for property: JSON in ["deliverAt", "title"] {
                    let arguments: JSON = [
                        "anchor": .string(anchor), "filter": condition("surface", "equal", "inbox"),
                        "sort": [["property": property]],
                    ]
                    #expect(try await device.call("query", arguments).type == "anchorNotFound")
                }
            }
        }
    }

    @Test func `a limit above 5000 is clamped and returned`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            #expect(try await device.call("query")["limit"] == 5_000)
            #expect(try await device.call("query", ["limit": 6_000])["limit"] == 5_000)
            #expect(try await device.call("query", ["limit": 5_000])["limit"] == nil)
            #expect(try await device.call("query", ["limit": -1]).type == "invalidArguments")
        }
    }

    /// Reads only the requested window: the plan has to walk the indexes in order.
    @Test(.onlySQLite, .rulesOut(.djangoNotifications153))
    func `the newest window is read from indexes without a table scan`() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let person = Person(id: 1, name: "ann", account: "a")
            let deleted: JSON = ["property": "deletedAt", "op": "equal", "value": .null]
            let filter = try InboxFilter(reading: JSONReader(deleted))
            let plans = try await storage.readFile { db -> [String] in
                var plans: [String] = []
                db.trace(options: .statement) { event in
                    if case .statement(let statement) = event { plans.append(statement.expandedSQL) }
                }
                let inbox = ReadTransaction(.sqlite(db)).inbox(of: person)
                _ = try inbox.ids(filter: filter, isAscending: false, offset: 0, limit: 50)
                db.trace(options: .statement)
                return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + plans[0]).map { $0["detail"] }
            }
            #expect(plans.contains { $0.contains("delivery_order") && $0.contains("person=?") })
            #expect(plans.contains { $0.contains("message_broadcast") })
            #expect(!plans.contains { $0 == "SCAN d" || $0 == "SCAN m" })
            #expect(plans.filter { $0.contains("TEMP B-TREE") }.count <= 1, "\(plans)")
        }
    }
}
