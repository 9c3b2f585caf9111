#if PostgreSQL
    import Foundation
    import Groundwork
    import InboxModel

    /// How long it takes from a send on one server until a stream of the person on another one receives the change,
    /// compared with C that writes the same rows and notifies a connection that listens.
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
            let streams = try people.map { person in
                let token = try Servers.token(of: person, port: setting.port)
                return try Streams([PreparedRequest(get: path, bearer: token)], to: other.port)
            }
            // As C has it, and an app's backend.
            let connection = try KeptConnection(setting.port)
            let raw = try RawHearing(setting.address)
            var (rounds, latencies): ([(ours: Double, raw: Double)], [Double]) = ([], [])
            var notices: [Double] = []
            for round in 0...context.effort.rounds {
                let ours = try await times(sends, streams, connection)
                let inC = try await raw.times(count)
                guard round > 0 else { continue }
                rounds.append((median(ours), median(inC.map(\.whole))))
                latencies += ours
                notices += inC.map(\.notice)
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
                        + "the same rows, a NOTIFY, and a connection that listens; there, the NOTIFY alone takes "
                        + Report.duration(median(notices))
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
                        _ = try connection.answer(to: send)
                        try stream.waitForEvent()
                    }
                )
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

    /// C that sends as our server does, and hears it on another connection.
    private struct RawHearing {
        private let sender: RawPostgres
        private let listener: RawPostgres
        private let send: PostgresPlan
        private let notice: PostgresPlan
        private let person: Int

        init(_ address: String) throws {
            sender = try RawPostgres(address)
            listener = try RawPostgres(address)
            try listener.execute("LISTEN raw")
            person = sender.integer("SELECT person FROM personName WHERE name = '\(Servers.manyPrefix)1'")
            let partition = sender.integer(
                "SELECT substring(tableoid::regclass::text FROM '[0-9]+$')::integer FROM person WHERE id = \(person)"
            )
            let content = String(decoding: JSON.object(Corpus.content(0)).utf8, as: UTF8.self)
            let now = String(Int(Date().timeIntervalSince1970 * 1_000))
            let message = [
                "0", content, "offers", "orders", "thread-0", nil, now, nil, now, "1", "1", nil, nil, nil,
            ]
            let statements = PostgresSendBenchmark.statements
            send = try PostgresPlan([
                RecordedStatement(sql: "BEGIN"),
                RecordedStatement(
                    sql: Self.named(statements[0], partition),
                    values: ["\(person)", "\(Servers.manyPrefix)1"]
                ),
                RecordedStatement(sql: statements[1], values: message),
                RecordedStatement(sql: statements[2], values: ["0", "\(person)", "1", "1", "1", now, "1"]),
                RecordedStatement(sql: Self.named(statements[3], partition), values: ["1", "\(person)"]),
                RecordedStatement(sql: "COMMIT"),
            ])
            notice = try PostgresPlan([
                RecordedStatement(sql: "BEGIN"),
                RecordedStatement(sql: "SET LOCAL synchronous_commit TO off"),
                RecordedStatement(sql: "SELECT pg_notify('raw', 'a change of one person')"),
                RecordedStatement(sql: "COMMIT"),
            ])
        }

        /// Returns a statement that names a partition of `person`, as ours does.
        private static func named(_ sql: String, _ partition: Int) -> String {
            sql.replacingOccurrences(
                of: " person ",
                with: partition < 10 ? " person_0\(partition) " : " person_\(partition) "
            )
        }

        /// Sends some times, and returns how long it takes until each is heard: with the rows, and of the notice alone.
        func times(_ count: Int) async throws -> [(whole: Double, notice: Double)] {
            let next = 1 + max(0, sender.integer("SELECT max(id) FROM message WHERE id < 1000000"))
            let sequence = 1 + sender.integer("SELECT sequence FROM person WHERE id = \(person)")
            var times: [(Double, Double)] = []
            for number in 0..<count {
                for statement in [2, 3] { send.set(statement, 0, to: "\(next + number)") }
                for value in 2...4 { send.set(3, value, to: "\(sequence + number)") }
                send.set(4, 0, to: "\(sequence + number)")
                let written = try seconds { try sender.run(send) }
                let heard = try seconds {
                    try sender.run(notice)
                    try listener.waitForNotification()
                }
                times.append((written + heard, heard))
                try await Task.sleep(for: PostgresHearingBenchmark.pause)
            }
            return times
        }
    }
#endif
