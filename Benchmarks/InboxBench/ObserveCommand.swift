import ArgumentParser
import Foundation
import InboxClient

/// A process that observes an inbox and reports how much its memory grew.
struct ObserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "observe", shouldDisplay: false)

    @Option var directory: String
    /// The maximum number of messages, or nil for all.
    @Option var limit: Int?

    func run() async throws {
        let before = try Child.memory(of: getpid())
        let inbox = try await DeviceStore.inbox(in: URL(fileURLWithPath: directory))
        var snapshots = inbox.observe(limit: limit).makeAsyncIterator()
        let snapshot = try await snapshots.next()
        let after = try Child.memory(of: getpid())
        withExtendedLifetime((snapshot, snapshots)) {}
        print(after - before)
        await inbox.close()
    }
}

/// The memory for observing an inbox, compared with the allowed 10 MB.
enum MemoryBenchmark {
    private static let count = 10_000
    private static let allowed = 10_000_000.0

    static func run(_ context: Context) async throws -> [Line] {
        let device = try await DeviceStore(in: context.workspace.subfolder("memory"))
        try await device.fill(Corpus.answer(count))
        func observe(_ options: [String]) throws -> Double {
            let output = try Child.output(of: ["observe", "--directory", device.directory.path] + options)
            guard let bytes = Double(output) else {
                throw BenchmarkError("the reported memory isn't a number: \(output)")
            }
            return bytes
        }
        return [
            Line(
                "observing 50 of \(count)",
                .memory,
                rounds: [(try observe(["--limit", "50"]), allowed)],
                goal: 1,
                note: "resident memory above that of the process before; beside the 10 MB that it may take"
            ),
            Line(
                "observing all \(count)",
                .memory,
                rounds: [(try observe([]), allowed)],
                note: "the same without a limit: every message as a value"
            ),
        ]
    }
}
