import Foundation
import Groundwork
import InboxModel
import JMAP

/// The server's memory under attack, and whether it is released afterwards, each compared with its limit.
enum ServerMemoryBenchmark {
    private static let mebibyte = 1_048_576.0

    static func run(_ context: Context) async throws -> [Line] {
        try await streams(context) + closedStreams(context) + answers(context)
    }

    /// 1,000 messages per second to people with 20 streams each.
    private static func streams(_ context: Context) async throws -> [Line] {
        let server = try Servers.start(try context.workspace.subfolder("sends").appendingPathComponent("inbox.sqlite"))
        defer { server.stop() }
        let streams = try Streams(try listeners(people: 5, server.port), to: server.port)
        let sends = (0..<1_000).map { Servers.send(Corpus.content($0), to: name($0 % 5)) }
        // The first messages allocate memory that isn't released: code pages and SQLite's caches.
        _ = try Load(sends, to: server.port, seconds: 10, limit: sends.count)
        try streams.read(seconds: 6)
        let before = Double(try server.memory)
        var (peak, count) = (before, 0)
        let start = ContinuousClock.now
        while (ContinuousClock.now - start).seconds < context.effort.memoryDuration {
            let start = ContinuousClock.now
            let load = try Load(sends, to: server.port, seconds: 1, limit: sends.count)
            count += load.latencies.count
            try streams.read(seconds: max(0.01, 1 - (ContinuousClock.now - start).seconds))
            peak = max(peak, Double(try server.memory))
        }
        let rate = Int(Double(count) / (ContinuousClock.now - start).seconds)
        return [
            Line(
                "memory of sends to streams",
                .memory,
                rounds: [(max(1, peak - before), 20 * mebibyte)],
                goal: 1,
                note:
                    "how much the server grew at most in \(Int(context.effort.memoryDuration)) s "
                    + "of \(rate) sends a second to 5 people with 20 streams each;"
                    + " beside the 20 MiB that it may"
            )
        ]
    }

    /// Streams that were open, and ten seconds later.
    private static func closedStreams(_ context: Context) async throws -> [Line] {
        let server = try Servers.start(try context.workspace.subfolder("closed").appendingPathComponent("inbox.sqlite"))
        defer { server.stop() }
        let requests = try listeners(people: context.effort.streams / 20, server.port)
        try await Task.sleep(for: .seconds(6))
        let before = Double(try server.memory)
        let streams = try Streams(requests, to: server.port)
        let open = Double(try server.memory) - before
        withExtendedLifetime(streams) {}
        _ = consume streams
        try await Task.sleep(for: .seconds(10))
        let left = max(1, Double(try server.memory) - before)
        return [
            Line(
                "memory of closed streams",
                .memory,
                rounds: [(left, open)],
                goal: 0.5,
                note: "10 s after \(requests.count) streams were closed; raw: what they held"
            )
        ]
    }

    /// 16 concurrent requests, each for the largest allowed response, and then each with the largest body that is
    /// parsed.
    private static func answers(_ context: Context) async throws -> [Line] {
        let file = try context.workspace.subfolder("answers").appendingPathComponent("inbox.sqlite")
        let server = try Servers.start(file)
        defer { server.stop() }
        for _ in 0..<4 {
            let message = JSONObject([("title", "Long"), ("html", .string(String(repeating: "x", count: 500_000)))])
            _ = try Servers.send(message, to: "reader").answer(from: server.port)
        }
        let reader = try Servers.account("reader", port: server.port)
        let all = (0..<32).map { ("/get", JSONObject([("ids", .null)]), "\($0)") }
        let echo =
            Array(#"{"using":["\#(CoreCapability.uri)"],"methodCalls":[["Core/echo",{"a":["#.utf8)
            + Array(String(repeating: "[0],", count: 2_400_000).utf8) + Array(#"[0]]},"0"]]}"#.utf8)
        let attacks: [(name: String, request: PreparedRequest)] = [
            ("16 requests of 32 gets", Servers.request(all, of: reader)),
            ("16 echoes of 10 MB", PreparedRequest(path: "/jmap/api", bearer: reader.token, body: echo)),
        ]
        var lines: [Line] = []
        for (name, request) in attacks {
            var peak = 0.0
            // The responses aren't read, so the server holds them until the connections are closed.
            let sockets = try Sockets(Array(repeating: request, count: 16), to: server.port)
            for _ in 0..<500 {
                peak = max(peak, Double(try server.memory))
                try await Task.sleep(for: .milliseconds(20))
            }
            sockets.close()
            try await Task.sleep(for: .seconds(context.effort.memoryDuration))
            let later = Double(try server.memory)
            lines += [
                Line(
                    "memory of \(name)",
                    .memory,
                    rounds: [(peak, 400 * mebibyte)],
                    goal: 1,
                    note: "the whole server's at most, while the answers aren't read; beside the 400 MiB that it may"
                ),
                Line(
                    "…, \(Int(context.effort.memoryDuration)) s later",
                    .memory,
                    rounds: [(later, 250 * mebibyte)],
                    goal: 1,
                    note: "after \(name); beside 250 MiB"
                ),
            ]
        }
        return lines
    }

    private static func name(_ number: Int) -> String { "listener\(number)" }

    /// Returns requests for 20 streams per person.
    private static func listeners(people: Int, _ port: Int) throws -> [PreparedRequest] {
        let path = "/jmap/eventsource/?types=\(MessageCapability.messageType)&closeafter=no&ping=0"
        return try (0..<people).flatMap { number in
            let token = try Servers.token(of: name(number), port: port)
            return Array(repeating: PreparedRequest(get: path, bearer: token), count: 20)
        }
    }
}
