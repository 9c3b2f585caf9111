import Foundation
import Groundwork
import InboxClient
import InboxModel
import JMAP

/// A new device of a person with very many messages: the time until its first list, the time until it knows all
/// messages, and the costs.
enum WholeInboxBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let effort = context.effort
        let all = effort.sizes.first ?? 100_000
        let small = try SizedServer(messages: 50, people: 0, context.workspace)
        defer { small.stop() }
        let medium = try SizedServer(messages: effort.inbox, people: 0, context.workspace)
        defer { medium.stop() }
        let large = try SizedServer(messages: all, people: 0, context.workspace)
        defer { large.stop() }

        var first: [(ours: Double, raw: Double)] = []
        var known: [(ours: Double, raw: Double)] = []
        var bound: [(ours: Double, raw: Double)] = []
        var bytes: [(ours: Double, raw: Double)] = []
        var reads: [(ours: Double, raw: Double)] = []
        var slowest = 0.0
        var idle: [(ours: Double, raw: Double)] = []
        var wire = 0
        for round in 0...effort.rounds {
            let lists = (
                ours: try await device(of: medium, context).firstList,
                raw: try await device(of: small, context).firstList
            )
            let whole = try await device(of: large, context)
            let held = try await device(of: small, context)
            let fetched = try seconds { wire = try fetchOutline(from: large) }
            guard round > 0 else { continue }
            first.append(lists)
            known.append((whole.known - whole.firstList, fetched))
            bound.append((whole.known, 5 * Double(all) / 100_000))
            reads.append((whole.readMeanwhile, whole.readAfterwards))
            slowest = max(slowest, whole.slowestRead)
            idle.append((whole.idleSync, held.idleSync))
            bytes.append((Double(whole.bytes - held.bytes), 15_000_000 * Double(all) / 100_000))
        }
        return [
            Line(
                "first list of a new device",
                .time,
                rounds: first,
                note: "Inbox.open to the first messages and counts, of \(effort.inbox) messages; raw: ours, of 50"
            ),
            Line(
                "all \(all) messages known",
                .time,
                rounds: known,
                note:
                    "light rows, after the first list; "
                    + "raw: the same pages fetched and dropped, \(wire / all) bytes a message on the wire"
            ),
            Line(
                "all \(all) messages known, bound",
                .time,
                rounds: bound,
                goal: 1,
                note: "from Inbox.open on; raw: the bound, 50 µs a message"
            ),
            Line(
                "read while light rows come",
                .time,
                rounds: reads,
                goal: 3,
                note:
                    "messages(limit: 50) until all \(all) are known, median, "
                    + "the slowest \(Self.text(slowest)); raw: the same afterwards"
            ),
            Line(
                "sync without news, \(all) messages",
                .time,
                rounds: idle,
                goal: 1.2,
                note: "Inbox.sync() of a device that knows all; raw: ours, of 50 messages"
            ),
            Line(
                "light rows in the file",
                .memory,
                rounds: bytes,
                goal: 1,
                note: "of \(all) messages; raw: the bound, 150 bytes each"
            ),
        ]
    }

    private struct Times {
        let firstList, known: Double
        /// The median times of `messages(limit: 50)`, and the slowest one before all messages were known.
        let readMeanwhile, readAfterwards, slowestRead: Double
        /// The median time of a sync without changes.
        let idleSync: Double
        /// The size of the store in bytes.
        let bytes: Int
    }

    private static func device(of server: SizedServer, _ context: Context) async throws -> Times {
        let folder = try context.workspace.subfolder("device")
        var configuration = InboxConfiguration()
        configuration.isLive = false
        guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { throw BenchmarkError("no address") }
        let start = ContinuousClock.now
        let token = server.reader.token
        let inbox = try await Inbox.open(server: url, person: "reader", directory: folder, configuration: configuration)
        {
            token
        }
        let listed = Task {
            for try await snapshot in inbox.observe() where !snapshot.items.isEmpty {
                return (ContinuousClock.now - start).seconds
            }
            return 0
        }
        let isKnown = Locked(false)
        let reading = Task {
            var times: [Double] = []
            while !isKnown.withLock({ $0 }) {
                times.append(try await read(inbox))
                try await Task.sleep(for: .milliseconds(5))
            }
            return times
        }
        try await inbox.sync()
        let known = (ContinuousClock.now - start).seconds
        isKnown.withLock { $0 = true }
        let meanwhile = try await reading.value.sorted()
        var afterwards: [Double] = []
        var syncs: [Double] = []
        for _ in 0..<50 {
            afterwards.append(try await read(inbox))
            let start = ContinuousClock.now
            try await inbox.sync()
            syncs.append((ContinuousClock.now - start).seconds)
        }
        guard try await inbox.counts().isExact else { throw BenchmarkError("the device doesn't know all messages") }
        let firstList = try await listed.value
        await inbox.close()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        let bytes = try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        return Times(
            firstList: firstList,
            known: known,
            readMeanwhile: median(meanwhile),
            readAfterwards: median(afterwards),
            slowestRead: meanwhile.last ?? 0,
            idleSync: median(syncs),
            bytes: bytes
        )
    }

    private static func read(_ inbox: Inbox) async throws -> Double {
        let start = ContinuousClock.now
        _ = try await inbox.messages(limit: 50)
        return (ContinuousClock.now - start).seconds
    }

    private static func median(_ times: [Double]) -> Double {
        times.isEmpty ? 0 : times.sorted()[times.count / 2]
    }

    private static func text(_ seconds: Double) -> String { "\(Int((seconds * 1_000).rounded())) ms" }

    /// Fetches all pages of an outline as a device does, and discards them.
    ///
    /// - Returns: The number of bytes.
    private static func fetchOutline(from server: SizedServer) throws -> Int {
        var bytes = 0
        var after: JSON = .null
        repeat {
            let fields = [
                "id", "surface", "category", "groupKey", "pinned", "deliverAt", "expiresAt", "seenAt", "readAt",
                "archivedAt",
                "snoozedUntil", "deletedAt",
            ]
            let arguments = JSONObject([
                ("upToState", .string(server.reader.state)), ("properties", JSON(fields)), ("limit", 2_500),
                ("after", after),
            ])
            let answer = try Servers.request([("/outline", arguments, "0")], of: server.reader).answer(
                from: server.port
            )
            bytes += answer.count
            after = try JSON(parsing: answer)["methodResponses"]?[0]?[1]?["after"] ?? .null
        } while after != .null
        return bytes
    }
}

extension JSON {
    fileprivate subscript(_ place: Int) -> JSON? { arrayValue.flatMap { $0.indices.contains(place) ? $0[place] : nil } }
}
