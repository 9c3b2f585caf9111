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
        let before = try Child.memoryParts(of: getpid())
        let inbox = try await DeviceStore.inbox(in: URL(fileURLWithPath: directory))
        var snapshots = inbox.observe(limit: limit).makeAsyncIterator()
        let snapshot = try await snapshots.next()
        let after = try Child.memoryParts(of: getpid())
        withExtendedLifetime((snapshot, snapshots)) {}
        print(after.all - before.all, after.mapped - before.mapped)
        await inbox.close()
    }
}

/// The memory for observing an inbox, compared with the allowed 10 MB.
///
/// What counts is the process's own memory, which Apple's systems charge to an app too. Pages that are mapped from
/// files, nearly all of them code of the system's libraries that runs for the first time, can be shared and dropped.
enum MemoryBenchmark {
    private static let count = 10_000
    private static let allowed = 10_000_000.0

    static func run(_ context: Context) async throws -> [Line] {
        let device = try await DeviceStore(in: context.workspace.subfolder("memory"))
        try await device.fill(Corpus.answer(count))
        func observe(_ options: [String]) throws -> (own: Double, note: String) {
            let output = try Child.output(of: ["observe", "--directory", device.directory.path] + options)
            let bytes = output.split(separator: " ").compactMap { Double($0) }
            guard bytes.count == 2 else { throw BenchmarkError("the reported memory isn't two numbers: \(output)") }
            return (bytes[0] - bytes[1], "\(Int(bytes[1] / 1_024)) kB more are mapped from files")
        }
        let (some, all) = (try observe(["--limit", "50"]), try observe([]))
        return [
            Line(
                "observing 50 of \(count)",
                .memory,
                rounds: [(some.own, allowed)],
                goal: 1,
                note: "resident memory of its own above that before, \(some.note); beside the 10 MB that it may take"
            ),
            Line(
                "observing all \(count)",
                .memory,
                rounds: [(all.own, allowed)],
                note: "the same without a limit: every message as a value; \(all.note)"
            ),
        ]
    }
}
