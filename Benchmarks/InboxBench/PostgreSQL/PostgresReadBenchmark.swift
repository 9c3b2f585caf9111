#if PostgreSQL
    import Foundation
    import Groundwork
    import InboxService
    import JMAP

    /// "Nothing new" over PostgreSQL, compared with the same over SQLite.
    enum PostgresNothingNewBenchmark {
        static func run(_ context: Context) async throws -> [Line] {
            let (setting, servers) = (try await context.postgres(), try await context.servers())
            let request = { (account: Servers.Account, port: Int) in
                let arguments = JSONObject([("sinceState", .string(account.state))])
                let request = Servers.request([("/changes", arguments, "changes")], of: account)
                let changes = try request.json(from: port)["methodResponses"]?.arrayValue?.first?.arrayValue?[1]
                guard changes?["newState"] == .string(account.state) else {
                    throw BenchmarkError("the state isn't the latest")
                }
                return request
            }
            let (rounds, loads) = try AlternatingRuns(context.effort).run(
                [try request(setting.reader, setting.port)],
                to: setting.port,
                comparedWith: try request(servers.reader, servers.port),
                at: servers.port
            )
            return [
                Line(
                    "nothing new, PostgreSQL",
                    .rate,
                    rounds: rounds,
                    goal: 0.9,
                    latencies: loads.flatMap(\.latencies),
                    note: "InboxMessage/changes at 16 connections; raw: the same over SQLite"
                )
            ]
        }
    }

    /// The newest 50, read from the tables for each request, compared with C that reads the same rows. Our statements
    /// name the partition of the person. C names the table, as one writes it by hand.
    enum PostgresNewestBenchmark {
        /// The name of a partition in our statements.
        private nonisolated(unsafe) static let partition = /\bdelivery_[0-9]{2}\b/
        /// The view of a partition in our statements.
        private nonisolated(unsafe) static let view = /\binboxMessage_([0-9]{2}) d\b/

        /// The tables behind the view: C has no person who is set, and reads them as one writes it by hand.
        private static func tables(_ deliveries: String) -> String {
            """
            (SELECT d.*, m.deliverAt AS sentAt, m.expiresAt, m.state AS stage, m.content
            FROM \(deliveries) d JOIN message m ON m.id = d.message) d
            """
        }

        static func run(_ context: Context) async throws -> [Line] {
            let setting = try await context.postgres()
            // More than the cached answers.
            let requests = Servers.newest(of: setting.reader, variants: 10_000)
            let database = try RawPostgres(setting.address)
            let recording = try await PostgresRecording(database, log: setting.log) {
                let answer = try requests[0].json(from: setting.port)
                let records = answer["methodResponses"]?.arrayValue?.last?.arrayValue?[1]["list"]
                guard records?.arrayValue?.count == 50 else { throw BenchmarkError("the newest aren't 50") }
            }
            let reads = recording.transactions.filter { $0.contains { $0.sql.contains("delivery") } }
            guard reads.count == 1 else {
                throw BenchmarkError("\(reads.count) transactions read messages, not 1: the benchmark has to follow")
            }
            let begin = RecordedStatement(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let commit = RecordedStatement(sql: "COMMIT")
            let ours = reads.flatMap { $0.filter { $0.sql.contains("delivery") } }
            guard ours.allSatisfy({ $0.sql.contains(Self.partition) }) else {
                throw BenchmarkError("a statement doesn't name the partition: the benchmark has to follow")
            }
            let byPartition = ours.map { statement in
                RecordedStatement(
                    sql: statement.sql.replacing(Self.view) { Self.tables("delivery_\($0.output.1)") },
                    values: statement.values
                )
            }
            let byTable = byPartition.map { statement in
                RecordedStatement(
                    sql: statement.sql.replacing(Self.partition, with: "delivery"),
                    values: statement.values
                )
            }
            let rows = try PostgresPlan([begin] + byTable + [commit])
            let partitioned = try PostgresPlan([begin] + byPartition + [commit])
            // The ids and the messages, in one statement or in two.
            let count = 50 * ours.count
            guard (1...2).contains(ours.count), try database.run(rows) == count, try database.run(partitioned) == count
            else {
                throw BenchmarkError("C doesn't read 50 ids and 50 rows")
            }
            let all = try recording.transactions.filter { $0.contains { $0.sql.contains("person") } }
                .map { try PostgresPlan([begin] + $0 + [commit]) }

            let inC = { (plan: PostgresPlan) in
                try seconds { for _ in 0..<500 { try database.run(plan) } } / 500
            }
            var (rounds, loaded): ([(ours: Double, raw: Double)], [(ours: Double, raw: Double)]) = ([], [])
            var (latencies, loadedLatencies): ([Double], [Double]) = ([], [])
            var (everything, named): ([Double], [Double]) = ([], [])
            let connections = try (0..<4).map { _ in try RawPostgres(setting.address) }
            let reader = try await NewestReader(setting)
            var values: [(ours: Double, raw: Double)] = []
            var next = 0
            for round in 0...context.effort.rounds {
                // Each round has requests of its own, of which no answer is cached.
                let own = Array((requests[next...] + requests[..<next]))
                next = (next + 3_000) % requests.count
                let single = try Load(own, to: setting.port, seconds: context.effort.runSeconds, connections: 1)
                let raw = try inC(rows)
                let value = try await seconds { for _ in 0..<500 { try await reader.read() } } / 500
                named.append(try inC(partitioned))
                everything.append(
                    try seconds { for _ in 0..<200 { for plan in all { try database.run(plan) } } } / 200
                )
                let load = try Load(own.reversed(), to: setting.port, seconds: context.effort.runSeconds)
                let rate = try rate(rows, connections, seconds: context.effort.runSeconds)
                guard round > 0 else { continue }
                values.append((value, raw))
                rounds.append((1 / single.rate, raw))
                latencies += single.latencies
                loaded.append((load.rate, rate))
                loadedLatencies += load.latencies
            }
            let statements = Report.duration(median(Array(everything.dropFirst())))
            let timeByPartition = Report.duration(median(Array(named.dropFirst())))
            await reader.close()
            return [
                Line(
                    "newest 50, PostgreSQL",
                    .time,
                    rounds: values,
                    goal: 2,
                    note:
                        "the messages as values, as a request reads them: within the person's share, as the person's "
                        + "role, of one snapshot with its state; C: the same rows by our statements for them, by the "
                        + "table's name, in one round trip; C by the partition's name, as ours, "
                        + "\(timeByPartition); C with all statements of ours, \(statements)"
                ),
                Line(
                    "newest 50, PostgreSQL, HTTP",
                    .time,
                    rounds: rounds,
                    latencies: latencies,
                    note: "by JMAP, one request after the other, read again each time; C as above"
                ),
                Line(
                    "newest 50, PostgreSQL, loaded",
                    .rate,
                    rounds: loaded,
                    latencies: loadedLatencies,
                    note: "at 16 connections; C: the same rows at 4 connections to PostgreSQL, a thread each"
                ),
            ]
        }

        /// Reads the newest 50 messages of a person as the server does for a request, in this process.
        private struct NewestReader {
            private let storage: Storage
            private let reads: RequestReads
            private let person: Person
            private let filter: InboxFilter

            init(_ setting: PostgresSetting) async throws {
                guard let address = URL(string: setting.address) else { throw BenchmarkError("no address") }
                storage = try await Storage.open(address)
                reads = RequestReads(storage: storage, limits: FairUse())
                let found = try await storage.read { reading in try reading.person(named: "reader")?.person }
                guard let found else { throw BenchmarkError("there is no reader") }
                person = found
                filter = try InboxFilter(reading: JSONReader(Servers.notDeleted))
            }

            func read() async throws {
                let count = try await reads.run(for: person, whenSlow: { _ in }) { reads, _ in
                    try await reads.read { [person, filter] reading in
                        let inbox = reading.inbox(of: person)
                        let state = try inbox.queuedState()
                        let ids = try inbox.ids(
                            filter: filter,
                            isAscending: false,
                            offset: 0,
                            limit: 50,
                            isFetched: true
                        )
                        var messages: [InboxMessage] = []
                        var contents: [UInt8] = []
                        try inbox.forEachMessage(of: ids) { _, message, content in
                            messages.append(message)
                            contents.append(contentsOf: content)
                        }
                        _ = try state.value()
                        return contents.isEmpty ? 0 : messages.count
                    }
                }
                guard count == 50 else { throw BenchmarkError("\(count) messages were read, not 50") }
            }

            func close() async { try? await storage.close() }
        }

        /// Returns how often a second C reads the rows on several connections at once.
        private static func rate(
            _ plan: PostgresPlan,
            _ connections: [RawPostgres],
            seconds limit: Double
        ) throws -> Double {
            let counts = Locked(0)
            let failure = Locked<(any Error)?>(nil)
            let start = ContinuousClock.now
            // A plan is only read, and each connection is one thread's.
            nonisolated(unsafe) let (plan, connections) = (plan, connections)
            DispatchQueue.concurrentPerform(iterations: connections.count) { number in
                do {
                    var count = 0
                    while (ContinuousClock.now - start).seconds < limit {
                        try connections[number].run(plan)
                        count += 1
                    }
                    counts.withLock { $0 += count }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            if let error = failure.withLock({ $0 }) { throw error }
            return Double(counts.withLock { $0 }) / (ContinuousClock.now - start).seconds
        }
    }
#endif
