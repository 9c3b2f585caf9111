#if PostgreSQL
    import Foundation
    import Groundwork

    /// Durable sends over PostgreSQL, each to one of many people: of one server compared with pgbench, which runs the
    /// same statements, and of two servers compared with one.
    enum PostgresSendBenchmark {
        static func run(_ context: Context) async throws -> [Line] {
            let setting = try await context.postgres()
            let requests = sends(to: context.effort.recipients)
            let database = try RawPostgres(setting.address)
            try await check(setting, database, requests[0])
            let bench = try PgBench(script, setting.address, context.workspace)
            try addPeople(context.effort.recipients, database)

            let length = max(1, context.effort.runSeconds * 3)
            var (rounds, nodes): ([(ours: Double, raw: Double)], [(ours: Double, raw: Double)]) = ([], [])
            var (latencies, nodeLatencies): ([Double], [Double]) = ([], [])
            for round in 0...context.effort.rounds {
                let ours = try Load(requests, to: setting.port, seconds: length)
                let raw = try bench.rate(
                    variables: ["people": context.effort.recipients, "run": round + 1, "count": 0],
                    seconds: length
                )
                guard round > 0 else { continue }
                rounds.append((ours.rate, raw))
                latencies += ours.latencies
            }
            let other = try setting.startNode()
            for round in 0...context.effort.rounds {
                let one = try Load(requests, to: setting.port, seconds: length)
                let two = try PairedLoad(requests, to: (setting.port, other.port), seconds: length)
                guard round > 0 else { continue }
                nodes.append((two.rate, one.rate))
                nodeLatencies += two.latencies
            }
            return [
                Line(
                    "durable sends, PostgreSQL",
                    .rate,
                    rounds: rounds,
                    goal: 0.7,
                    latencies: latencies,
                    note:
                        "each to one of \(context.effort.recipients) people, at 16 connections; raw: pgbench with the "
                        + "same statements by the tables' names, at 16 connections, each send a transaction"
                ),
                Line(
                    "durable sends, two servers",
                    .rate,
                    rounds: nodes,
                    goal: 0.9,
                    latencies: nodeLatencies,
                    note: "at 8 connections to each, on the same cores; raw: one server, at 16"
                ),
            ]
        }

        /// Returns requests to send a message to each of a number of people, in an order that repeats none soon.
        static func sends(to count: Int, named prefix: String = Servers.manyPrefix) -> [PreparedRequest] {
            (0..<min(count, 2_000)).map { number in
                Servers.send(Corpus.content(0), to: "\(prefix)\(number * 7_919 % count)")
            }
        }

        /// The name of each of pgbench's people but for a number, and the first one's number as a person.
        private static let (prefix, first) = ("pgbench-", 1_000_000_000_000)

        /// Adds as many people as ours sends to, whose numbers and names pgbench can put together.
        private static func addPeople(_ count: Int, _ database: RawPostgres) throws {
            try database.execute(
                """
                INSERT INTO person (id, name, account, sequence, createdAt)
                SELECT \(first) + n, '\(prefix)' || n, '\(prefix)' || n, 0, 0 FROM generate_series(0, \(count - 1)) n;
                INSERT INTO personName (name, person) SELECT name, id FROM person WHERE id >= \(first);
                ANALYZE person, personName;
                """
            )
        }

        /// Compares the statements of a send with those of the script.
        private static func check(
            _ setting: PostgresSetting,
            _ database: RawPostgres,
            _ request: PreparedRequest
        ) async throws {
            // From then on the server knows the person's number.
            _ = try request.answer(from: setting.port)
            let recording = try await PostgresRecording(database, log: setting.log) {
                _ = try request.answer(from: setting.port)
            }
            let send = recording.transactions.first { $0.contains { $0.sql.contains("INTO message") } } ?? []
            let seen = send.map(\.normalized).filter { !$0.contains("set_config") && !$0.contains("noteGroup") }
            let named = seen.map { $0.replacing(#/person_[0-9]{2} /#, with: "person ") }
            guard named == statements.map({ RecordedStatement(sql: $0).normalized }) else {
                throw BenchmarkError("a send has other statements than pgbench: \(seen.joined(separator: "; "))")
            }
        }

        /// What our server runs for a send to a known person. The group's number, which all of its sends share, is left
        /// out, and where ours names the person's partition, these have the table, since pgbench can't compute that.
        static let statements = [
            "SELECT sequence FROM person WHERE id = $1 AND name = $2 FOR NO KEY UPDATE",
            """
            INSERT INTO message (id, content, surface, category, groupKey, campaign, deliverAt, expiresAt, createdAt,
            recipients, state, lastPerson, consentCategory, grantedConsentCategory)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            "UPDATE person SET sequence = $1 WHERE id = $2",
        ]

        /// The statements with pgbench's variables as values. It waits where our server does: for what it reads.
        private static var script: String {
            // pgbench takes a colon and a word for a variable, also in a text.
            let content = String(decoding: JSON.object(Corpus.content(0)).utf8, as: UTF8.self)
                .replacingOccurrences(of: "\":", with: "\": ")
            let now = Int(Date().timeIntervalSince1970 * 1_000)
            func text(_ statement: Int, _ values: [String]) -> String {
                // From the last on: $1 is the beginning of $14.
                values.enumerated().reversed().reduce(statements[statement]) { sql, value in
                    sql.replacingOccurrences(of: "$\(value.offset + 1)", with: value.element)
                }
            }
            let message = [
                ":message", "'\(content.replacingOccurrences(of: "'", with: "''"))'", "'offers'", "'orders'",
                "'thread-0'", "NULL", "\(now)", "NULL", "\(now)", "1", "1", "NULL", "NULL", "NULL",
            ]
            return """
                \\set number random(0, :people - 1)
                \\set person :number + \(first)
                \\set count :count + 1
                \\set message (:run * 1024 + :client_id) * 16777216 + :count
                BEGIN;
                \(text(0, [":person", "'\(prefix)' || :number::text"])) \\gset
                \\set next :sequence + 1
                \\startpipeline
                \(text(1, message));
                \(text(2, [":message", ":person", ":next", ":next", ":next", "\(now)", "1"]));
                \(text(3, [":next", ":person"]));
                COMMIT;
                \\endpipeline

                """
        }
    }

    /// Requests to two servers at once, at half of the connections each.
    struct PairedLoad {
        let rate: Double
        let latencies: [Double]

        init(_ requests: [PreparedRequest], to ports: (Int, Int), seconds: Double) throws {
            // In the reverse order, so that both seldom write for the same person at once.
            let parts = [(requests, ports.0), (requests.reversed(), ports.1)]
            let results = Locked<[Result<Load, any Error>]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                let result = Result {
                    try Load(
                        parts[number].0,
                        to: parts[number].1,
                        seconds: seconds,
                        connections: Load.connections / 2
                    )
                }
                results.withLock { $0.append(result) }
            }
            let loads = try results.withLock { $0 }.map { try $0.get() }
            rate = loads.map(\.rate).reduce(0, +)
            latencies = loads.flatMap(\.latencies)
        }
    }
#endif
