#if PostgreSQL
    import Foundation
    import Groundwork
    import InboxModel

    /// How long it takes from a send on one server until a stream of the person on another one receives the change,
    /// compared with C that commits the same rows and notifies a connection that listens. Both send to as many people,
    /// one after the other, and neither waits for its own answer before it hears.
    enum PostgresHearingBenchmark {
        /// The time between two changes, longer than the one in which our server collects announcements: none waits
        /// for the one before.
        fileprivate static let pause = Duration.milliseconds(10)
        /// The time within which 99 of 100 changes are heard under load, in seconds.
        private static let bound = 0.15

        static func run(_ context: Context) async throws -> [Line] {
            let setting = try await context.postgres()
            let count = context.effort.recipients >= 10_000 ? 100 : 30
            let other = try setting.startNode()
            let path = "/jmap/eventsource/?types=\(MessageCapability.messageType)&closeafter=no&ping=0"
            let people = (0..<count).map { "listener\($0)" }
            let sends = people.map { Servers.send(Corpus.content(0), to: $0) }
            // Everyone is known before the streams are open, and a partition's statements are planned once for all
            // values, as on a server that runs for a while: PostgreSQL does that after five runs.
            for _ in 0..<12 { for send in sends { _ = try send.answer(from: setting.port) } }
            try await RawHearing.check(setting, sends[0])
            let streams = try people.map { person in
                let token = try Servers.token(of: person, port: setting.port)
                return try Streams([PreparedRequest(get: path, bearer: token)], to: other.port)
            }
            // As C has it, and an app's backend.
            let connection = try KeptConnection(setting.port)
            _ = try Servers.sendToMany(count, named: RawHearing.prefix).answer(from: setting.port)
            let raw = try RawHearing(setting.address, people: count)
            for _ in 0..<12 { for number in 0..<count { _ = try raw.time(number) } }
            var (rounds, latencies): ([(ours: Double, raw: Double)], [Double]) = ([], [])
            for round in 0...context.effort.rounds {
                let ours = try await times(sends, streams, connection)
                let inC = try await raw.times()
                guard round > 0 else { continue }
                rounds.append((median(ours), median(inC)))
                latencies += ours
            }
            let loaded = try await timesUnderLoad(sends, streams, connection, setting, context.effort)
            return [
                Line(
                    "a change heard by another server",
                    .time,
                    rounds: rounds,
                    goal: 2,
                    latencies: latencies,
                    note:
                        "from the POST, on a kept connection, until the person's stream at the other server has it; C: "
                        + "the same commit and NOTIFY in one pipeline, to as many people, and a connection that "
                        + "listens"
                ),
                Line(
                    "…, 99 of 100 under load",
                    .time,
                    rounds: [(percentile(99, loaded.latencies), bound)],
                    goal: 1,
                    latencies: loaded.latencies,
                    note:
                        "beside \(Int(loaded.rate)) sends a second to other people at 16 connections; "
                        + "beside the 150 ms that it may take"
                ),
            ]
        }

        /// Sends to one person after the other, and returns the time until each one's stream has received it.
        private static func times(
            _ sends: [PreparedRequest],
            _ streams: [Streams],
            _ connection: KeptConnection
        ) async throws -> [Double] {
            var times: [Double] = []
            for (send, stream) in zip(sends, streams) {
                times.append(
                    try seconds {
                        try connection.send(send)
                        try stream.waitForEvent()
                    }
                )
                _ = try connection.answer()
                try await Task.sleep(for: Self.pause)
            }
            return times
        }

        private static func timesUnderLoad(
            _ sends: [PreparedRequest],
            _ streams: [Streams],
            _ connection: KeptConnection,
            _ setting: PostgresSetting,
            _ effort: Effort
        ) async throws -> (latencies: [Double], rate: Double) {
            let requests = PostgresSendBenchmark.sends(to: effort.recipients)
            let isDone = Locked(false)
            let port = setting.port
            let load = Task.detached {
                var rates: [Double] = []
                while !isDone.withLock({ $0 }) { rates.append(try Load(requests, to: port, seconds: 1).rate) }
                return median(rates)
            }
            var latencies: [Double] = []
            for _ in 0..<max(2, effort.rounds) { latencies += try await times(sends, streams, connection) }
            isDone.withLock { $0 = true }
            return (latencies, try await load.value)
        }
    }

    /// C that commits what our server commits, and hears it on another connection.
    private final class RawHearing {
        /// A person of this benchmark alone: no server writes for it.
        private struct Hearer {
            let person: Int
            let send: PostgresPlan
            var sequence: Int
        }

        private let sender: RawPostgres
        private let listener: RawPostgres
        private let notice: PostgresPlan
        private var hearers: [Hearer]
        private var message: Int
        private var group = 0

        /// The prefix of the people's names, which a number follows.
        static let prefix = "raw-listener-"

        /// The statements of a commit, by the tables' names: the person is locked if the sequence is the expected one,
        /// and the sender's row notes that there is a further group of commits.
        private static let commit: [String] = {
            let statements = PostgresSendBenchmark.statements
            return ["SELECT 1 / (coalesce((\(statements[0])), -1) = $3)::integer"] + statements[1...]
                + ["SELECT noteGroup($1::smallint, $2, $3, $4, $5)"]
        }()

        /// What follows the commit, and does nothing without it.
        private static let notification = """
            SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '0', true),
                pg_notify($1, $2)
            FROM node WHERE id = $3::smallint AND session = $4 AND groups >= $5
            """

        /// Compares the statements of a send to a person whose sequence our server knows.
        static func check(_ setting: PostgresSetting, _ request: PreparedRequest) async throws {
            let recording = try await PostgresRecording(try RawPostgres(setting.address), log: setting.log) {
                _ = try request.answer(from: setting.port)
            }
            let send = recording.transactions.first { $0.contains { $0.sql.contains("INTO message") } } ?? []
            let seen = send.map(\.normalized).filter { !$0.contains("set_config") }
            let named = seen.map { $0.replacing(#/person_[0-9]{2} /#, with: "person ") }
            guard named == commit.map({ RecordedStatement(sql: $0).normalized }) else {
                throw BenchmarkError("a send has other statements than C: \(seen.joined(separator: "; "))")
            }
        }

        /// - Parameter people: The number of people, who exist.
        init(_ address: String, people: Int) throws {
            let sender = try RawPostgres(address)
            listener = try RawPostgres(address)
            try listener.execute("LISTEN raw")
            // A row as the servers have one, where they don't see it.
            try sender.execute(
                """
                CREATE SCHEMA counterpart;
                CREATE TABLE counterpart.node (LIKE node INCLUDING ALL) WITH (fillfactor = 10);
                INSERT INTO counterpart.node (id, session, seenAt, groups, message) VALUES (0, 1, 0, 0, 0);
                SET search_path = counterpart, public
                """
            )
            message = max(0, sender.integer("SELECT max(id) FROM message WHERE id < 1000000"))
            hearers = try (0..<people).map { try RawHearing.hearer("\(RawHearing.prefix)\($0)", sender) }
            notice = try PostgresPlan([
                RecordedStatement(sql: Self.notification, values: ["raw", "", "0", "1", "1"])
            ])
            // Prepared before the first commit, it notifies nothing.
            try sender.run(notice)
            self.sender = sender
        }

        private static func hearer(_ name: String, _ sender: RawPostgres) throws -> Hearer {
            let person = sender.integer("SELECT person FROM personName WHERE name = '\(name)'")
            let partition = sender.integer(
                "SELECT substring(tableoid::regclass::text FROM '[0-9]+$')::integer FROM person WHERE id = \(person)"
            )
            let content = String(decoding: JSON.object(Corpus.content(0)).utf8, as: UTF8.self)
            let now = String(Int(Date().timeIntervalSince1970 * 1_000))
            let values: [[String?]] = [
                ["\(person)", name, "0"],
                ["0", content, "offers", "orders", "thread-0", nil, now, nil, now, "1", "1", nil, nil, nil],
                ["0", "\(person)", "0", "0", "0", now, "1"],
                ["0", "\(person)"],
                ["0", "1", "0", "0", "0"],
            ]
            let statements = zip(commit, values).map {
                RecordedStatement(sql: named($0, partition), values: $1)
            }
            return Hearer(
                person: person,
                send: try PostgresPlan(
                    [RecordedStatement(sql: "BEGIN")] + statements + [RecordedStatement(sql: "COMMIT")]
                ),
                sequence: sender.integer("SELECT sequence FROM person WHERE id = \(person)")
            )
        }

        /// Returns a statement that names a partition of `person`, as ours does.
        private static func named(_ sql: String, _ partition: Int) -> String {
            sql.replacingOccurrences(
                of: " person ",
                with: partition < 10 ? " person_0\(partition) " : " person_\(partition) "
            )
        }

        /// Sends to each person, and returns how long it takes until each is heard.
        func times() async throws -> [Double] {
            var times: [Double] = []
            for number in hearers.indices {
                times.append(try time(number))
                try await Task.sleep(for: PostgresHearingBenchmark.pause)
            }
            return times
        }

        /// Sends to one person, and returns how long it takes until it is heard.
        func time(_ number: Int) throws -> Double {
            let hearer = hearers[number]
            let sequence = hearer.sequence + 1
            message += 1
            group += 1
            hearer.send.set(1, 2, to: "\(hearer.sequence)")
            for statement in [2, 3] { hearer.send.set(statement, 0, to: "\(message)") }
            for value in 2...4 { hearer.send.set(3, value, to: "\(sequence)") }
            hearer.send.set(4, 0, to: "\(sequence)")
            hearer.send.set(5, 2, to: "\(group)")
            hearer.send.set(5, 3, to: "\(message)")
            hearer.send.set(5, 4, to: "\(group - 1)")
            notice.set(0, 1, to: "0;own:\(hearer.person)=\(sequence);groups:\(group)-\(group)")
            notice.set(0, 4, to: "\(group)")
            let time = try seconds {
                try sender.send(hearer.send)
                try sender.send(notice)
                try listener.waitForNotification()
            }
            try sender.read()
            hearers[number].sequence = sequence
            return time
        }
    }
#endif
