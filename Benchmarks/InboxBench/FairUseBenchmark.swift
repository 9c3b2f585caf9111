import Foundation
import Groundwork
import InboxModel
import JMAP

/// The cost of fair use for honest requests: the server with limits per person, compared with one without them.
enum FairUseBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let setup = try FairUseSetup(context.workspace.subfolder("fair-use"), people: 50, messages: 100)
        let ours = try Servers.start(setup.file)
        defer { ours.stop() }
        let raw = try Servers.start(setup.copy, hasFairUse: false)
        defer { raw.stop() }
        let people = try setup.accounts(port: ours.port)
        let others = try setup.accounts(port: raw.port)

        let loads: [(name: String, requests: ([Servers.Account]) -> [PreparedRequest])] = [
            ("nothing new", { $0.map(FairUseSetup.nothingNew) }),
            // Interleaved by person, as in practice: 16 concurrent requests of one person would wait for each other.
            (
                "newest 50, uncached",
                { people in (0..<40).flatMap { number in people.map { FairUseSetup.newest(of: $0, "\(number)") } } }
            ),
            ("durable sends", { $0.indices.map { Servers.send(Corpus.content(0), to: FairUseSetup.name($0)) } }),
        ]
        return try loads.map { name, requests in
            var rounds: [(ours: Double, raw: Double)] = []
            let (limited, unlimited) = (requests(people), requests(others))
            // The difference is smaller than the variance between rounds. So there are many, each of four short runs:
            // the side that runs first runs last too, so that a drift of the machine's speed cancels out, and the sides
            // alternate.
            for round in 0...(8 * context.effort.rounds) {
                func rate(ofOurs isOurs: Bool) throws -> Double {
                    let (requests, port) = isOurs ? (limited, ours.port) : (unlimited, raw.port)
                    return try Load(requests, to: port, seconds: context.effort.runSeconds / 5).rate
                }
                let isOursFirst = round.isMultiple(of: 2)
                let first = try rate(ofOurs: isOursFirst)
                let second = try rate(ofOurs: !isOursFirst) + rate(ofOurs: !isOursFirst)
                let outer = try first + rate(ofOurs: isOursFirst)
                if round > 0 { rounds.append(isOursFirst ? (outer / 2, second / 2) : (second / 2, outer / 2)) }
            }
            return Line(
                "\(name), with fair use",
                .rate,
                rounds: rounds,
                goal: 0.95,
                note: "of \(people.count) people at 16 connections; raw: the same server without counting and watching"
            )
        }
    }
}

/// The slowest queries that one person can send, while 50 others read and write.
enum HostilePersonBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let setup = try FairUseSetup(context.workspace.subfolder("hostile"), people: 50, messages: 100)
        let server = try Servers.start(setup.file)
        defer { server.stop() }
        let people = try setup.accounts(port: server.port)
        let ids = try people.map { try FairUseSetup.newestID(of: $0, port: server.port) }
        let attacker = try Servers.account(FairUseSetup.attacker, port: server.port)

        func requests(_ round: Int) -> [PreparedRequest] {
            // Each request is sent once per round, so that no response is cached.
            (0..<100).flatMap { number in
                zip(people, ids).flatMap { person, id in
                    [
                        FairUseSetup.newest(of: person, "\(round)-\(number)"),
                        FairUseSetup.markSeen(id, of: person, second: round * 100 + number),
                    ]
                }
            }
        }
        func load(_ round: Int) throws -> [Double] {
            try Load(
                requests(round),
                to: server.port,
                seconds: 2 * context.effort.runSeconds,
                connections: people.count
            )
            .latencies
        }
        var rounds: [(ours: Double, raw: Double)] = []
        var latencies: [Double] = []
        for round in 0...context.effort.rounds {
            let quiet = try load(2 * round)
            let port = server.port
            let attack = FairUseSetup.attack(by: attacker)
            // The maximum number of concurrent requests of one person. They take long, and the benchmark doesn't wait
            // for them.
            let sockets = try Sockets(attack, to: port)
            try await Task.sleep(for: .milliseconds(200))
            let attacked = try load(2 * round + 1)
            // Run one after the other, they would take half a minute.
            guard sockets.answered == 0 else { throw BenchmarkError("the attack was over before the calls") }
            sockets.close()
            // The server cancels the attack's queries when its connections are closed.
            try await Task.sleep(for: .seconds(5))
            guard round > 0 else { continue }
            rounds.append((percentile(99, attacked), percentile(99, quiet)))
            latencies += attacked
        }
        return [
            Line(
                "99 of 100 calls beside an attack",
                .time,
                rounds: rounds,
                goal: 5,
                latencies: latencies,
                note:
                    "50 people read uncached answers and write, at 50 connections, "
                    + "while one has 16 requests of 32 queries run, each through all bodies 60 times;"
                    + " raw: the same calls without the attack"
            )
        ]
    }
}

