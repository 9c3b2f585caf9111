import Foundation
import Groundwork
import InboxModel
import SeededRandom
import Testing

@testable import InboxServer
@testable import InboxService

/// The changes of a query's results (RFC 8620 §5.6).
@Suite(.timeLimit(.minutes(10))) struct QueryChangesTests {
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? [1, 2] : Array(1...4)
    private let deleted = condition("deletedAt", "equal", .null)

    private func changes(_ device: Device, since state: JSON?, _ more: [(String, JSON)] = []) async throws -> JSON {
        try await device.call("queryChanges", .object(JSONObject([("sinceQueryState", state ?? .null)] + more)))
    }

    @Test func `queryChanges returns added ids with their index, and removed ids`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var ids: [String] = []
            for _ in 0..<4 {
                ids.append(try await server.send(to: ["person": "ann"]))
                clock.advance(by: 1)
            }
            let device = try await server.device(of: "ann")
            let before = try await device.call("query")
            #expect(before["canCalculateChanges"] == true)
            let new = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            _ = try await device.call("set", ["destroy": [.string(ids[1])]])
            try await device.update(ids[2], ["readAt": "2026-05-01T08:00:00Z"])
            let answer = try await changes(device, since: before["queryState"], [("calculateTotal", true)])
            #expect(answer["oldQueryState"] == before["queryState"])
            #expect(answer["newQueryState"]?.stringValue == (try await device.state()))
            #expect(answer["removed"] == [.string(ids[1])])
            #expect(answer["added"] == [["id": .string(new[1]), "index": 0], ["id": .string(new[0]), "index": 1]])
            #expect(answer["total"] == 5)
            let nothing = try await changes(device, since: answer["newQueryState"])
            #expect(nothing["removed"] == [])
            #expect(nothing["added"] == [])
            #expect(nothing["total"] == nil)
        }
    }

    @Test func `an update moves a message into and out of filtered results`() async throws {
        try await withServer { server in
            let ids = [try await server.send(to: ["person": "ann"]), try await server.send(to: ["everyone": true])]
            let device = try await server.device(of: "ann")
            let before = try await device.state()
            try await device.update(ids[0], ["deletedAt": "2026-05-01T08:00:00Z"])
            try await device.update(ids[1], ["readAt": "2026-05-01T08:00:00Z"])
            let answer = try await changes(device, since: .string(before), [("filter", deleted)])
            #expect(Set(answer["removed"]?.strings ?? []) == Set(ids))
            #expect(answer["added"] == [["id": .string(ids[1]), "index": 0]])
            // An edit by the sender may make a message match.
            let title = condition("title", "startsWith", "N")
            let state = try await device.state()
            _ = try await server.rest("PUT", "/v1/messages/\(ids[0])", ["message": ["title": "New"]])
            let edited = try await changes(device, since: .string(state), [("filter", title)])
            #expect(edited["added"] == [["id": .string(ids[0]), "index": 0]])
        }
    }

    @Test func `upToId omits changes after it where positions can't change`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var ids: [String] = []
            for _ in 0..<6 {
                ids.append(try await server.send(to: ["person": "ann"]))
                clock.advance(by: 1)
            }
            let device = try await server.device(of: "ann")
            let before = JSON.string(try await device.state())
            _ = try await device.call("set", ["destroy": [.string(ids[0]), .string(ids[4])]])
            let old = try await server.send(to: ["person": "ann"])
            let upTo: (String, JSON) = ("upToId", .string(ids[3]))
            let newest = try await changes(device, since: before, [upTo])
            #expect(newest["removed"] == [.string(ids[4])])
            #expect(newest["added"] == [["id": .string(old), "index": 0]])
            let sort: (String, JSON) = ("sort", [["property": "deliverAt"]])
            let oldest = try await changes(device, since: before, [upTo, sort])
            #expect(oldest["removed"] == [.string(ids[0])])
            #expect(oldest["added"] == [])
            // An `upToId` outside the results omits nothing.
            for unknown in [ids[4], "unknown"] {
                let answer = try await changes(device, since: before, [("upToId", .string(unknown))])
                #expect(Set(answer["removed"]?.strings ?? []) == [ids[0], ids[4]])
            }
        }
    }

    @Test func `more changes than maxChanges are tooManyChanges`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let before = JSON.string(try await device.state())
            #expect(try await changes(device, since: before, [("maxChanges", 0)])["added"] == [])
            for _ in 0..<3 { try await server.send(to: ["person": "ann"]) }
            #expect(try await changes(device, since: before, [("maxChanges", 2)]).type == "tooManyChanges")
            #expect(try await changes(device, since: before, [("maxChanges", 3)])["added"]?.arrayValue?.count == 3)
            #expect(try await changes(device, since: before, [("maxChanges", -1)]).type == "invalidArguments")
        }
    }

    @Test func `changes of other sort orders and states cannot be calculated`() async throws {
        try await withServer { server in
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let since = JSON.string(try await device.state())
            for sort: JSON in [[["property": "title"]], [["property": "deliverAt"], ["property": "title"]]] {
                #expect(try await device.call("query", ["sort": sort])["canCalculateChanges"] == false)
                #expect(try await changes(device, since: since, [("sort", sort)]).type == "cannotCalculateChanges")
            }
            for state: JSON in ["", "nonsense", "99-99", "1-0-0-0"] {
                #expect(try await changes(device, since: state).type == "cannotCalculateChanges")
            }
            #expect(try await changes(device, since: nil).type == "invalidArguments")
            #expect(
                try await changes(device, since: since, [("filter", condition("color", "equal", "x"))]).type
                    == "unsupportedFilter"
            )
            #expect(
                try await changes(device, since: since, [("sort", [["property": "color"]])]).type == "unsupportedSort"
            )
        }
    }

    /// A client that applies RFC 8620 §5.6 to its cached ids gets the results of a new query.
    @Test(arguments: seeds)
    func `queryChanges applied to cached results give the results of a new query`(_ seed: UInt64) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            var random = Seeded(seed)
            let device = try await server.device(of: "ann")
            var world = World(server: server, device: device, clock: clock)
            for _ in 0..<12 { try await world.act(&random) }
            let filters: [JSON] = [
                .null, deleted, condition("readAt", "notEqual", .null), condition("title", "contains", "a"),
                condition("deliverAt", "greaterThan", "2026-05-01T08:00:20Z"),
                filter(
                    "NOT",
                    condition("category", "in", ["x"]),
                    filter("AND", deleted, condition("pinned", "equal", true))
                ),
            ]
            let queries = filters.flatMap { filter in
                [false, true].map {
                    (filter: filter, sort: [["property": "deliverAt", "isAscending": .bool($0)]] as JSON)
                }
            }
            for _ in 0..<6 {
                // Some caches hold all of the results, some only the start.
                var caches: [Cache] = []
                for query in queries {
                    let limit = random.chance(0.5) ? 5_000 : Int.random(in: 1...5, using: &random)
                    caches.append(try await Cache(filter: query.filter, sort: query.sort, limit: limit, device))
                }
                for _ in 0..<Int.random(in: 1...8, using: &random) { try await world.act(&random) }
                for cache in caches {
                    let (updated, fresh) = try await cache.updated(device)
                    let name = Comment(rawValue: "\(cache.filter) \(cache.sort) of \(cache.limit)")
                    #expect(updated.ids.count == fresh.count, name)
                    for (cached, id) in zip(updated.ids, fresh) where cached != nil { #expect(cached == id, name) }
                    // A cache that held all results still holds them all.
                    if cache.limit == 5_000 { #expect(updated.ids == fresh, name) }
                }
            }
        }
    }
}

