#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Logging
    import RecordedLogs
    import Testing

    @testable import InboxService
    @testable import Postgres

    /// The tokens of streams that have to be verified again, since another server has ended some.
    @Suite(.timeLimit(.minutes(5))) struct StreamLeaseTests {
        /// A server's place among others, from which nothing is heard but what a test says.
        private final class QuietNode: ListeningNode {
            let id = 0
            let isAlone = false
            let receivesChanges = true
            let clockDifference = 0.0
            func listen(_ receive: @escaping @Sendable (PostgresListener.Event) -> Void) {}

            func setListening(_ isListening: Bool) {}
            func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant) {}
            func readRows() async throws -> NodeRows { NodeRows(groups: [:], isAlone: false, readAt: .now) }
            let rows = Locked<(@Sendable (NodeRows) -> Void)?>(nil)
            func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void) { rows.withLock { $0 = body } }
            let failures = Locked<(@Sendable (any Error) -> Void)?>(nil)
            func observeFailures(_ body: @escaping @Sendable (any Error) -> Void) { failures.withLock { $0 = body } }
            func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void) {}
        }

        private struct Parts {
            let storage: Storage
            let states: LatestStates
            let writer: Writer
            let people: People
            let watchers: Watchers
            let others: OtherServers
            let node: QuietNode

            func hear(_ announcement: Announcement) {
                for payload in announcement.payloads(from: 1) {
                    others.hear(.notification(PostgresNotification(channel: "test", payload: payload, sender: 0)))
                }
            }
        }

        private func withParts(
            logger: Logger = Logger(label: "test"),
            _ body: (Parts) async throws -> Void
        ) async throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("leases-\(UUID()).sqlite")
            defer { try? FileManager.default.removeItem(at: file) }
            let node = QuietNode()
            let storage = try Storage(file: file, simulatedNode: node)
            let states = try await LatestStates(in: storage)
            let (clock, random) = (ManualClock(), RandomSource.system)
            let watchers = Watchers(clock: clock)
            let writer = try await Writer(storage: storage, clock: clock, random: random) { _ in }
            let people = People(storage: storage, writer: writer, states: states)
            let caches = OtherServers.Caches(
                states: states,
                people: people,
                tokens: try await Tokens(writer: writer, clock: clock, random: random),
                keys: try await APIKeys(
                    writer: writer,
                    adminKey: "key-of-32-characters-for-this-test",
                    clock: clock,
                    random: random
                ),
                watchers: watchers,
                evictResponses: { _ in },
                changed: { _ in },
                onListeningEvent: { _ in }
            )
            let others = try #require(OtherServers(of: storage, caches, logger: logger))
            let parts = Parts(
                storage: storage,
                states: states,
                writer: writer,
                people: people,
                watchers: watchers,
                others: others,
                node: node
            )
            try await body(parts)
            try await storage.close()
        }

        @Test func `a server without notifications finds commits by the other servers' rows`() async throws {
            try await withParts { parts in
                parts.others.begin()
                await parts.others.read()
                let report = try #require(parts.node.rows.withLock { $0 })
                // At first its announcement may be on its way.
                report(NodeRows(groups: [7: 5], isAlone: false, readAt: .now))
                report(NodeRows(groups: [7: 5], isAlone: false, readAt: .now))
                #expect(parts.others.needsRead)
            }
        }

        @Test func `a server reads nothing of its own notifications but the number`() async throws {
            try await withParts { parts in
                func hear(_ payload: String) {
                    let notification = PostgresNotification(channel: "test", payload: payload, sender: 0)
                    parts.others.hear(.notification(notification))
                }
                for payload in ["0", "0;own:1=2;groups:3-4", "0;unknown", "0;due:x"] { hear(payload) }
                #expect(!parts.others.needsRead)
                hear("00;due:1")
                #expect(parts.others.needsRead)
            }
        }

        @Test func `an outage of the database is logged once with its cause, without requests`() async throws {
            let log = RecordedLog()
            try await withParts(logger: log.logger) { parts in
                parts.others.begin()
                let fail = try #require(parts.node.failures.withLock { $0 })
                let report = try #require(parts.node.rows.withLock { $0 })
                let rows = NodeRows(groups: [:], isAlone: false, readAt: .now)
                // One connection that was closed isn't an outage.
                fail(PostgresError(.unavailable, "closed"))
                report(rows)
                #expect(log.entries.filter { $0.level >= .notice }.map(\.message) == [])
                for _ in 0..<5 { fail(PostgresError(.unavailable, "Connection refused")) }
                report(rows)
                report(rows)
                let entries = log.entries.filter { $0.level >= .notice }
                #expect(
                    entries.map(\.message) == [
                        "the database can't be reached or written", "the database can be reached and written again",
                    ]
                )
                #expect(entries.first?.level == .error)
                #expect(entries.first?.metadata["error"]?.contains("Connection refused") == true)
            }
        }

        @Test func `reading the sequences of all people pauses before the next such reading`() async throws {
            try await withParts { parts in
                var announcement = Announcement()
                announcement.isForAll = true
                let start = ContinuousClock.now
                for _ in 0..<2 {
                    parts.hear(announcement)
                    #expect(parts.others.needsRead)
                    await parts.others.read()
                }
                #expect(ContinuousClock.now - start >= .milliseconds(200))
            }
        }

        @Test func `a stream that is added while the sequences of all people are read is woken`() async throws {
            try await withParts { parts in
                let (storage, states, others) = (parts.storage, parts.states, parts.others)
                others.hear(.listening)
                await others.read()
                _ = parts.watchers.add(WakeUp(), for: 1)
                let start = states.beginLoading(2)
                _ = states.finishLoading(2, PersonState(own: 1, broadcast: 0), begunAt: start)
                #expect(states.state(of: 2) != nil)
                // The reading waits for a connection.
                let (running, hold) = (Locked(0), Locked(true))
                let readers = (0..<8).map { _ in
                    Task {
                        try await storage.read { _ in
                            running.withLock { $0 += 1 }
                            while hold.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                        }
                    }
                }
                while running.withLock({ $0 }) < 8 { await Task.yield() }
                var announcement = Announcement()
                announcement.isForAll = true
                parts.hear(announcement)
                async let reading: Void = others.read()
                while states.state(of: 2) != nil { await Task.yield() }
                let wakeUp = WakeUp()
                _ = parts.watchers.add(wakeUp, for: 2)
                hold.withLock { $0 = false }
                for reader in readers { try await reader.value }
                await reading
                wakeUp.end()
                #expect(await wakeUp.signals.reduce(0) { count, _ in count + 1 } == 1)
            }
        }

        @Test func `tokens of named people are verified before those of all others`() async throws {
            try await withParts { parts in
                let renewed = Locked<[Int]>([])
                for person in 1...1_000 {
                    let lease = StreamLease(token: .none, until: .distantFuture) {
                        let count = renewed.withLock { renewed in
                            renewed.append(person)
                            return renewed.count
                        }
                        if count == 1 {
                            var announcement = Announcement()
                            announcement.endedTokens = [1_000, 999]
                            parts.hear(announcement)
                            await parts.others.read()
                        }
                        return .distantFuture
                    }
                    _ = parts.watchers.add(WakeUp(), for: person, lease: lease)
                }
                var announcement = Announcement()
                announcement.hasKeys = true
                parts.hear(announcement)
                await parts.others.read()
                #expect(renewed.withLock { $0.isEmpty }, "reading waits for the tokens")
                await parts.others.renewLeases()
                let order = renewed.withLock { $0 }
                #expect(Set(order) == Set(1...1_000))
                #expect(Set([999, 1_000]).isSubset(of: order.prefix(210)) && order.count <= 1_002)
                #expect(!parts.others.needsLeases)
            }
        }

        @Test func `a stream ends once its token is rejected, before the others are verified`() async throws {
            try await withParts { parts in
                let wakeUp = WakeUp()
                let ended = Locked(false)
                let reader = Task {
                    for await _ in wakeUp.signals {}
                    ended.withLock { $0 = true }
                }
                let seen = Locked<[Bool]>([])
                _ = parts.watchers.add(
                    wakeUp,
                    for: 1,
                    lease: StreamLease(token: .none, until: .distantFuture) {
                        seen.withLock { $0 = [] }
                        return nil
                    }
                )
                for person in 2...60 {
                    let lease = StreamLease(token: .none, until: .distantFuture) {
                        try await Task.sleep(for: .milliseconds(5))
                        seen.withLock { $0.append(ended.withLock { $0 }) }
                        return .distantFuture
                    }
                    _ = parts.watchers.add(WakeUp(), for: person, lease: lease)
                }
                await parts.watchers.renewLeases()
                await reader.value
                // The order of the streams is any. Once the first one is verified, it ends, long before the others are.
                let others = seen.withLock { $0 }
                #expect(others.count < 3 || others.contains(true))
            }
        }

        @Test func `a stream whose token has an earlier end since it was verified again ends then`() async throws {
            let clock = ManualClock()
            let watchers = Watchers(clock: clock)
            let leases = StreamLeases(watchers: watchers, clock: clock, keysChanged: WakeUp())
            let service = Task { try await leases.run() }
            defer { service.cancel() }
            let (wakeUp, end) = (WakeUp(), clock.now.addingTimeInterval(60))
            _ = watchers.add(wakeUp, for: 1, lease: StreamLease(token: .none, until: .distantFuture) { end })
            _ = watchers.add(WakeUp(), for: 2, lease: .unlimited)
            await watchers.renewLeases(of: [1])
            #expect(try await eventually { clock.hasSleepers })
            clock.advance(by: 61)
            for await _ in wakeUp.signals {}
        }

        @Test func `a token that can't be verified is verified later, and the others meanwhile`() async throws {
            try await withParts { parts in
                let failures = Locked(2)
                let renewed = Locked<[Int]>([])
                struct Gone: Error {}
                for person in 1...3 {
                    let lease = StreamLease(token: .none, until: .distantFuture) {
                        let fails = failures.withLock { left in
                            guard person == 2, left > 0 else { return false }
                            left -= 1
                            return true
                        }
                        if fails { throw Gone() }
                        renewed.withLock { $0.append(person) }
                        return .distantFuture
                    }
                    _ = parts.watchers.add(WakeUp(), for: person, lease: lease)
                }
                var announcement = Announcement()
                announcement.endedTokens = [0]
                parts.hear(announcement)
                await parts.others.read()
                while parts.others.needsLeases { await parts.others.renewLeases() }
                #expect(renewed.withLock { $0.sorted() } == [1, 2, 3])
                #expect(failures.withLock { $0 } == 0)
            }
        }

        @Test func `tokens that can't be verified don't block the others`() async throws {
            try await withParts { parts in
                let renewed = Locked<Set<Int>>([])
                struct Gone: Error {}
                for person in 1...1_000 {
                    let lease = StreamLease(token: .none, until: .distantFuture) {
                        if person <= 100 { throw Gone() }
                        renewed.withLock { _ = $0.insert(person) }
                        return .distantFuture
                    }
                    _ = parts.watchers.add(WakeUp(), for: person, lease: lease)
                }
                var announcement = Announcement()
                announcement.hasKeys = true
                announcement.endedTokens = Set(1...100)
                parts.hear(announcement)
                await parts.others.read()
                // Each of them ends at a part in which a token can't be verified: at the named people, and ten of all.
                for _ in 1...11 { await parts.others.renewLeases() }
                #expect(renewed.withLock { $0 } == Set(101...1_000))
                #expect(parts.others.needsLeases)
            }
        }

        @Test func `people loaded together have the same token states as those loaded alone`() async throws {
            try await withServer { server in
                // The last two are one text to Swift, and two people.
                let names = ["ann", "bob", "zoë", "eve", "carl", "ren\u{E9}", "rene\u{301}"]
                try await server.send(to: ["people": JSON(names)])
                #expect(try await server.rest("DELETE", "/v1/people/bob/tokens").status == 204)
                #expect(try await server.rest("DELETE", "/v1/people/ren%C3%A9/tokens").status == 204)
                #expect(try await server.rest("DELETE", "/v1/people/eve").status < 300)
                try await server.send(to: ["person": "eve"])
                let signedOut = TokenID(of: try await server.token(for: "zoë"))
                let storage = try await server.storage()
                try await storage.writeTables { db in
                    try db.run(
                        "INSERT INTO endedToken (token, personName, expiresAt) VALUES (?, ?, ?)",
                        [signedOut.data, "zoë", 4_000_000_000_000]
                    )
                }
                let numbers = try await storage.read { reading in
                    let all = names + ["unknown"]
                    let starts = try reading.tokenStarts(of: all)
                    let signedOut = try reading.signedOutTokens(of: all)
                    for name in all {
                        let bytes = Array(name.utf8)
                        #expect(starts[bytes] == (try reading.tokenStart(of: name)))
                        #expect(signedOut[bytes] ?? [] == (try reading.signedOutTokens(of: name)))
                    }
                    let ended = ["bob", "eve", "ren\u{E9}"].map { Array($0.utf8) }
                    #expect(Set(starts.keys) == Set(ended) && Array(signedOut.keys) == [Array("zoë".utf8)])
                    return try names.compactMap {
                        try reading.db.value("SELECT id FROM person WHERE name = ?", [$0]) as Int?
                    }
                }
                let states = try await LatestStates(in: storage)
                let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system) { _ in }
                let people = People(storage: storage, writer: writer, states: states)
                try await people.load(numbers + [1_000_000])
                for (name, number) in zip(names, numbers) {
                    #expect(people.evictTokens(ofPerson: number)?.name == name)
                }
                #expect(people.evictTokens(ofPerson: 1_000_000) == nil)
            }
        }
    }
#endif
