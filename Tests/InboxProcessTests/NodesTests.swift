#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import Postgres
    import RawSockets
    import RunningPostgres
    import SeededRandom
    import Testing

    /// Two or three servers as processes over one database, each behind a network of its own, and what can happen to
    /// them.
    ///
    /// `NODE_SEED` chooses the faults, and is printed. Processes and networks have their own times, so a seed doesn't
    /// repeat a run.
    @Suite(.serialized, .timeLimit(.minutes(120))) struct NodesTests {
        /// The number of rounds in which a server is killed: `NODE_KILL_ROUNDS`, or 20.
        private static let kills = ProcessInfo.processInfo.environment["NODE_KILL_ROUNDS"].flatMap { Int($0) } ?? 20
        /// The number of rounds with other faults: each of the six kinds at least once.
        private static let others = max(6, kills / 3)

        @Test func `servers that are killed under load lose and duplicate nothing`() async throws {
            try await Nodes.with(hasWebhook: true) { nodes in
                for round in 1...Self.kills {
                    let killed = round % nodes.worlds.count
                    try await nodes.round(round) {
                        try await nodes.worlds[killed].killServer()
                        try await Task.sleep(for: .milliseconds(round % 2 == 0 ? 0 : 300))
                        try await nodes.start(killed)
                    }
                }
                try await nodes.end(rounds: Self.kills)
            }
        }

        @Test func `paused servers and a failing database lose and duplicate nothing`() async throws {
            try await Nodes.with(servers: 2) { nodes in
                for round in 1...Self.others {
                    let index = round % nodes.worlds.count
                    try await nodes.round(round) {
                        switch round % 6 {
                        case 0:
                            try await nodes.pause(index, for: .seconds(2))
                        case 1:
                            try await nodes.killBackend()
                        case 2:
                            // Up to ten connections, each at a byte of its own.
                            for _ in 0..<10 {
                                try await nodes.relays[index].cut(after: nodes.random(0...20_000))
                                try await Task.sleep(for: .milliseconds(100))
                            }
                        case 3:
                            try await nodes.relays[index].hold()
                            try await Task.sleep(for: .seconds(1))
                            try await nodes.relays[index].release()
                        case 4:
                            // At a byte of a statement or an answer. What would follow never arrives.
                            let relay = nodes.relays[index]
                            try await relay.hold(after: nodes.random(0...20_000))
                            try await nodes.worlds[index].until("bytes are lost") { try await relay.isHolding() }
                            try await Task.sleep(for: .seconds(1))
                            try await relay.resume()
                        default:
                            try await nodes.database.kill()
                            try await nodes.database.restart()
                        }
                    }
                }
                try await nodes.end(rounds: Self.others)
            }
        }

        @Test func `servers of which some connections fail lose and duplicate nothing`() async throws {
            try await Nodes.with(hasWebhook: true) { nodes in
                for round in 1...Self.others {
                    let kinds = DatabaseRelay.Disturbance.allCases
                    try await nodes.round(round) {
                        // Two of the servers at once, each with connections and a kind of its own.
                        let disturbed = nodes.worlds.indices.filter { $0 != round % nodes.worlds.count }
                        for (place, index) in disturbed.enumerated() {
                            let every = nodes.random(2...4)
                            try await nodes.relays[index].disturb(
                                kinds[(round + place) % kinds.count],
                                every: every,
                                first: nodes.random(0...every - 1),
                                delay: nodes.random(20...400)
                            )
                        }
                        try await Task.sleep(for: .seconds(3))
                        for index in disturbed { try await nodes.relays[index].spare() }
                    }
                }
                try await nodes.end(rounds: Self.others)
            }
        }

        @Test func `a stopped server exits within five seconds while others keep running`() async throws {
            try await Nodes.with { nodes in
                try await nodes.round(1) {
                    for index in nodes.worlds.indices {
                        let (took, lateness) = try await measured { try await nodes.worlds[index].stopServer() }
                        #expect(took < .seconds(5) + lateness, "\(took), with a machine that is late by \(lateness)")
                        try await nodes.start(index)
                    }
                }
                try await nodes.end(rounds: 1)
                // Those that were stopped left their numbers to those that came.
                let numbers = try await nodes.query("SELECT id::bigint FROM node")
                #expect(numbers.count <= 4)
            }
        }
    }

    /// Servers over one database of their own PostgreSQL, with senders and devices on all of them.
    final class Nodes: Sendable {
        let database: DatabaseServer
        let worlds: [World]
        let relays: [DatabaseRelay]
        /// A message, with the id that a server has answered.
        private struct Sent {
            let person: String
            var id: String?
        }

        private static let people = ["ann", "bob"]
        /// The pause of a sender after each message. `make test-long` has none.
        private static let pause: Duration =
            ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? .milliseconds(60) : .zero
        private let sent = Locked<[String: Sent]>([:])
        /// The people of the messages that were marked as read, by the messages' ids.
        private let marked = Locked<[String: String]>([:])
        /// What receives the payloads of the marks. Nil if there is no webhook.
        private let receiver: SingleResponseServer?
        private let seeded: Locked<Seeded>
        private let watches = Locked<[Watch]>([])
        /// The number of answers by which a server has refused a send, by status.
        let refusals = Locked<[Int: Int]>([:])
        /// Whether the servers read and write through PgBouncer.
        private let usesPooler: Bool

        private init(
            _ database: DatabaseServer,
            _ worlds: [World],
            _ relays: [DatabaseRelay],
            usesPooler: Bool,
            hasWebhook: Bool
        ) throws {
            (self.database, self.worlds, self.relays, self.usesPooler) = (database, worlds, relays, usesPooler)
            let response = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
            receiver = try hasWebhook ? SingleResponseServer(response: response, count: .max) : nil
            let given = ProcessInfo.processInfo.environment["NODE_SEED"].flatMap { UInt64($0) }
            let seed = given ?? .random(in: 0...999_999)
            print("nodes: NODE_SEED=\(seed)")
            seeded = Locked(Seeded(seed))
        }

        /// Returns a number that the seed decides.
        func random(_ range: ClosedRange<Int>) -> Int {
            seeded.withLock { Int.random(in: range, using: &$0) }
        }

        /// - Parameters:
        ///   - count: The number of servers, from 1 to 3.
        ///   - usesPooler: Whether the servers read and write through PgBouncer.
        ///   - hasWebhook: Whether some messages are for later, and some are marked as read, which is posted to a
        ///     webhook.
        ///   - prepare: Prepares the database before the servers start.
        static func with(
            servers count: Int = 3,
            usesPooler: Bool = false,
            hasWebhook: Bool = false,
            preparing prepare: (DatabaseServer) async throws -> Void = { _ in },
            _ body: (Nodes) async throws -> Void
        ) async throws {
            try await DatabaseServer.run(options: ["max_connections=200"]) { database in
                try await prepare(database)
                try await World.with { one in
                    try await World.with { two in
                        try await World.with { three in
                            var relays: [DatabaseRelay] = []
                            for _ in 0..<count { relays.append(try await DatabaseRelay(for: database)) }
                            let nodes = try Nodes(
                                database,
                                Array([one, two, three].prefix(count)),
                                relays,
                                usesPooler: usesPooler,
                                hasWebhook: hasWebhook
                            )
                            let outcome: Result<Void, any Error>
                            do {
                                for index in nodes.worlds.indices { try await nodes.start(index) }
                                try await nodes.addWebhook()
                                for (index, world) in nodes.worlds.enumerated() {
                                    let person = people[index % people.count]
                                    let watch = try await world.device("device-\(index)", person: person).watch()
                                    nodes.watches.withLock { $0.append(watch) }
                                }
                                outcome = .success(try await body(nodes))
                            } catch {
                                outcome = .failure(error)
                            }
                            for relay in relays { await relay.stop() }
                            try outcome.get()
                        }
                    }
                }
            }
        }

        func start(_ index: Int) async throws {
            // TLS would hide at which byte a connection is cut.
            let address = database.address(port: relays[index].port) + "?sslmode=disable"
            let pooler = usesPooler ? ["--pooler", database.address(port: database.poolerPort)] : []
            let webhook = receiver == nil ? [] : ["--webhook-allow-private"]
            try await worlds[index].startServer(database: address, options: pooler + webhook)
        }

        private func addWebhook() async throws {
            guard let receiver else { return }
            let url = "http://127.0.0.1:\(receiver.port)/"
            let answer = try await worlds[0].request(
                "POST",
                "/v1/webhooks",
                body: ["url": .string(url), "types": ["message.read"]]
            )
            #expect(answer.status == 201)
        }

        func pause(_ index: Int, for time: Duration) async throws {
            worlds[index].signalServer(SIGSTOP)
            try await Task.sleep(for: time)
            worlds[index].signalServer(SIGCONT)
        }

        /// Kills one of the database's processes. It then closes all connections, and recovers.
        func killBackend() async throws {
            let backends = try await query(
                "SELECT pid::bigint FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
            guard !backends.isEmpty else { return }
            try await database.kill(backend: Int32(backends[random(0...backends.count - 1)]))
        }

        /// Schedules a message at a server, also where it refuses it at first because a row is locked.
        func schedule(_ key: String, in seconds: Double, at index: Int) async throws {
            try await worlds[index].until("\(key) is scheduled") {
                let time = JSON(Date().addingTimeInterval(seconds))
                let answer = try await self.worlds[index].request(
                    "POST",
                    "/v1/messages",
                    body: ["to": ["person": "ann"], "message": ["title": .string(key), "deliverAt": time]]
                )
                guard answer.status == 201 else {
                    #expect(answer.status == 503)
                    return false
                }
                let id = try JSON(parsing: answer.bytes)["id"]?.stringValue
                self.sent.withLock { $0[key] = Sent(person: "ann", id: id) }
                return true
            }
        }

        func query(_ sql: String) async throws -> [Int] {
            let settings = try database.settings()
            return try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                return try connection.execute(sql).map { try $0[0] }
            }
        }

        // MARK: Rounds

        /// Has senders work while something happens, and then some more.
        func round(_ number: Int, _ fault: () async throws -> Void) async throws {
            let isOver = Locked(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<6 {
                    group.addTask {
                        var count = 0
                        let person = sender % 3 == 0 ? "bob" : "ann"
                        while !isOver.withLock({ $0 }) {
                            let isForLater = self.receiver != nil && count % 4 == 3
                            let id = try await self.send(
                                "\(number)-\(sender)-\(count)",
                                to: person,
                                at: isForLater ? Date().addingTimeInterval(0.5) : nil
                            )
                            if self.receiver != nil, count % 4 == 1 { try await self.markAsRead(id, of: person) }
                            count += 1
                            // Without a pause, a server that starts would wait for a processor most of all.
                            try await Task.sleep(for: Self.pause)
                        }
                    }
                }
                let before = answered
                try await worlds[0].until("some are answered") { self.answered >= before + 10 }
                try await fault()
                let after = answered
                try await worlds[0].until("more are answered") { self.answered >= after + 10 }
                isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
        }

        private var answered: Int { sent.withLock { $0.values.count { $0.id != nil } } }

        /// Sends a message to one server after the other, until one has answered.
        ///
        /// - Parameter time: When it is delivered. Nil for at once.
        /// - Returns: Its id.
        private func send(_ key: String, to person: String, at time: Date?) async throws -> String {
            sent.withLock { $0[key] = Sent(person: person) }
            let deliverAt: [(String, JSON)] = time.map { [("deliverAt", JSON($0))] } ?? []
            let message = JSON.object(JSONObject([("title", .string(key))] + deliverAt))
            let body: JSON = ["to": ["person": .string(person)], "message": message]
            let deadline = ContinuousClock.now + .seconds(240)
            while ContinuousClock.now < deadline {
                guard let id = await trySend(key, body, at: worlds[random(0...worlds.count - 1)]) else {
                    try await Task.sleep(for: .milliseconds(20))
                    continue
                }
                sent.withLock { $0[key]?.id = id }
                return id
            }
            throw RunningProcess.Ended(description: "no server has answered for four minutes")
        }

        /// Marks a message as read at one server after the other, until one has answered. Where an earlier one has done
        /// it without an answer, that changes nothing.
        private func markAsRead(_ id: String, of person: String) async throws {
            marked.withLock { $0[id] = person }
            try await worlds[0].until("\(id) is marked") {
                let answer = try? await self.worlds[self.random(0...self.worlds.count - 1)].request(
                    "PATCH",
                    "/v1/people/\(person)/messages/\(id)",
                    body: ["readAt": "now"]
                )
                guard let answer else { return false }
                #expect([200, 503].contains(answer.status), "\(String(decoding: answer.bytes, as: UTF8.self))")
                return answer.status == 200
            }
        }

        private func trySend(_ key: String, _ body: JSON, at world: World) async -> String? {
            let answer = try? await world.request(
                "POST",
                "/v1/messages",
                body: body,
                headers: ["Idempotency-Key": key]
            )
            guard let answer, answer.status == 201 else {
                if let answer {
                    let text = String(decoding: answer.bytes, as: UTF8.self)
                    #expect([409, 503, 507].contains(answer.status), "\(text)")
                    refusals.withLock { $0[answer.status, default: 0] += 1 }
                }
                return nil
            }
            return try? JSON(parsing: answer.bytes)["id"]?.stringValue
        }

        /// Compares what all servers and devices have with what was answered: each person's messages, and no other's.
        func end(rounds: Int) async throws {
            let marked = marked.withLock { $0 }
            if receiver != nil { try await endDueWork(marked) }
            let sent = sent.withLock { $0.filter { $0.value.id != nil } }
            #expect(sent.count >= rounds * 20)
            #expect(Set(sent.values.compactMap(\.id)).count == sent.count)
            var counts: [String: Int] = [:]
            for person in Self.people {
                let own = Set(sent.filter { $0.value.person == person }.keys)
                #expect(!own.isEmpty)
                for world in worlds {
                    let messages = try await JMAPDevice(world, person: person).messages()
                    let found = messages.compactMap { $0["title"]?.stringValue }
                    #expect(found.count == Set(found).count, "a message is there twice")
                    #expect(Set(found) == own)
                }
                let read = marked.values.count { $0 == person }
                // Each change of the inbox has a sequence of its own.
                let sequence = try await query("SELECT sequence FROM person WHERE name = '\(person)'")
                #expect(sequence == [own.count + read])
                counts[person] = own.count - read
            }
            for (index, watch) in watches.withLock({ $0 }).enumerated() {
                let count = counts[Self.people[index % Self.people.count]]
                try await watch.until("all messages") { $0.unread == count && $0.pendingWrites == 0 }
                watch.process.signal(SIGTERM)
            }
            #expect(try await query("SELECT count(*) FROM delivery") == [sent.count])
            expectCorrectStatements()
        }

        /// Waits until what is due is done, and compares what the webhook was posted with the marks: each one at least
        /// once, and always the same payload of it.
        private func endDueWork(_ marked: [String: String]) async throws {
            let left = "SELECT (SELECT count(*) FROM due) + (SELECT count(*) FROM outbox)"
            try await worlds[0].until("all that is due is done") { try await self.query(left) == [0] }
            var payloads: [String: Set<String>] = [:]
            for request in receiver?.requests ?? [] {
                // A server may be killed while it posts.
                guard let head = request.range(of: "\r\n\r\n"),
                    let payload = try? JSON(parsing: Array(request[head.upperBound...].utf8)),
                    let message = payload["message"]?.stringValue, let id = payload["id"]?.stringValue
                else { continue }
                payloads[message, default: []].insert(id)
            }
            #expect(!marked.isEmpty)
            #expect(Set(payloads.keys) == Set(marked.keys))
            #expect(payloads.values.allSatisfy { $0.count == 1 }, "a mark has two payloads")
        }

        /// Verifies that no server has logged that a table, a column, a function or a right is missing. Nothing removes
        /// any here, so a statement would be wrong, and its answer is 503, as during the faults.
        private func expectCorrectStatements() {
            let states = ["3F000", "42P01", "42703", "42883", "42704", "42501", "42P10", "23514"]
            for world in worlds {
                let wrong = world.errors.split(separator: "\n").filter { line in
                    states.contains { line.contains("SQLSTATE \($0)") }
                }
                #expect(wrong.isEmpty, "\(wrong.prefix(3))")
            }
        }
    }
#endif