/// People with a few messages each, and one person with many long ones.
struct FairUseSetup {
    static let attacker = "attacker"
    let file: URL
    private let people: Int

    init(_ folder: URL, people: Int, messages: Int) throws {
        self.people = people
        file = folder.appendingPathComponent("inbox.sqlite")
        let server = try Servers.start(file)
        let sends = (0..<people * messages).map { Servers.send(Corpus.content($0), to: Self.name($0 % people)) }
        _ = try Load(sends, to: server.port, seconds: 120, limit: sends.count)
        let long = JSONObject([("title", "Long"), ("body", .string(String(repeating: "x", count: 14_000)))])
        _ = try Load([Servers.send(long, to: Self.attacker)], to: server.port, seconds: 120, limit: 5_000)
        server.stop()
        try RawDatabase.checkpoint(file)
    }

    /// A copy of the database.
    var copy: URL {
        get throws {
            let copy = file.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
            try FileManager.default.copyItem(at: file, to: copy)
            return copy
        }
    }

    static func name(_ number: Int) -> String { "person\(number)" }

    func accounts(port: Int) throws -> [Servers.Account] {
        try (0..<people).map { try Servers.account(Self.name($0), port: port) }
    }

    static func nothingNew(_ account: Servers.Account) -> PreparedRequest {
        let state = JSONObject([("sinceState", .string(account.state))])
        return Servers.request([("/changes", state, "changes")], of: account)
    }

    /// Requests the newest 50 messages. A distinct spelling makes the request unique, so that it isn't cached.
    static func newest(of account: Servers.Account, _ spelling: String) -> PreparedRequest {
        let ids = ResultReference(resultOf: "query", name: "InboxMessage/query", path: "/ids").json
        let query = JSONObject([("sort", [["property": "deliverAt", "isAscending": false]]), ("limit", 50)])
        let get = JSONObject([("#ids", ids)])
        return Servers.request([("/query", query, "query"), ("/get", get, spelling)], of: account)
    }

    static func newestID(of account: Servers.Account, port: Int) throws -> String {
        let query = JSONObject([("sort", [["property": "deliverAt", "isAscending": false]]), ("limit", 1)])
        let answer = try Servers.request([("/query", query, "query")], of: account).json(from: port)
        let ids = answer["methodResponses"]?.arrayValue?.first?.arrayValue?[1]["ids"]?.arrayValue
        guard let id = ids?.first?.stringValue else { throw BenchmarkError("no message") }
        return id
    }

    /// Sets the date at which a message was seen.
    static func markSeen(_ id: String, of account: Servers.Account, second: Int) -> PreparedRequest {
        let date = RFC3339.string(from: Date(timeIntervalSince1970: 1_780_000_000 + Double(second)))
        let update: JSON = .object(JSONObject([(id, ["seenAt": .string(date)])]))
        return Servers.request([("/set", JSONObject([("update", update)]), "set")], of: account)
    }

    /// Returns 16 requests of 32 queries each, each of which searches all bodies 60 times.
    static func attack(by account: Servers.Account) -> [PreparedRequest] {
        let conditions = (0..<60).map { number -> JSON in
            ["property": "body", "op": "contains", "value": .string("nowhere \(number)")]
        }
        let filter: JSON = ["operator": "OR", "conditions": .array(conditions)]
        return (0..<16).map { connection in
            let calls = (0..<32).map { number in
                (
                    "/query",
                    JSONObject([
                        ("filter", filter), ("sort", [["property": "title", "isAscending": true]]),
                        ("limit", JSON(connection * 32 + number + 1)),
                    ]), "\(number)"
                )
            }
            return Servers.request(calls, of: account)
        }
    }
}
