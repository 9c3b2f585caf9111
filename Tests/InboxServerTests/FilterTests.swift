import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The filters of `InboxMessage/query`.
@Suite(.timeLimit(.minutes(10))) struct FilterTests {
    /// The indexes of the matching messages among the given ones. Expects the total to agree.
    private func found(_ filter: JSON, _ ids: [String], _ device: Device) async throws -> Set<Int> {
        let answer = try await device.call("query", ["filter": filter, "calculateTotal": true])
        guard let matching = answer["ids"]?.strings else { throw UnexpectedResponse(answer: answer.description) }
        #expect(answer["total"] == JSON(matching.count))
        return Set(matching.compactMap { ids.firstIndex(of: $0) })
    }

    /// Sends messages a second apart, every second one as a broadcast.
    private func send(_ messages: [JSON], _ server: TestServer, _ clock: ManualClock) async throws -> [String] {
        var ids: [String] = []
        for (index, message) in messages.enumerated() {
            ids.append(try await server.send(to: index % 2 == 0 ? ["person": "ann"] : ["everyone": true], message))
            clock.advance(by: 1)
        }
        return ids
    }

    private static let forms: [([JSON], Bool)] = [
        ([], true), (["title"], true), (["title", "body"], true), (["title", "body", "category"], false),
        (["title", ["operator": "NOT", "conditions": []]], false),
        (["title", ["operator": "OR", "conditions": ["title"]]], false),
        ([["operator": "AND", "conditions": ["title"]]], false),
    ]

    /// A client could fill the server's memory with the statements of filters of unlimited forms.
    @Test(arguments: forms) func `statements are cached for conjunctions of one or two conditions only`(
        parts: [JSON],
        isCached: Bool
    ) throws {
        func filled(_ part: JSON) -> JSON {
            if let name = part.stringValue { return condition(name, "equal", "x") }
            guard var object = part.objectValue else { return part }
            object["conditions"] = .array((object["conditions"]?.arrayValue ?? []).map(filled))
            return .object(object)
        }
        for name in ["AND", "OR", "NOT"] {
            let json: JSON = ["operator": .string(name), "conditions": .array(parts.map(filled))]
            let filter = try InboxFilter(reading: JSONReader(json))
            #expect(filter.isCommon == (isCached && name == "AND"), "\(json)")
        }
        #expect(try InboxFilter(reading: JSONReader(condition("title", "equal", "x"))).isCommon)
        #expect(InboxFilter().isCommon)
    }

    @Test func `text is compared by its bytes in normal form C`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await send(
                [
                    ["title": "Sale"], ["title": "sale today"], ["title": "Söde"], ["body": "100% sale_"],
                    ["title": "So\u{308}de"], ["title": "a%b*c?d["],
                ],
                server,
                clock
            )
            let device = try await server.device(of: "ann")
            func title(_ op: String, _ value: JSON) async throws -> Set<Int> {
                try await found(condition("title", op, value), ids, device)
            }
            #expect(try await title("equal", "Sale") == [0])
            #expect(try await title("notEqual", "Sale") == [1, 2, 3, 4, 5])
            #expect(try await title("equal", "") == [3])
            #expect(try await title("equal", .null) == [])
            #expect(try await title("equal", "Söde") == [2, 4])
            #expect(try await title("equal", "So\u{308}de") == [2, 4])
            #expect(try await title("in", ["So\u{308}de", "Sale"]) == [0, 2, 4])
            #expect(try await title("contains", "ale") == [0, 1])
            #expect(try await title("contains", "SALE") == [])
            #expect(try await title("contains", "%") == [5])
            #expect(try await title("contains", "*c?d[") == [5])
            #expect(try await title("contains", "") == Set(0..<6))
            #expect(try await title("startsWith", "S") == [0, 2, 4])
            #expect(try await title("startsWith", "Sö") == [2, 4])
            #expect(try await title("startsWith", "a%b*") == [5])
            #expect(try await title("startsWith", "%") == [])
            #expect(try await title("startsWith", "") == Set(0..<6))
            #expect(try await title("lessThan", "a") == [0, 2, 3, 4])
            #expect(try await title("greaterThanOrEqual", "sale today") == [1])
            #expect(try await title("greaterThan", "So\u{308}de") == [1, 5])
            #expect(try await title("lessThanOrEqual", "Sale") == [0, 3])
            #expect(try await title("in", ["Sale", "Söde", "x"]) == [0, 2, 4])
            #expect(try await title("in", []) == [])
            #expect(try await found(condition("body", "startsWith", "100%"), ids, device) == [3])
        }
    }

    @Test func `a property without a value is filtered as its default or null`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await send(
                [
                    ["title": "x", "category": "news", "groupKey": "g", "priority": 5, "pinned": true],
                    ["title": "x", "expiresAt": "2026-06-01T00:00:00Z", "templateId": "t", "campaignId": "c"],
                    ["html": "<b>x</b>", "priority": -5, "consentCategory": "ads", "surface": "news"],
                    ["title": "x", "additionalData": ["a/b": "1", "kind\"": "x", "empty": ""]],
                ],
                server,
                clock
            )
            let device = try await server.device(of: "ann")
            func matching(_ property: String, _ op: String, _ value: JSON) async throws -> Set<Int> {
                try await found(condition(property, op, value), ids, device)
            }
            #expect(try await matching("category", "equal", .null) == [1, 2, 3])
            #expect(try await matching("category", "notEqual", .null) == [0])
            #expect(try await matching("category", "notEqual", "news") == [1, 2, 3])
            #expect(try await matching("category", "lessThan", "z") == [0])
            #expect(try await matching("category", "in", ["news", .null]) == [0, 1, 2, 3])
            #expect(try await matching("groupKey", "startsWith", "g") == [0])
            #expect(try await matching("surface", "equal", "inbox") == [0, 1, 3])
            #expect(try await matching("priority", "greaterThan", 0) == [0])
            #expect(try await matching("priority", "lessThanOrEqual", 0) == [1, 2, 3])
            #expect(try await matching("priority", "in", [-5, 5]) == [0, 2])
            #expect(try await matching("pinned", "equal", true) == [0])
            #expect(try await matching("pinned", "equal", false) == [1, 2, 3])
            #expect(try await matching("templateId", "equal", "t") == [1])
            #expect(try await matching("campaignId", "notEqual", "c") == [0, 2, 3])
            #expect(try await matching("consentCategory", "contains", "d") == [2])
            #expect(try await matching("html", "contains", "<b>") == [2])
            #expect(try await matching("additionalData/a~1b", "equal", "1") == [3])
            #expect(try await matching("additionalData/kind\"", "startsWith", "x") == [3])
            #expect(try await matching("additionalData/empty", "equal", "") == [3])
            #expect(try await matching("additionalData/empty", "equal", .null) == [0, 1, 2])
            #expect(try await matching("additionalData/empty", "in", [.null, "1"]) == [0, 1, 2])
        }
    }

    @Test func `dates are compared as times and ids as ids`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await send(
                [
                    ["title": "x"], ["title": "x"], ["title": "x", "expiresAt": "2026-06-01T00:00:00Z"], ["title": "x"],
                ],
                server,
                clock
            )
            let device = try await server.device(of: "ann")
            for id in ids[..<2] { try await device.update(id, ["readAt": "2026-05-01T09:00:00.5Z"]) }
            func matching(_ property: String, _ op: String, _ value: JSON) async throws -> Set<Int> {
                try await found(condition(property, op, value), ids, device)
            }
            #expect(try await matching("deliverAt", "lessThan", "2026-05-01T08:00:02Z") == [0, 1])
            #expect(try await matching("deliverAt", "lessThanOrEqual", "2026-05-01T08:00:02Z") == [0, 1, 2])
            #expect(try await matching("deliverAt", "greaterThan", "2026-05-01T08:00:02Z") == [3])
            #expect(try await matching("deliverAt", "equal", "2026-05-01T08:00:02.000Z") == [2])
            // Broadcasts expire after 90 days by default.
            #expect(try await matching("expiresAt", "lessThan", "2026-07-01T00:00:00Z") == [2])
            #expect(try await matching("expiresAt", "equal", .null) == [0])
            #expect(try await matching("readAt", "equal", "2026-05-01T09:00:00.5Z") == [0, 1])
            #expect(try await matching("readAt", "greaterThan", "2026-05-01T09:00:00Z") == [0, 1])
            #expect(try await matching("readAt", "lessThan", "2030-01-01T00:00:00Z") == [0, 1])
            #expect(try await matching("readAt", "notEqual", "2026-05-01T09:00:00.5Z") == [2, 3])
            #expect(try await matching("readAt", "in", [.null]) == [2, 3])
            #expect(try await matching("id", "equal", .string(ids[1])) == [1])
            #expect(try await matching("id", "in", [.string(ids[3]), "unknown", .string(ids[0])]) == [0, 3])
            #expect(try await matching("id", "notEqual", "unknown") == [0, 1, 2, 3])
        }
    }

    @Test func `operators nest, and null is neither less nor greater`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await send(
                [
                    ["title": "a", "category": "x"], ["title": "b", "category": "y"], ["title": "c"],
                    ["title": "d", "category": "x"],
                ],
                server,
                clock
            )
            let device = try await server.device(of: "ann")
            func matching(_ filter: JSON) async throws -> Set<Int> { try await found(filter, ids, device) }
            let isX = condition("category", "equal", "x")
            let isA = condition("title", "equal", "a")
            let isC = condition("title", "equal", "c")
            #expect(try await matching(filter("AND", isX, isA)) == [0])
            #expect(try await matching(filter("OR", isX, isC)) == [0, 2, 3])
            // NOT means that none of the conditions match.
            #expect(try await matching(filter("NOT", isX, isC)) == [1])
            #expect(try await matching(filter("NOT", condition("category", "greaterThan", "x"))) == [0, 2, 3])
            #expect(try await matching(filter("NOT", condition("category", "contains", "x"))) == [1, 2])
            #expect(try await matching(filter("NOT", condition("category", "startsWith", "x"))) == [1, 2])
            #expect(try await matching(filter("NOT", condition("category", "in", ["x"]))) == [1, 2])
            #expect(try await matching(filter("AND", filter("OR", isX, isC), filter("NOT", isA))) == [2, 3])
            #expect(try await matching(filter("NOT", filter("NOT", filter("AND", isX)))) == [0, 3])
            // Without conditions, AND and NOT match all and OR none.
            #expect(try await matching(filter("AND")) == [0, 1, 2, 3])
            #expect(try await matching(filter("OR")) == [])
            #expect(try await matching(filter("NOT")) == [0, 1, 2, 3])
        }
    }

    @Test func `an unsupported or malformed filter is rejected with its pointer`() async throws {
        let cases: [(String, String, String)] = [
            (#"{"property":"color","op":"equal","value":"x"}"#, "unsupportedFilter", "/filter/property"),
            (#"{"property":"media","op":"equal","value":null}"#, "unsupportedFilter", "/filter/property"),
            (#"{"property":"surface","op":"less","value":"x"}"#, "unsupportedFilter", "/filter/op"),
            (#"{"property":"pinned","op":"lessThan","value":true}"#, "unsupportedFilter", "/filter/op"),
            (#"{"property":"readAt","op":"contains","value":"x"}"#, "unsupportedFilter", "/filter/op"),
            (#"{"property":"id","op":"lessThan","value":"x"}"#, "unsupportedFilter", "/filter/op"),
            (#"{"operator":"XOR","conditions":[]}"#, "invalidArguments", "/filter/operator"),
            (#"{"operator":"AND"}"#, "invalidArguments", "/filter/conditions"),
            (
                #"{"operator":"AND","conditions":[{"operator":"OR","conditions":[7]}]}"#, "invalidArguments",
                "conditions/0"
            ),
            (#"{"operator":"AND","conditions":[],"property":"title"}"#, "invalidArguments", "/filter/property"),
            (#"{"property":"surface","op":"equal"}"#, "invalidArguments", "/filter"),
            (#"{"property":"surface","op":"equal","value":1}"#, "invalidArguments", "/filter/value"),
            (#"{"property":"surface","op":"contains","value":null}"#, "invalidArguments", "/filter/value"),
            (#"{"property":"surface","op":"in","value":"x"}"#, "invalidArguments", "/filter/value"),
            (#"{"property":"surface","op":"in","value":["x",1]}"#, "invalidArguments", "/filter/value/1"),
            (#"{"property":"priority","op":"equal","value":1.5}"#, "invalidArguments", "/filter/value"),
            (#"{"property":"pinned","op":"equal","value":1}"#, "invalidArguments", "/filter/value"),
            (#"{"property":"readAt","op":"equal","value":"x"}"#, "invalidArguments", "/filter/value"),
            (#"{"text":"x"}"#, "invalidArguments", "/filter/text"), (#"[]"#, "invalidArguments", "/filter"),
        ]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            for (filter, type, place) in cases {
                let error = try await device.call("query", ["filter": try JSON(parsing: Array(filter.utf8))])
                #expect(error.type == type, "\(filter)")
                #expect(error["description"]?.stringValue?.contains(place) == true, "\(filter): \(error)")
            }
        }
    }

    @Test func `filters are rejected only past the limits of depth, conditions and values`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let isHello = condition("title", "equal", "Hello")
            func nested(_ depth: Int) -> JSON { (0..<depth).reduce(isHello) { inner, _ in filter("AND", inner) } }
            #expect(try await device.ids(["filter": nested(8)]) == [id])
            #expect(try await device.call("query", ["filter": nested(9)]).type == "unsupportedFilter")
            func long(_ count: Int) -> JSON {
                ["operator": "OR", "conditions": .array(Array(repeating: isHello, count: count))]
            }
            #expect(try await device.ids(["filter": long(63)]) == [id])
            #expect(try await device.call("query", ["filter": long(64)]).type == "unsupportedFilter")
            func list(_ count: Int) -> JSON {
                condition("title", "in", .array((0..<count).map { .string("\($0)") }))
            }
            #expect(try await device.ids(["filter": list(1_000)]) == [])
            #expect(try await device.call("query", ["filter": list(1_001)]).type == "unsupportedFilter")
            // The query's limit counts as a value too.
            let tenLists = JSON.array(Array(repeating: list(1_000), count: 10))
            #expect(try await device.ids(["filter": ["operator": "OR", "conditions": tenLists]]) == [])
            let oneMore = JSON.array(Array(repeating: list(1_000), count: 10) + [isHello])
            let refused = try await device.call("query", ["filter": ["operator": "OR", "conditions": oneMore]])
            #expect(refused.type == "unsupportedFilter")
            #expect(refused["description"]?.stringValue?.contains("10000 values") == true)
        }
    }
}