/// A client's cached results of a query: nil for ids that it hasn't fetched.
private struct Cache {
    let filter: JSON
    let sort: JSON
    let limit: Int
    var ids: [String?]
    var state: String

    init(filter: JSON, sort: JSON, limit: Int, _ device: Device) async throws {
        (self.filter, self.sort, self.limit) = (filter, sort, limit)
        let answer = try await device.call(
            "query",
            ["filter": filter, "sort": sort, "limit": JSON(limit), "calculateTotal": true]
        )
        guard let held = answer["ids"]?.strings, let total = answer["total"]?.intValue,
            let state = answer["queryState"]?.stringValue
        else { throw UnexpectedResponse(answer: answer.description) }
        ids = held + Array(repeating: nil, count: total - held.count)
        self.state = state
    }

    /// The cached results with the changes applied, and the results of a new query at the same state.
    func updated(_ device: Device) async throws -> (Cache, fresh: [String]) {
        while true {
            var arguments = JSONObject([
                ("filter", filter), ("sort", sort), ("sinceQueryState", .string(state)), ("calculateTotal", true),
            ])
            // With the last cached id as `upToId`, later additions are omitted. A complete cache needs them, so it
            // sends none.
            if ids.contains(nil) { arguments["upToId"] = ids.last { $0 != nil }?.map(JSON.string) }
            let changes = try await device.call("queryChanges", .object(arguments))
            let fresh = try await device.call("query", ["filter": filter, "sort": sort])
            // A due message was delivered in between.
            guard fresh["queryState"] == changes["newQueryState"] else { continue }
            guard let removed = changes["removed"]?.strings, let added = changes["added"]?.arrayValue,
                let total = changes["total"]?.intValue
            else { throw UnexpectedResponse(answer: changes.description) }
            var cache = self
            cache.ids.removeAll { id in id.map(removed.contains) ?? false }
            for item in added {
                let index = item["index"]?.intValue ?? 0
                while cache.ids.count < index { cache.ids.append(nil) }
                cache.ids.insert(item["id"]?.stringValue, at: index)
            }
            while cache.ids.count < total { cache.ids.append(nil) }
            cache.ids.removeLast(cache.ids.count - total)
            return (cache, fresh["ids"]?.strings ?? [])
        }
    }
}

