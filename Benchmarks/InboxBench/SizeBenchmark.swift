import Foundation
import Groundwork
import JMAP

/// The same requests to servers of increasing size, compared with a server of 1,000 messages and few people.
enum SizeBenchmark {
    private static let smallest = 1_000

    static func run(_ context: Context) async throws -> [Line] {
        let effort = context.effort
        let small = try SizedServer(messages: smallest, people: 0, context.workspace)
        defer { small.stop() }
        var lines: [Line] = []
        let sizes = effort.sizes.map { (messages: $0, people: 0) } + [(smallest, effort.sizes.last ?? 0)]
        for (messages, people) in sizes {
            let large = try SizedServer(messages: messages, people: people, context.workspace)
            defer { large.stop() }
            let name = people > 0 ? "\(people) people" : "\(messages) messages"
            for (label, request) in SizedServer.requests {
                var rounds: [(ours: Double, raw: Double)] = []
                for round in 0...effort.rounds {
                    let rates = (
                        ours: try Load(request(large), to: large.port, seconds: effort.runSeconds).rate,
                        raw: try Load(request(small), to: small.port, seconds: effort.runSeconds).rate
                    )
                    if round > 0 { rounds.append(rates) }
                }
                let note = "raw: ours with \(smallest) messages and a few people"
                lines.append(Line("\(label), \(name)", .rate, rounds: rounds, note: note))
            }
            lines.append(try everyone(large, small, name: name, rounds: effort.rounds))
        }
        return lines
    }

    /// Broadcasts, whose cost doesn't depend on the number of people.
    private static func everyone(
        _ large: SizedServer,
        _ small: SizedServer,
        name: String,
        rounds count: Int
    ) throws -> Line {
        let request = Servers.sendToEveryone()
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...count {
            let times = (
                ours: try seconds { for _ in 0..<10 { _ = try request.answer(from: large.port) } } / 10,
                raw: try seconds { for _ in 0..<10 { _ = try request.answer(from: small.port) } } / 10
            )
            if round > 0 { rounds.append(times) }
        }
        let note = "one after the other; raw: ours with \(smallest) messages and a few people"
        return Line("send to everyone, \(name)", .time, rounds: rounds, note: note)
    }
}

/// A server with a given number of messages in one inbox, and a given number of people.
final class SizedServer {
    let port: Int
    let reader: Servers.Account
    private let server: Child

    init(messages: Int, people: Int, _ workspace: Workspace) throws {
        let file = try workspace.subfolder("size").appendingPathComponent("inbox.sqlite")
        let filling = try Servers.start(file)
        _ = try Servers.send(Corpus.content(0), to: "reader").answer(from: filling.port)
        _ = try Servers.send(Corpus.content(0), to: "recipient").answer(from: filling.port)
        filling.stop()
        try Self.fill(try RawDatabase(file), messages: messages, people: people)
        try RawDatabase.checkpoint(file)
        server = try Servers.start(file)
        port = server.port
        reader = try Servers.account("reader", port: port)
    }

    func stop() {
        server.stop()
    }

    /// The requests to each server.
    static var requests: [(label: String, request: (SizedServer) -> [PreparedRequest])] {
        [
            (
                "nothing new",
                { server in
                    let arguments = JSONObject([("sinceState", .string(server.reader.state))])
                    return [Servers.request([("/changes", arguments, "0")], of: server.reader)]
                }
            ),
            // More than the server's cache holds, since these messages are short.
            ("newest 50, uncached", { server in Servers.newest(of: server.reader, variants: 10_000) }),
            ("durable sends", { _ in [Servers.send(Corpus.content(0), to: "recipient")] }),
        ]
    }

    /// Inserts rows like those of sent messages, older than the existing ones.
    private static func fill(_ database: RawDatabase, messages: Int, people: Int) throws {
        try database.execute(
            """
            PRAGMA synchronous = OFF;
            BEGIN;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(messages))
            INSERT INTO message (id, content, surface, category, deliverAt, createdAt, recipients, state)
            SELECT m.id - (\(messages) - n.i + 1) * 1024,
                json_object('surface', 'inbox', 'title', 'Number ' || n.i, 'category', 'orders',
                    'body', 'It arrives tomorrow between 9 and 12; please be at home.'),
                'inbox', 'orders', m.deliverAt - (\(messages) - n.i + 1) * 1000, m.createdAt, 1, 1
            FROM n, (SELECT min(id) AS id, deliverAt, createdAt FROM message) m;
            INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
            SELECT m.id, p.id, 1 + row_number() OVER (ORDER BY m.id), 1 + row_number() OVER (ORDER BY m.id),
                m.deliverAt, 1
            FROM message m, person p
            WHERE p.name = 'reader' AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id);
            UPDATE person SET sequence = 1 + \(messages) WHERE name = 'reader';
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(people))
            INSERT INTO person (name, account, sequence, createdAt)
                SELECT 'p' || i, 'a' || i, 0, 0 FROM n WHERE \(people) > 0;
            COMMIT;
            """
        )
    }
}
