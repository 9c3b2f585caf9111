#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import JMAP
    import Postgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Two servers with one database.
    @Suite(.timeLimit(.minutes(10)), .onlyPostgreSQL) struct ServersTests {
        @Test func `a stream receives what is committed on the other server`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                for to: JSON in [["person": "ann"], ["people": ["bob", "ann"]], ["everyone": true]] {
                    try await one.send(to: to)
                    let event = try #require(await stream.next())
                    #expect(event.id == (try await phone.state()))
                    // The state that the stream has sent can be read at once.
                    #expect(try await phone.moved(to: other).state() == event.id)
                }
                let id = try #require(try await phone.ids().first)
                try await phone.update(id, ["readAt": "2026-05-01T08:00:00Z"])
                #expect(try #require(await stream.next()).id == (try await phone.state()))
                #expect(try await phone.moved(to: other).message(id)?["readAt"] == "2026-05-01T08:00:00Z")
                // More people than an announcement names.
                let people = (0..<2_100).map { "p\($0)" } + ["ann"]
                try await one.send(to: ["people": JSON(people)])
                #expect(try #require(await stream.next()).id == (try await phone.state()))
                let settings: JSON = ["title": "News"]
                #expect(try await one.rest("PUT", "/v1/surfaces/news", settings).status == 201)
                #expect(try #require(await stream.next()).data.contains("InboxSurface"))
            }
        }

        @Test func `a later state from the other server gets an answer without a full sync`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let there = phone.moved(to: other)
                for number in 0..<60 {
                    let server = number % 2 == 0 ? one : other
                    try await server.send(to: ["person": "ann"], ["title": .string("\(number)")])
                    let (writer, reader) = number % 2 == 0 ? (phone, there) : (there, phone)
                    let id = try #require(try await writer.ids().first)
                    let answer = try await writer.update(id, ["readAt": "2026-05-01T08:00:00Z"])
                    let state = try #require(answer["newState"]?.stringValue)
                    // Never a resync: the state is in the database, if not in memory.
                    let changes = try await reader.changes(since: state)
                    #expect(changes.isEmpty && changes.state == state)
                    let (stream, status) = await EventStream.open(reader, "types=*&closeafter=no", lastEventID: state)
                    #expect(status == 200)
                    stream.close()
                }
                #expect(try await phone.ids() == there.ids())
            }
        }

        @Test func `a request that arrives at both servers with one idempotency key sends once`() async throws {
            try await TwoServers.run { one, other in
                for number in 0..<20 {
                    let headers = ["Idempotency-Key": "key-\(number)"]
                    let body: JSON = ["to": ["person": "ann"], "message": ["title": "Hello"]]
                    async let first = one.rest("POST", "/v1/messages", body, headers: headers)
                    async let second = other.rest("POST", "/v1/messages", body, headers: headers)
                    let answers = try await [first, second]
                    // The one that comes too early has to be repeated.
                    #expect(
                        answers.contains { $0.status == 201 } && answers.allSatisfy { [201, 409].contains($0.status) }
                    )
                    let again = try await other.rest("POST", "/v1/messages", body, headers: headers)
                    #expect(again.status == 201)
                    #expect(Set((answers + [again]).compactMap { $0.json["id"]?.stringValue }).count == 1)
                }
                #expect(try await one.device(of: "ann").ids().count == 20)
            }
        }

        @Test func `due work is done once, by either server`() async throws {
            let clock = ManualClock()
            try await TwoServers.run(clock: clock) { one, other in
                let phone = try await one.device(of: "ann")
                let later = JSON(clock.now.addingTimeInterval(3_600))
                for number in 0..<40 {
                    let server = number % 2 == 0 ? one : other
                    let to: JSON = number % 3 == 0 ? ["people": ["ann", "bob"]] : ["person": "ann"]
                    try await server.send(to: to, ["title": .string("\(number)"), "deliverAt": later])
                }
                try await one.send(to: ["everyone": true], ["title": "All", "deliverAt": later])
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                clock.advance(by: 3_600)
                #expect(try await eventually { try await phone.ids().count == 41 })
                #expect(await stream.next() != nil)
                // Each had one sequence of its own.
                let storage = try await one.storage()
                let counts = try await storage.readTables { db in
                    let numbers: [Int] = try db.values("SELECT sequence FROM delivery WHERE person = 1")
                    return (numbers.count, Set(numbers).count, try db.value("SELECT count(*) FROM due") as Int?)
                }
                #expect(counts.0 == counts.1)
                // Their expiry, and the broadcast's.
                #expect(counts.2 == 1)
            }
        }

        @Test func `what a killed server was about to deliver is delivered by another in a second`() async throws {
            let clock = SystemClock()
            try await withServer(clock: clock) { server in
                let phone = try await server.device(of: "ann")
                let due = clock.now.addingTimeInterval(3)
                for _ in 0..<3 {
                    try await server.send(to: ["person": "ann"], ["title": "Later", "deliverAt": JSON(due)])
                }
                // As in the transaction of a server that is killed before its commit.
                let killed = try PostgresConnection(try await server.databaseSettings())
                defer { killed.close() }
                killed.enqueue("BEGIN")
                let locked = try killed.execute("SELECT FROM due FOR UPDATE").count
                #expect(locked >= 3)
                #expect(try await eventually { clock.now > due.addingTimeInterval(0.6) })
                #expect(try await phone.ids().isEmpty)
                killed.close()
                let (time, lateness) = try await measured {
                    let areDelivered = try await eventually { try await phone.ids().count == 3 }
                    #expect(areDelivered)
                }
                #expect(time < .seconds(1) + lateness, "\(time), with a machine that is late by \(lateness)")
            }
        }

        @Test func `a payload is posted by one of the servers`() async throws {
            let receiver = try await WebhookReceiver.start()
            try await TwoServers.run { one, other in
                let url = "http://localhost:\(receiver.port)/hook"
                let made = try await one.rest("POST", "/v1/webhooks", ["url": .string(url), "types": ["*"]])
                #expect(made.status == 201)
                let phone = try await one.device(of: "ann")
                var ids: [String] = []
                for _ in 0..<30 { ids.append(try await one.send(to: ["person": "ann"])) }
                for (number, id) in ids.enumerated() {
                    let device = number % 2 == 0 ? phone : phone.moved(to: other)
                    try await device.update(id, ["readAt": "2026-05-01T08:00:00Z"])
                }
                #expect(try await eventually { receiver.deliveries.count >= 30 })
                try await Task.sleep(for: .milliseconds(300))
                #expect(receiver.deliveries.count == Set(receiver.deliveries.map(\.id)).count)
                let storage = try await one.storage()
                #expect(
                    try await eventually {
                        try await storage.readTables { try $0.value("SELECT count(*) FROM outbox") as Int? } == 0
                    }
                )
            }
            try await receiver.stop()
        }

        @Test func `streams receive what was committed while notifications were cut off`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                for round in 0..<4 {
                    // All connections of both servers, the listeners' too.
                    try await other.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                            AND (\(round % 2) = 0 OR query LIKE '%LISTEN%')
                        """
                    )
                    var isSent = false
                    while !isSent {
                        isSent =
                            try await one.rest(
                                "POST",
                                "/v1/messages",
                                ["to": ["person": "ann"], "message": ["title": "Hello"]]
                            ).status == 201
                    }
                    // A connection for reads may end only now.
                    let found = Locked<String?>(nil)
                    let isRead = try await eventually {
                        let state = try? await phone.state()
                        found.withLock { $0 = state }
                        return state != nil
                    }
                    let state = found.withLock { $0 }
                    #expect(isRead)
                    var heard: String?
                    while heard != state { heard = try #require(await stream.next()).id ?? "" }
                    #expect(try await phone.moved(to: other).state() == state)
                }
            }
        }

        @Test func `a stream receives a commit that a killed server couldn't announce`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                try await one.send(to: ["person": "ann"])
                _ = try #require(await stream.next())
                // As a third server's transaction would do, before it is killed.
                try await other.execute(
                    """
                    INSERT INTO node (id, session, seenAt, groups, message) VALUES (200, 7, 0, 41, 0);
                    BEGIN;
                    UPDATE person SET sequence = sequence + 1 WHERE name = 'ann';
                    SELECT noteGroup(200::smallint, 7, 42, 0);
                    COMMIT;
                    """
                )
                #expect(try #require(await stream.next()).id == (try await phone.state()))
                #expect(try await phone.moved(to: other).state() == phone.state())
            }
        }

        /// As if one behind a commit came after a later one on another connection.
        @Test func `an announcement that overtakes an earlier one hides nothing`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                let storage = try await one.storage()
                let ann = try #require(try await storage.read { try $0.number(ofPerson: "ann") })
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                // A third server. Once its groups are known, its row shows no further ones here.
                let gaps = other.metrics.value(of: "inbox_notification_gaps_total")
                try await other.execute(
                    "INSERT INTO node (id, session, seenAt, groups, message) VALUES (200, 7, 0, 41, 0)"
                )
                #expect(try await eventually { other.metrics.value(of: "inbox_notification_gaps_total") > gaps })
                try await Task.sleep(for: .milliseconds(500))
                try await other.execute("UPDATE person SET sequence = sequence + 1 WHERE name = 'ann'")
                let state = try await phone.state()
                try await other.execute("NOTIFY \(PostgresNode.channel), '200;deliveries;groups:43-43'")
                #expect(try #require(await stream.next()).id == state)
                // Nor does one that comes late take anything back.
                try await other.execute("NOTIFY \(PostgresNode.channel), '200;own:\(ann)=0;groups:42-42'")
                try await one.send(to: ["person": "ann"])
                let event = try #require(await stream.next())
                #expect(event.id != state)
                #expect(try await phone.state() == event.id)
                #expect(try await phone.moved(to: other).state() == event.id)
            }
        }

        @Test func `another server's commit is in the next answer, announced or not`() async throws {
            try await TwoServers.run { one, _ in
                let phone = try await one.device(of: "ann")
                let id = try await one.send(to: ["person": "ann"])
                _ = try await phone.ids()
                for round in 1...5 {
                    let state = try await phone.state()
                    // No notification comes, as it is for a moment after each commit of another server.
                    try await one.execute(
                        """
                        BEGIN;
                        UPDATE person SET sequence = sequence + 1 WHERE name = 'ann';
                        UPDATE delivery SET sequence = sequence + 1, readAt = \(round) * 1000;
                        UPDATE counter SET value = value + 1 WHERE name = 'surface';
                        COMMIT;
                        """
                    )
                    let changes = try await phone.changes(since: state)
                    #expect(changes.updated == [id] && changes.state != state)
                    #expect(try await phone.state() == changes.state)
                    #expect(try await phone.message(id)?["readAt"] == .string("1970-01-01T00:00:0\(round)Z"))
                }
            }
        }

        @Test func `a forged announcement doesn't hide later changes`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann").moved(to: other)
                let state = try await phone.state()
                func changes() async throws -> Int { try await phone.changes(since: state).created.count }
                let storage = try await one.storage()
                let ann = try #require(try await storage.read { try $0.number(ofPerson: "ann") })
                let heard = other.metrics.value(of: "inbox_notifications_heard_total")
                let payload = "0;broadcast:999999999;surface:999999999;own:\(ann)=999999999"
                try await one.execute("NOTIFY \(PostgresNode.channel), '\(payload)'")
                let isHeard = try await eventually {
                    other.metrics.value(of: "inbox_notifications_heard_total") > heard
                }
                #expect(isHeard)
                for count in 1...3 {
                    try await one.send(to: ["person": "ann"])
                    #expect(try await changes() == count)
                }
                try await one.send(to: ["everyone": true])
                #expect(try await changes() == 4)
            }
        }

        @Test func `a server whose number was taken continues with another one`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann")
                try await one.send(to: ["person": "ann"])
                try await one.execute("UPDATE node SET session = 7 WHERE id = 0")
                let stream = try await phone.moved(to: other).openStream()
                defer { stream.close() }
                var ids = Set(try await phone.ids())
                for _ in 0..<3 { ids.insert(try await one.send(to: ["person": "ann"])) }
                #expect(await stream.next() != nil)
                #expect(try await Set(phone.moved(to: other).ids()) == ids && ids.count == 4)
                let storage = try await one.storage()
                let numbers: [Int] = try await storage.readTables { db in
                    try db.values("SELECT id::bigint FROM node WHERE session <> 7 ORDER BY 1")
                }
                #expect(numbers == [1, 2])
            }
        }

        @Test func `a server that receives neither notifications nor the others' rows isn't ready`() async throws {
            try await TwoServers.run { one, other in
                func statuses() async throws -> [Int] {
                    let first = try await one.request("GET", "/health/ready").status
                    return [first, try await other.request("GET", "/health/ready").status]
                }
                #expect(try await statuses() == [200, 200])
                let settings = try await one.databaseSettings()
                let address = try await TestDatabase.address(for: one.file)
                let administration = try PostgresSettings(
                    address.deletingLastPathComponent().appending(path: "postgres").absoluteString
                )
                let name = address.lastPathComponent
                // No new connections. Those for reads go on; those that listen, or read the rows, are closed.
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                try await onNewThread {
                    let connection = try PostgresConnection(administration)
                    defer { connection.close() }
                    try connection.executeScript("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
                }
                let start = ContinuousClock.now
                let isUnready = try await eventually {
                    try connection.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                            AND (query LIKE '%LISTEN%' OR query = 'SELECT 1' OR query LIKE '%FROM node%')
                        """
                    )
                    return try await statuses() == [503, 503]
                }
                #expect(isUnready)
                // 5 s after the last read of the rows, which may have been a moment before.
                #expect(ContinuousClock.now - start > .seconds(2))
                let answer = try await one.request("GET", "/health/ready")
                #expect(answer.header("Retry-After") == "1")
                #expect(answer.json["detail"]?.stringValue?.contains("hear the other servers") == true)
                #expect(try await one.request("GET", "/health").status == 200)
                try await onNewThread {
                    let connection = try PostgresConnection(administration)
                    defer { connection.close() }
                    try connection.executeScript("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
                }
                #expect(try await eventually { try await statuses() == [200, 200] })
            }
        }

        @Test func `metrics count the servers, their notifications and gaps in them`() async throws {
            try await TwoServers.run { one, other in
                func value(_ name: String, _ server: TestServer) async throws -> Double {
                    #expect(try await server.rest("GET", "/metrics").status == 200)
                    return server.metrics.value(of: "inbox_\(name)")
                }
                #expect(try await value("servers", one) == 2)
                #expect(try await value("server_number", one) == 0)
                #expect(try await value("server_number", other) == 1)
                let heard = try await value("notifications_heard_total", other)
                try await one.send(to: ["person": "ann"])
                #expect(try await eventually { try await value("notifications_heard_total", other) > heard })
                #expect(try await value("listening_interruptions_total", other) == 0)
                let gaps = try await value("notification_gaps_total", other)

                // What a killed server couldn't announce, as in the test above.
                try await other.execute(
                    "INSERT INTO node (id, session, seenAt, groups, message) VALUES (200, 7, 0, 41, 0)"
                )
                #expect(try await eventually { try await value("notification_gaps_total", other) > gaps })
                // It sends no heartbeat. Another one was killed five seconds ago: nothing has the lock of its session.
                try await other.execute(
                    """
                    INSERT INTO node (id, session, seenAt, groups, message)
                    VALUES (201, 8, \(NodeNumber.now) - 5000, 0, 0)
                    """
                )
                #expect(try await value("servers", one) == 2)

                try await other.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                        AND (query LIKE '%LISTEN%' OR query = 'SELECT 1')
                    """
                )
                #expect(try await eventually { try await value("listening_interruptions_total", other) == 1 })
            }
        }

        @Test func `writes for the same people on both servers are all done, and don't wait long`() async throws {
            let count = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 300 : 600
            try await TwoServers.run(clock: SystemClock()) { one, other in
                let start = ContinuousClock.now
                let refusals = Locked(0)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<count {
                        let server = number % 2 == 0 ? one : other
                        let to: JSON =
                            switch number % 30 {
                            case 28: ["people": JSON((0..<20).map { "p\(($0 * 7 + number) % 20)" })]
                            case 29: ["everyone": true]
                            default: ["person": .string("p\(number * 7 % 20)")]
                            }
                        group.addTask {
                            // On a busy machine, one may wait too long for a row. Nothing is stored then.
                            let isSent = try await eventually {
                                let message: JSON = ["to": to, "message": ["title": "Hello"]]
                                let status = try await server.rest("POST", "/v1/messages", message).status
                                if status == 503 { refusals.withLock { $0 += 1 } }
                                return status == 201
                            }
                            #expect(isSent)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(refusals.withLock { $0 } < count / 10)
                // A deadlock takes a second until PostgreSQL looks for it.
                print("\(count) sends on two servers:", ContinuousClock.now - start)
                let storage = try await one.storage()
                let (deliveries, distinct, sequences, messages) = try await storage.readTables { db in
                    (
                        try db.value("SELECT count(*) FROM delivery") as Int?,
                        try db.value("SELECT count(DISTINCT (person, sequence)) FROM delivery") as Int?,
                        try db.value("SELECT sum(sequence)::bigint FROM person") as Int?,
                        try db.value("SELECT count(*) FROM message") as Int?
                    )
                }
                // Of 30 sends, 28 are for one person, and one is for 20.
                #expect(deliveries == count / 30 * 48 && distinct == deliveries && sequences == deliveries)
                #expect(messages == count)
            }
        }
    }
#endif