/// A random sequence of everything that can happen to an inbox.
private struct World {
    let server: TestServer
    let device: Device
    let clock: ManualClock
    private var ids: [String] = []

    init(server: TestServer, device: Device, clock: ManualClock) {
        (self.server, self.device, self.clock) = (server, device, clock)
    }

    private func message(_ random: inout Seeded) -> JSON {
        var message = JSONObject([("title", .string(["a", "b", "ab"].randomElement(using: &random) ?? ""))])
        if random.chance(0.5) { message["category"] = random.chance(0.5) ? "x" : "y" }
        if random.chance(0.3) { message["pinned"] = true }
        if random.chance(0.2) { message["expiresAt"] = JSON(clock.now + 60) }
        return .object(message)
    }

    mutating func act(_ random: inout Seeded) async throws {
        clock.advance(by: Double(Int.random(in: 0...2, using: &random)))
        let id = ids.randomElement(using: &random)
        switch Int.random(in: 0...9, using: &random) {
        case 0...2:
            ids.append(try await server.send(to: ["person": "ann"], message(&random)))
        case 3:
            ids.append(try await server.send(to: ["everyone": true], message(&random)))
        case 4:
            var later = message(&random).objectValue ?? JSONObject()
            later["deliverAt"] = JSON(clock.now + Double(Int.random(in: 1...9, using: &random)))
            ids.append(
                try await server.send(to: random.chance(0.5) ? ["person": "ann"] : ["everyone": true], .object(later))
            )
        case 5:
            if let id { _ = try await server.rest("PUT", "/v1/messages/\(id)", ["message": message(&random)]) }
        case 6:
            if let id, random.chance(0.4) { _ = try await server.rest("DELETE", "/v1/messages/\(id)") }
        case 7:
            if let id, random.chance(0.4) { _ = try await device.call("set", ["destroy": [.string(id)]]) }
        default:
            let field = ["readAt", "deletedAt", "archivedAt"].randomElement(using: &random) ?? "readAt"
            let value: JSON = random.chance(0.6) ? JSON(clock.now) : .null
            if let id { try await device.update(id, .object(JSONObject([(field, value)]))) }
        }
    }
}
