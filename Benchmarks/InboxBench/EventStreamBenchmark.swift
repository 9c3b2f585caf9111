import Foundation
import Groundwork
import InboxModel
import JMAP

/// Many event streams, each of a different person: the memory per stream, and the time to notify all of them, compared
/// with bare Hummingbird streams that receive the same bytes.
enum EventStreamBenchmark {
    /// The allowed time for a server to stop, in seconds.
    private static let maxStopTime = 2.0

    static func run(_ context: Context) async throws -> [Line] {
        let count = context.effort.streams
        let file = try context.workspace.subfolder("streams").appendingPathComponent("inbox.sqlite")
        let ours = try Servers.start(file)
        defer { ours.destroy() }
        let bare = try Child(["bare"])
        defer { bare.destroy() }
        let path = "/jmap/eventsource/?types=\(MessageCapability.messageType)&closeafter=no&ping=0"
        let listeners = try (0..<count).map { number in
            PreparedRequest(get: path, bearer: try Servers.token(of: "listener\(number)", port: ours.port))
        }
        let notifyOurs = Servers.sendToEveryone()
        let notifyBare = PreparedRequest(path: "/notify", body: Array("{}".utf8))

        let before = (ours: try ours.memory, bare: try bare.memory)
        let streams = try Streams(listeners, to: ours.port)
        let bareStreams = try Streams(
            Array(repeating: PreparedRequest(get: "/stream", bearer: "none"), count: count),
            to: bare.port
        )
        let memory = (
            ours: Double(try ours.memory - before.ours) / Double(count),
            raw: Double(try bare.memory - before.bare) / Double(count)
        )
        var times: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            // The pause restores the burst of wake-ups, so that each round measures it and not the rate limit beyond
            // it.
            try await Task.sleep(for: .seconds(1))
            let elapsed = (
                ours: try seconds {
                    _ = try notifyOurs.answer(from: ours.port)
                    try streams.waitForEvent()
                },
                raw: try seconds {
                    _ = try notifyBare.answer(from: bare.port)
                    try bareStreams.waitForEvent()
                }
            )
            if round > 0 { times.append(elapsed) }
        }
        // All streams of our server are still open.
        let stopped = withExtendedLifetime(streams) { seconds { ours.stop() } }
        return [
            Line(
                "event streams, stopped",
                .time,
                rounds: [(stopped, Self.maxStopTime)],
                goal: 1,
                note:
                    "from SIGTERM until the process of \(count) open streams has ended; beside the 2 s that it may take"
            ),
            Line(
                "event stream, open",
                .memory,
                rounds: [memory],
                goal: 1.2,
                note: "resident memory for each of \(count); raw: bare Hummingbird streams"
            ),
            Line(
                "event streams, all notified",
                .time,
                rounds: times,
                goal: 1.2,
                note:
                    "a durable message to everyone, after a second's pause, until the last of \(count) has "
                    + "received it; raw: bare streams with the same bytes"
            ),
        ]
    }
}
