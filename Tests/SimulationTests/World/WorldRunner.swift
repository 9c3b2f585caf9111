import Foundation
import Groundwork
import JMAP

/// Runs worlds, each in its own temporary folder.
struct WorldRunner {
    /// The result of a world.
    struct Outcome: Sendable {
        let seed: UInt64
        /// The first problem, or nil.
        let failure: String?
        let log: [String]
    }

    /// The number of servers in each world.
    let serverCount: Int
    private let folder: URL
    /// A server's database without people and messages. Each world copies it, since copying is faster than creating
    /// one.
    private let template: URL

    /// Creates the folder, and removes it at the end. It is in memory if the system supports that, since the files
    /// don't outlive the process.
    static func with<Value>(servers: Int = 1, _ body: (WorldRunner) async throws -> Value) async throws -> Value {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("inbox-simulation-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(WorldRunner(in: folder, serverCount: servers))
    }

    private init(in folder: URL, serverCount: Int) async throws {
        (self.folder, self.serverCount) = (folder, serverCount)
        template = folder.appendingPathComponent("template.sqlite")
        var dice = Dice(0)
        let server = try await SimulatedServer(
            file: template,
            clock: WorldTime(),
            random: dice.source(),
            core: CoreCapability()
        )
        try await server.checkpoint()
        try await server.close()
    }

    func run(_ seed: UInt64) async throws -> Outcome {
        try await run(seed, killPoints: nil) { try await $0.run() }
    }

    /// Creates a world from a seed and runs events in it.
    func run(
        _ seed: UInt64,
        killPoints: KillPoints?,
        _ body: (World) async throws -> String?
    ) async throws -> Outcome {
        let folder = folder.appendingPathComponent("\(seed)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await World(
            seed: seed,
            folder: folder,
            template: template,
            killPoints: killPoints,
            serverCount: serverCount
        )
        let failure: String?
        do {
            failure = try await body(world)
        } catch {
            failure = "\(error)"
        }
        return await Outcome(seed: seed, failure: failure, log: world.log)
    }

    /// Runs worlds concurrently and reports each outcome.
    ///
    /// - Returns: The number of failures.
    func run(_ seeds: [UInt64], _ report: (Outcome) -> Void) async throws -> Int {
        var failed = 0
        try await runConcurrently(seeds, { seed in try await run(seed) }) { _, outcome in
            if outcome.failure != nil { failed += 1 }
            report(outcome)
        }
        return failed
    }

    /// Runs one world per processor at a time and reports each outcome.
    func runConcurrently<Name: Sendable>(
        _ names: [Name],
        _ run: @escaping @Sendable (Name) async throws -> Outcome,
        _ report: (Name, Outcome) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Name, Outcome).self) { group in
            var rest = names[...]
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                guard let name = rest.popFirst() else { break }
                group.addTask { (name, try await run(name)) }
            }
            while let (name, outcome) = try await group.next() {
                report(name, outcome)
                if let name = rest.popFirst() { group.addTask { (name, try await run(name)) } }
            }
        }
    }
}
