import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer

@Suite struct QueryTests {
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

    @Test func sort_windowAndTotal() async throws {
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
            #expect(window["canCalculateChanges"] == false)
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

    @Test func sameTime_isOrderedById_inTheDirectionAsked() async throws {
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

    @Test func filters_onTheSendersAndThePersonsFields() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await fill(server, clock)
            let device = try await server.device(of: "ann")
            let date: JSON = "2026-05-01T09:00:00Z"
            for index in [0, 1, 2] { try await device.update(ids[index], ["readAt": date]) }
            try await device.update(ids[3], ["deletedAt": date])

            func found(_ filter: JSON) async throws -> Set<Int> {
                let arguments: JSON = ["filter": filter, "calculateTotal": true]
                let answer = try await device.call("query", arguments)
                let found = Set((answer["ids"]?.strings ?? []).compactMap { ids.firstIndex(of: $0) })
                #expect(answer["total"] == JSON(found.count))
                return found
            }
            func condition(_ property: JSON, _ op: JSON, _ value: JSON) -> JSON {
                ["property": property, "op": op, "value": value]
            }
            #expect(try await found(condition("surface", "equal", "news")) == [1, 3, 5, 7, 9])
            #expect(try await found(condition("surface", "notEqual", "news")) == [0, 2, 4, 6, 8])
            #expect(try await found(condition("category", "equal", "c1")) == [1, 6])
            #expect(try await found(condition("groupKey", "equal", .null)) == Set(0..<10))
            #expect(try await found(condition("readAt", "equal", .null)) == Set(3..<10))
            #expect(try await found(condition("readAt", "notEqual", .null)) == [0, 1, 2])
            #expect(try await found(condition("readAt", "equal", date)) == [0, 1, 2])
            #expect(try await found(condition("readAt", "notEqual", date)) == Set(3..<10))
            #expect(try await found(condition("deletedAt", "equal", .null)) == Set(0..<10).subtracting([3]))
            let both: JSON = [
                "operator": "AND",
                "conditions": [condition("surface", "equal", "news"), condition("deletedAt", "equal", .null)],
            ]
            #expect(try await found(both) == [1, 5, 7, 9])
            #expect(try await found(["operator": "AND", "conditions": []]) == Set(0..<10))
        }
    }

    @Test(arguments: [
        (#"{"property":"title","op":"equal","value":"x"}"#, "unsupportedFilter"),
        (#"{"property":"surface","op":"less","value":"x"}"#, "unsupportedFilter"),
        (#"{"operator":"OR","conditions":[]}"#, "unsupportedFilter"),
        (#"{"operator":"AND","conditions":[{"operator":"AND","conditions":[]}]}"#, "unsupportedFilter"),
        (#"{"property":"surface","op":"equal"}"#, "invalidArguments"),
        (#"{"property":"surface","op":"equal","value":1}"#, "invalidArguments"),
        (#"{"property":"readAt","op":"equal","value":"x"}"#, "invalidArguments"),
        (#"{"text":"x"}"#, "invalidArguments"), (#"[]"#, "invalidArguments"),
    ])
    func otherFilters_areRefused(_ filter: String, _ type: String) async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            #expect(try await device.call("query", ["filter": try JSON(parsing: Array(filter.utf8))]).type == type)
        }
    }

    @Test func otherSorts_areRefused() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for sort: JSON in [[["property": "title"]], [["property": "deliverAt"], ["property": "id"]]] {
                #expect(try await device.call("query", ["sort": sort]).type == "unsupportedSort")
            }
            #expect(try await device.call("query", ["sort": "deliverAt"]).type == "invalidArguments")
            #expect(try await device.call("query", ["anchor": "x"]).type == "invalidArguments")
        }
    }

    /// Reads pages of the database, not the inbox: the plan has to walk the indexes in order.
    @Test func newestWindow_scansNoTable_andSortsOnlyWhatItGives() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let person = Person(id: 1, name: "ann", account: "a")
            let deleted: JSON = ["property": "deletedAt", "op": "equal", "value": .null]
            let filter = try InboxFilter(reading: JSONReader(deleted))
            let plans = try await storage.read { db -> [String] in
                var plans: [String] = []
                db.trace(options: .statement) { event in
                    if case .statement(let statement) = event { plans.append(statement.expandedSQL) }
                }
                _ = try Inbox(db: db, person: person).ids(filter: filter, isAscending: false, offset: 0, limit: 50)
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
