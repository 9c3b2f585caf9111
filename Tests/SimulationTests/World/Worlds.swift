import Foundation
import Groundwork
import JMAP

/// Runs worlds, each in a folder of its own of which nothing is left.
struct Worlds {
    /// What became of a world.
    struct Outcome: Sendable {
        let seed: UInt64
        /// What was wrong first; nil where nothing was.
        let failure: String?
        let log: [String]
    }

    private let folder: URL
    /// A server's database without people and messages, which a world begins with: to make one takes longer than to copy it.
    private let template: URL

    /// Makes the folder, and removes it in the end. In memory where the system has such a place: nothing here outlives the process.
    static func with<Value>(_ body: (Worlds) async throws -> Value) async throws -> Value {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("inbox-simulation-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(Worlds(in: folder))
    }

    private init(in folder: URL) async throws {
        self.folder = folder
        template = folder.appendingPathComponent("template.sqlite")
        var dice = Dice(0)
        let server = try await SimulatedServer(
            file: template,
            clock: WorldTime(),
            random: dice.source(),
            core: CoreCapability()
        )
        try await server.fold()
        try server.close()
    }

    func run(_ seed: UInt64) async throws -> Outcome {
        let folder = folder.appendingPathComponent("\(seed)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try await World(seed: seed, folder: folder, template: template)
        let failure: String?
        do {
            failure = try await world.run()
        } catch {
            failure = "\(error)"
        }
        return await Outcome(seed: seed, failure: failure, log: world.log)
    }

    /// Runs worlds side by side, and tells of each.
    ///
    /// - Returns: How many failed.
    func run(_ seeds: [UInt64], _ tell: (Outcome) -> Void) async throws -> Int {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var rest = seeds[...]
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                guard let seed = rest.popFirst() else { break }
                group.addTask { try await run(seed) }
            }
            var failed = 0
            while let outcome = try await group.next() {
                if outcome.failure != nil { failed += 1 }
                tell(outcome)
                if let seed = rest.popFirst() { group.addTask { try await run(seed) } }
            }
            return failed
        }
    }
}
