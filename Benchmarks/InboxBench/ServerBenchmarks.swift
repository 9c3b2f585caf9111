import Foundation
import Groundwork
import JMAP

/// "Nothing new" at 16 connections, compared with a route that decodes and returns about 200 bytes.
enum NothingNewBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let servers = try await context.servers()
        let state = JSON.string(servers.reader.state)
        let single = servers.request([("/changes", JSONObject([("sinceState", state)]), "changes")])
        let changes = try single.json(from: servers.port)["methodResponses"]?.arrayValue?.first?.arrayValue?[1]
        guard changes?["newState"] == state else { throw BenchmarkError("the state isn't the latest") }

        func reference(_ path: String) -> JSON {
            ResultReference(resultOf: "changes", name: "InboxMessage/changes", path: path).json
        }
        let clientRequest = servers.request([
            ("/changes", JSONObject([("sinceState", state), ("maxChanges", 500)]), "changes"),
            ("/get", JSONObject([("#ids", reference("/created"))]), "created"),
            ("/get", JSONObject([("#ids", reference("/updated"))]), "updated"),
            ("InboxSurface/changes", JSONObject([("sinceState", "0"), ("maxChanges", 1)]), "surfaces"),
        ])
        let runs = AlternatingRuns(context.effort)
        let (rounds, loads) = try runs.run([single], to: servers.port, comparedWith: .small, at: servers.barePort)
        let (client, clientLoads) = try runs.run(
            [clientRequest],
            to: servers.port,
            comparedWith: .small,
            at: servers.barePort
        )
        return [
            Line(
                "nothing new, HTTP",
                .rate,
                rounds: rounds,
                goal: 0.8,
                latencies: loads.flatMap(\.latencies),
                note: "InboxMessage/changes at 16 connections; raw: bare route, 200 bytes"
            ),
            Line(
                "nothing new, as asked",
                .rate,
                rounds: client,
                latencies: clientLoads.flatMap(\.latencies),
                note: "with the two gets and the question about surfaces that our client adds; raw as above"
            ),
        ]
    }
}

/// The newest 50 in one request, compared with a route that writes as many bytes.
enum ServedNewestBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let servers = try await context.servers()
        let requests = Servers.newest(of: servers.reader, variants: 2_000)
        guard let request = requests.first else { return [] }
        let answer = try request.answer(from: servers.port)
        let records = try JSON(parsing: answer)["methodResponses"]?.arrayValue?.last?.arrayValue?[1]["list"]
        guard records?.arrayValue?.count == 50 else { throw BenchmarkError("the newest aren't 50") }
        let bare = PreparedRequest(path: "/bytes/\(answer.count)", body: Array("{}".utf8))
        let runs = AlternatingRuns(context.effort)
        let (rounds, loads) = try runs.run([request], to: servers.port, comparedWith: bare, at: servers.barePort)
        let (uncached, uncachedLoads) = try runs.run(
            requests,
            to: servers.port,
            comparedWith: bare,
            at: servers.barePort
        )
        return [
            Line(
                "newest 50, HTTP",
                .rate,
                rounds: rounds,
                goal: 0.5,
                latencies: loads.flatMap(\.latencies),
                note:
                    "query and get, \(answer.count / 1024) kB, as devices of one person ask; "
                    + "raw: bare route, as many bytes"
            ),
            Line(
                "newest 50, uncached",
                .rate,
                rounds: uncached,
                latencies: uncachedLoads.flatMap(\.latencies),
                note:
                    "\(requests.count) different requests one after the other, of which no answer is cached; "
                    + "raw as above"
            ),
        ]
    }
}

/// The page `/inbox` with 50 cards, compared with the JMAP response with the same 50. Both are computed for each
/// request.
enum PageBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let servers = try await context.servers()
        let page = PreparedRequest(get: "/inbox?limit=50", cookie: "inbox=\(servers.reader.token)")
        let html = String(decoding: try page.answer(from: servers.port), as: UTF8.self)
        guard html.components(separatedBy: "<article").count == 51 else { throw BenchmarkError("not 50 cards") }
        let answers = Servers.newest(of: servers.reader, variants: 2_000)
        var rounds: [(ours: Double, raw: Double)] = []
        var latencies: [Double] = []
        for round in 0...context.effort.rounds {
            let ours = try Load([page], to: servers.port, seconds: context.effort.runSeconds)
            let raw = try Load(answers, to: servers.port, seconds: context.effort.runSeconds)
            guard round > 0 else { continue }
            rounds.append((ours.rate, raw.rate))
            latencies += ours.latencies
        }
        return [
            Line(
                "page of 50 cards, HTTP",
                .rate,
                rounds: rounds,
                goal: 0.5,
                latencies: latencies,
                note:
                    "GET /inbox, \(html.utf8.count / 1024) kB; "
                    + "raw: the JMAP answer with the same 50, read again each time"
            )
        ]
    }
}

