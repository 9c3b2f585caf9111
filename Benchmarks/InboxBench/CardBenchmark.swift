import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxHTML
import InboxModel
import InboxViews
import Observation
import Replica

/// Rendering 50 messages as cards to HTML, compared with fetching as many, and with reading them from the device's
/// store.
enum CardBenchmark {
    private static let limit = 50
    private static let repetitions = 20

    static func run(_ context: Context) async throws -> [Line] {
        let device = try await DeviceStore(in: context.workspace.subfolder("cards"))
        try await device.fill(Corpus.answer(10_000))
        let inbox = try await device.inbox()
        let messages = try await inbox.messages(limit: limit)
        guard messages.count == limit else { throw BenchmarkError("too few messages") }
        let words = RelativeTime(texts: CardTexts(.english), timeZone: .gmt)
        let now = messages[0].deliverAt.addingTimeInterval(60)
        let servers = try await context.servers()
        var fetched: [(ours: Double, raw: Double)] = []
        var stored: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            var (ours, reading): ([Double], [Double]) = ([], [])
            for _ in 0..<repetitions {
                ours.append(
                    try seconds {
                        let context = CardContext(relativeTime: words, now: now)
                        var drawing = CardHTML(addresses: .direct, capacity: 65_536)
                        for message in messages { drawing.draw(context.card(of: message)) }
                        guard drawing.writer.count > 10_000 else { throw BenchmarkError("too little HTML") }
                    }
                )
                reading.append(
                    try await seconds {
                        guard try await inbox.messages(limit: limit).count == limit else {
                            throw BenchmarkError("too few messages")
                        }
                    }
                )
            }
            let fetching = try await fetch(from: servers, in: context.workspace.subfolder("fetching \(round)"))
            guard round > 0 else { continue }
            fetched.append((median(ours), fetching))
            stored.append((median(ours), median(reading)))
        }
        await inbox.close()
        return [
            Line(
                "50 cards to HTML",
                .time,
                rounds: fetched,
                goal: 1,
                note:
                    "messages to trees to HTML; raw: a new device fetches the newest 50: sync() and messages(limit: 50)"
            ),
            Line(
                "50 cards to HTML, stored",
                .time,
                rounds: stored,
                note: "the same; raw: messages(limit: 50) alone, of 10,000 that the device has"
            ),
        ]
    }

    /// Returns the time in seconds that a new device needs to fetch and read the newest 50 messages.
    private static func fetch(from servers: Servers, in folder: URL) async throws -> Double {
        guard let server = URL(string: "http://127.0.0.1:\(servers.port)") else { throw BenchmarkError("no URL") }
        var configuration = InboxConfiguration()
        configuration.isLive = false
        let token = servers.reader.token
        let inbox = try await Inbox.open(
            server: server,
            person: "reader",
            directory: folder,
            configuration: configuration,
            token: { token }
        )
        let time = try await seconds {
            try await inbox.sync()
            guard try await inbox.messages(limit: limit).count == limit else {
                throw BenchmarkError("too few messages")
            }
        }
        await inbox.close()
        return time
    }
}

/// Creating a screen for a surface with 10,000 cards until its first cards appear, compared with one for 50 cards.
enum ScreenBenchmark {
    private static let repetitions = 10

    static func run(_ context: Context) async throws -> [Line] {
        let folder = try context.workspace.subfolder("screen")
        // Four of five messages are in the inbox.
        let large = try await inbox(of: 12_500, in: folder.appendingPathComponent("large"))
        let small = try await inbox(of: 63, in: folder.appendingPathComponent("small"))
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            var (ours, raw): ([Double], [Double]) = ([], [])
            for _ in 0..<repetitions {
                ours.append(try await Opening.seconds(large))
                raw.append(try await Opening.seconds(small))
            }
            if round > 0 { rounds.append((median(ours), median(raw))) }
        }
        await large.close()
        await small.close()
        return [
            Line(
                "screen of 10,000 cards",
                .time,
                rounds: rounds,
                goal: 1.2,
                note: "MessageListModel, from its making to its first 50 cards; raw: of 50"
            )
        ]
    }

    private static func inbox(of count: Int, in folder: URL) async throws -> Inbox {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let device = try await DeviceStore(in: folder)
        try await device.fill(Corpus.answer(count))
        return try await DeviceStore.inbox(in: folder, isOffline: true)
    }
}

/// Measures the time until the first cards of a screen appear.
@MainActor
private enum Opening {
    static func seconds(_ inbox: Inbox) async throws -> Double {
        let start = ContinuousClock.now
        let list = MessageListModel(inbox)
        let context = CardContextModel(inbox).context
        while list.messages.isEmpty {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = list.messages
                } onChange: {
                    continuation.resume()
                }
            }
            // The change is about to happen.
            await Task.yield()
        }
        let cards = list.messages.map { Card($0, in: context) }
        let time = (ContinuousClock.now - start).seconds
        guard cards.count == MessageListModel.pageSize else { throw BenchmarkError("not 50 cards") }
        return time
    }
}
