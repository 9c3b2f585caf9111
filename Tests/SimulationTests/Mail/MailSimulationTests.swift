import Foundation
import Groundwork
import Testing

/// Worlds in which a person writes and sends mail from two devices, with all kinds of failures.
///
/// `SIMULATION_SEEDS`, `SIMULATION_FIRST` and `SIMULATION_SEED` select the worlds, as for ``SimulationTests``.
@Suite(.timeLimit(.minutes(120))) struct MailSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["SIMULATION_FIRST"].flatMap { UInt64($0) } ?? 1

    @Test func `each mail is sent once and no text is lost after random failures`() async throws {
        let started = ContinuousClock.now
        let count = Self.environment["SIMULATION_SEEDS"].flatMap { UInt64($0) } ?? 4
        let seeds = SimulationTests.only.map { [$0] } ?? (0..<count).map { Self.first + $0 }
        let failed = Locked(0)
        try await Self.inFolder { folder in
            try await Self.concurrently(seeds) { seed in
                let (problem, log) = try await Self.world(seed, folder, nil) { try await $0.run(steps: 40) }
                if SimulationTests.only != nil { print(log.joined(separator: "\n")) }
                guard let problem else { return }
                failed.withLock { $0 += 1 }
                Issue.record(
                    """
                    seed \(seed): \(problem)
                    \(log.suffix(400).joined(separator: "\n"))
                    Again, with all that happened: SIMULATION_SEED=\(seed) swift test --filter MailSimulationTests
                    """
                )
            }
        }
        let seconds = Int(((ContinuousClock.now - started) / .seconds(1)).rounded())
        print(
            "mail simulation: \(seeds.count) seeds were run in \(seconds) s, \(failed.withLock { $0 }) of them failed"
        )
    }

    @Test func `a mail is sent once and its text is kept after a death at any moment`() async throws {
        let started = ContinuousClock.now
        let isLong = Self.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        let counted = Locked(0)
        try await Self.inFolder { folder in
            let reference = KillPoints(killIndex: nil)
            let (problem, log) = try await Self.world(1, folder, reference) { try await $0.runStory() }
            try #require(problem == nil, "\(problem ?? "")\n\(log.joined(separator: "\n"))")
            #expect(reference.count > 60)
            let pace = isLong ? 1 : max(1, reference.count / 8)
            try await Self.concurrently(Array(stride(from: 0, to: reference.count, by: pace))) { moment in
                let points = KillPoints(killIndex: moment)
                let (problem, log) = try await Self.world(1, folder, points) { try await $0.runStory() }
                counted.withLock { $0 += 1 }
                let deaths = log.count { $0.contains(" dies, ") }
                guard problem != nil || deaths != 1 else { return }
                Issue.record(
                    "death at moment \(moment): \(problem ?? "\(deaths) deaths")\n\(log.joined(separator: "\n"))"
                )
            }
            let seconds = Int(((ContinuousClock.now - started) / .seconds(1)).rounded())
            print(
                "mail death sweep: a process died at \(counted.withLock { $0 }) of \(reference.count) moments, in \(seconds) s"
            )
        }
    }

    // MARK: -

    private static func world(
        _ seed: UInt64,
        _ folder: URL,
        _ killPoints: KillPoints?,
        _ body: (MailWorld) async throws -> String?
    ) async throws -> (problem: String?, log: [String]) {
        let folder = folder.appendingPathComponent("\(seed)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world: MailWorld
        do {
            world = try await MailWorld(seed: seed, folder: folder, killPoints: killPoints)
        } catch is ProcessKilled {
            return (nil, ["a process dies, before it has opened"])
        }
        let problem: String?
        do { problem = try await body(world) } catch { problem = "\(error)" }
        await world.end()
        return (problem, world.log)
    }

    /// Runs a body with a folder, in memory if the system supports that.
    private static func inFolder(_ body: (URL) async throws -> Void) async throws {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("mail-simulation-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// Runs one per processor at a time.
    private static func concurrently<Name: Sendable>(
        _ names: [Name],
        _ run: @escaping @Sendable (Name) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = names[...]
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                guard let name = rest.popFirst() else { break }
                group.addTask { try await run(name) }
            }
            while try await group.next() != nil {
                if let name = rest.popFirst() { group.addTask { try await run(name) } }
            }
        }
    }
}
