import Foundation
import GRDB
import Groundwork
import InboxClient
import InboxModel
import InboxServer
import InboxService
import Replica
import SeededRandom
import Testing

/// The three readings of a query (SQL, the server's filter, a match in memory) find the same messages.
@Suite(.timeLimit(.minutes(120))) struct QueryReadingsTests {
    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
    private static let seeds: [UInt64] = isLong ? Array(7...26) : [7]

    @Test(arguments: seeds)
    func `SQL, the server, memory and Foundation agree on every construct`(seed: UInt64) async throws {
        try await withFilledInbox(seed: seed) { filled in
            let all = try await filled.inbox.messages(.active)
            #expect(all.count == Self.count)
            for query in QueryCase.all(filled.clock.now) {
                try await check(query, all, filled.inbox, filled.device)
            }
        }
    }

    @Test(arguments: seeds)
    func `SQL, the server, memory and Foundation agree on random combinations`(seed: UInt64) async throws {
        try await withFilledInbox(seed: seed) { filled in
            var random = filled.random
            let all = try await filled.inbox.messages(.active)
            let cases = QueryCase.all(filled.clock.now)
            for _ in 0..<(Self.isLong ? 1_000 : 40) {
                let query = QueryCase.joined(cases, depth: 4, &random)
                try await check(query, all, filled.inbox, filled.device)
            }
        }
    }

    /// The server has limits of depth and number. What is beyond them is left to the device.
    @Test func `a query beyond the server's limits is accepted, and has its matches`() async throws {
        try await withFilledInbox(seed: 7) { filled in
            var random = filled.random
            let all = try await filled.inbox.messages(.active)
            let cases = QueryCase.all(filled.clock.now)
            var limited = 0
            for depth in [6, 8, 10] {
                for _ in 0..<(Self.isLong ? 15 : 5) {
                    let query = QueryCase.joined(cases, depth: depth, &random)
                    let filter = try StoreQuery(Query(where: query.predicate), in: .active).condition.filter
                    if filter.within(.message) != filter { limited += 1 }
                    try await check(query, all, filled.inbox, filled.device)
                }
            }
            #expect(limited > (Self.isLong ? 5 : 0))
        }
    }

    private func check(_ query: QueryCase, _ all: [Message], _ inbox: Inbox, _ device: Device) async throws {
        let read = try StoreQuery(Query(where: query.predicate), in: .active)
        let expected = all.filter { read.condition.matches($0) }.map(\.id)
        // Foundation compares by characters: another skin tone or an additional accent makes another character.
        if !query.description.contains("start") && !query.description.contains("earches")
            && !query.description.contains("contains")
        {
            #expect(expected == (try all.filter { try query.predicate.evaluate($0) }.map(\.id)), "Foundation: \(query)")
        }
        // SQL.
        #expect(
            try await inbox.fetch(Query(where: query.predicate), in: .active).map(\.id) == expected,
            "SQL: \(query)"
        )
        #expect(try await inbox.count(Query(where: query.predicate), in: .active) == expected.count, "SQL: \(query)")
        let page = try await inbox.fetch(Query(where: query.predicate, limit: 3, offset: 2), in: .active)
        #expect(page.map(\.id) == Array(expected.dropFirst(2).prefix(3)), "SQL, page: \(query)")
        // The server may return more where it can't decide.
        let active: JSON = ["property": "deletedAt", "op": "equal", "value": .null]
        let filter: JSON = read.serverFilter.map { ["operator": "AND", "conditions": [active, $0]] } ?? active
        let passed = try await device.call("query", ["filter": filter])
        let ids = Set(passed["ids"]?.strings ?? [])
        #expect(passed["type"] == nil, "server: \(query) \(filter) \(passed)")
        #expect(ids.isSuperset(of: expected), "server: \(query)")
        if read.condition.filter.within(.message).isExact {
            #expect(ids.count == expected.count, "server: \(query) \(filter)")
        }
        guard let isExact = query.isExact else { return }
        #expect(read.condition.filter.inColumns.isExact == isExact.sql, "SQL: \(query)")
        #expect(read.condition.filter.isExact == isExact.server, "server: \(query)")
    }

    @Test func `sort orders are the same in the store, on the server and in memory`() async throws {
        try await withFilledInbox(seed: 8) { filled in
            var random = filled.random
            let all = try await filled.inbox.messages(.active)
            let sorts: [[SortDescriptor<Message>]] = [
                [], [SortDescriptor(\.deliverAt)], [SortDescriptor(\.title, comparator: .lexical)],
                [SortDescriptor(\.body, comparator: .lexical, order: .reverse)],
                [SortDescriptor(\.category, comparator: .lexical), SortDescriptor(\.priority, order: .reverse)],
                [SortDescriptor(\.expiresAt, order: .reverse), SortDescriptor(\.id, comparator: .lexical)],
                [SortDescriptor(\.readAt), SortDescriptor(\.surface, comparator: .lexical)],
            ]
            for (number, sort) in sorts.enumerated() {
                let query = try StoreQuery(Query(sort: sort), in: .active)
                let sorted = all.shuffled(using: &random).sorted(by: query.order.precedes).map(\.id)
                #expect(try await filled.inbox.fetch(Query(sort: sort), in: .active).map(\.id) == sorted, "\(number)")
                let active: JSON = ["property": "deletedAt", "op": "equal", "value": .null]
                let answer = try await filled.device.call("query", ["filter": active, "sort": query.order.json])
                #expect(answer["ids"]?.strings == sorted, "\(number) \(answer)")
            }
        }
    }

    @Test func `an unsupported query throws an error that names the part`() async throws {
        let now = Date()
        let cases: [(Query<Message>, String)] = [
            (Query(where: #Predicate { $0.expiresAt! > now }), "! on an optional"),
            (Query(where: #Predicate { $0.priority + 1 > 2 }), "arithmetic"),
            (Query(where: #Predicate { -$0.priority > 2 }), "arithmetic"),
            (Query(where: #Predicate { $0.actions.filter { $0.type == "x" }.count > 1 }), "filter"),
            (Query(where: #Predicate { $0.actions[0].type == "x" }), "index"),
            (Query(sort: [SortDescriptor(\.campaignID, comparator: .lexical)]), "a sort by campaignID;"),
            (Query(sort: [SortDescriptor(\.title, comparator: Self.localized)]), "depends on the locale for title"),
            (
                Query(sort: [SortDescriptor(\.category, comparator: Self.localized, order: .reverse)]),
                "depends on the locale for category"
            ),
            (Query(where: #Predicate { $0.title.contains { $0.isLetter } }), "characters"),
            (Query(limit: -1), "limit"), (Query(offset: -1), "offset"),
        ]
        try await withServer { server in
            try await withInbox(server, ManualClock()) { inbox in
                for (query, part) in cases {
                    let error = await #expect(throws: InboxError.self) { try await inbox.fetch(query) }
                    #expect(error?.code == .invalidArgument)
                    #expect(error?.description.contains(part) == true, "\(error?.description ?? "") has no: \(part)")
                }
            }
        }
    }

    /// A comparator that depends on the locale.
    private static var localized: String.StandardComparator {
        #if canImport(Darwin)
            return .localizedStandard
        #else
            // Foundation has none here. The byte after its options marks a comparator as localized.
            var comparator = String.StandardComparator.lexical
            withUnsafeMutableBytes(of: &comparator) { $0[MemoryLayout<String.CompareOptions>.size] = 1 }
            return comparator
        #endif
    }

    // MARK: - The world

    private static let count = 120

    /// A synced inbox with varied messages and actions, and the server's view of it.
    private struct Filled {
        let inbox: Inbox
        let device: Device
        let clock: ManualClock
        /// The generator, to continue with.
        let random: Seeded
    }

    private func withFilledInbox(seed: UInt64, _ body: (Filled) async throws -> Void) async throws {
        let clock = ManualClock()
        // The longest of these filters take a debug build beside other work longer than a person may.
        try await withServer(clock: clock, configure: { $0.fairUse.readingTime = 60 }) { server in
            var random = Seeded(seed)
            try await fill(server, &random)
            let device = try await server.device(of: "ann")
            try await withInbox(server, clock) { inbox in
                try await inbox.sync()
                try await act(inbox, clock, &random)
                try await inbox.sync()
                try await body(Filled(inbox: inbox, device: device, clock: clock, random: random))
            }
        }
    }

    private func fill(_ server: TestServer, _ random: inout Seeded) async throws {
        func maybe(_ text: String) -> JSON { random.chance(0.4) ? .null : .string(text) }
        for number in 0..<Self.count {
            func text() -> String { QueryCase.texts.randomElement(using: &random) ?? "" }
            var message = JSONObject([
                ("title", .string(text())), ("body", .string(number == 0 ? "x" : text())), ("html", "<p>x</p>"),
                ("priority", JSON(Int.random(in: -5...5, using: &random))), ("pinned", .bool(random.chance(0.3))),
            ])
            if random.chance(0.6) {
                message["category"] = .string(["orders", "Café", "a%b"].randomElement(using: &random)!)
            }
            if random.chance(0.5) { message["groupKey"] = .string(["g", "zz"].randomElement(using: &random)!) }
            if random.chance(0.5) { message["campaignId"] = .string(["a_b", "c1"].randomElement(using: &random)!) }
            if random.chance(0.5) { message["templateId"] = "a_b" }
            let day = QueryCase.start
            if random.chance(0.5) {
                message["expiresAt"] = JSON(
                    day.addingTimeInterval(Double(Int.random(in: 3_500...3_700, using: &random)))
                )
            }
            message["deliverAt"] = JSON(day.addingTimeInterval(Double(Int.random(in: -50...0, using: &random)) / 10))
            let keys = QueryCase.keys.filter { !$0.isEmpty }.shuffled(using: &random).prefix(3)
            message["additionalData"] = .object(JSONObject(keys.map { ($0, .string(text())) }))
            message["actions"] = .array(
                (0..<Int.random(in: 0...2, using: &random)).map { action in
                    [
                        "id": .string("\(action)"), "text": .string("Read \(text())"), "type": .string(text()),
                        "link": "https://example.com/",
                        "actionType": .string(["", "webBrowser"].randomElement(using: &random)!),
                    ]
                }
            )
            _ = try await server.send(to: ["person": "ann"], .object(message))
        }
    }

    private func act(_ inbox: Inbox, _ clock: ManualClock, _ random: inout Seeded) async throws {
        let ids = try await inbox.messages(.active).map(\.id)
        for id in ids {
            clock.advance(by: 0.001)
            if random.chance(0.4) { try await inbox.markRead(id) }
            if random.chance(0.2) { try await inbox.archive(id) }
            if random.chance(0.2) { try await inbox.markSeen([id]) }
        }
    }

    private func withInbox(_ server: TestServer, _ clock: ManualClock, _ body: (Inbox) async throws -> Void)
        async throws
    {
        try await withFolder { folder in
            var configuration = InboxConfiguration()
            configuration.clock = clock
            configuration.isLive = false
            configuration.deviceLimit = .all
            configuration.newDeviceLimit = .all
            let inbox = try await Inbox.open(
                server: server.url,
                person: "ann",
                directory: folder,
                configuration: configuration
            ) { try await server.token(for: "ann") }
            try await body(inbox)
            await inbox.close()
        }
    }
}