/// Durable sends to one person at 16 connections, compared with a bare route that has C insert the same rows, as
/// durably and in groups. Beside them: the bare route without any rows, and C without HTTP.
enum SendBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let servers = try await context.servers()
        let request = Servers.send(Corpus.content(0), to: "recipient")
        let database = try RawDatabase(servers.database)
        let copy = try context.workspace.subfolder("sends").appendingPathComponent("inbox.sqlite")
        try FileManager.default.copyItem(at: servers.database, to: copy)
        let inserting = try Child(["bare", "--database", copy.path])
        defer { inserting.destroy() }
        var (alone, groups): ([Double], [Double]) = ([], [])
        let (rounds, loads) = try AlternatingRuns(context.effort).run(
            [request],
            to: servers.port,
            comparedWith: .insert,
            at: inserting.port
        ) {
            alone.append(try Load([.small], to: servers.barePort, seconds: context.effort.runSeconds).rate)
            groups.append(try rate(database, seconds: context.effort.runSeconds))
        }
        let bare = "the bare route alone \(Int(median(Array(alone.dropFirst()))))/s"
        let inC = "C alone, 16 a commit, \(Int(median(Array(groups.dropFirst()))))/s"
        return [
            Line(
                "durable sends, HTTP",
                .rate,
                rounds: rounds,
                goal: 0.6,
                latencies: loads.flatMap(\.latencies),
                note:
                    "to one person at 16 connections; "
                    + "raw: a bare route that has C insert the rows, as durably, in groups; \(bare), \(inC)"
            )
        ]
    }

    /// Returns the number of messages per second.
    private static func rate(_ database: RawDatabase, seconds limit: Double) throws -> Double {
        let size = 16
        let start = ContinuousClock.now
        var groups = 0
        var time = 0.0
        while time < limit {
            try database.send(groups: 8, of: size)
            groups += 8
            time = (ContinuousClock.now - start).seconds
        }
        return Double(groups * size) / time
    }
}

/// Alternating runs against two servers: while one is measured, the other is idle.
struct AlternatingRuns: Sendable {
    private let effort: Effort

    init(_ effort: Effort) {
        self.effort = effort
    }

    /// Runs the rounds.
    ///
    /// - Parameter extra: An additional measurement in each round.
    /// - Returns: The rates of all rounds except the first, which warms up, and our results.
    func run(
        _ requests: [PreparedRequest],
        to port: Int,
        comparedWith bare: PreparedRequest,
        at barePort: Int,
        extra: () throws -> Void = {}
    ) throws -> (rounds: [(ours: Double, raw: Double)], loads: [Load]) {
        var rounds: [(ours: Double, raw: Double)] = []
        var loads: [Load] = []
        for round in 0...effort.rounds {
            let ours = try Load(requests, to: port, seconds: effort.runSeconds)
            let raw = try Load([bare], to: barePort, seconds: effort.runSeconds)
            try extra()
            guard round > 0 else { continue }
            rounds.append((ours.rate, raw.rate))
            loads.append(ours)
        }
        return (rounds, loads)
    }
}

extension PreparedRequest {
    /// The request that the bare route decodes, about 200 bytes.
    static let small = PreparedRequest(path: "/small", body: smallBody)

    /// The same to the bare route that inserts a message.
    static let insert = PreparedRequest(path: "/send", body: smallBody)

    private static let smallBody = Array(
        """
        {"account":"a0123456789abcdefghjkmnpqrs","oldState":"10000-0","newState":"10000-0","hasMoreChanges":false,\
        "created":["m0123456789abc"],"updated":["m0123456789abd","m0123456789abe"],"destroyed":[]}
        """.utf8
    )
}
