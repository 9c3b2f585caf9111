import Foundation
import Groundwork
import JMAP
import Testing

@testable import InboxService

/// Worlds with all kinds of failures.
///
/// `SIMULATION_SEEDS` sets the number of worlds, and `SIMULATION_FIRST` the first seed. `SIMULATION_SEED` selects one
/// world, whose complete log is printed.
@Suite(.timeLimit(.minutes(120))) struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let count = environment["SIMULATION_SEEDS"].flatMap { Int($0) } ?? 10
    private static let first = environment["SIMULATION_FIRST"].flatMap { UInt64($0) } ?? 1
    /// Each seed has different messages and different limits of the server.
    private static let storySeeds: [UInt64] = environment["SWIFT_INBOX_LONG_TESTS"] == nil ? [1] : Array(1...20)
    static let only = environment["SIMULATION_SEED"].flatMap { UInt64($0) }

    @Test func `all devices agree after random failures, and nothing is lost or applied twice`() async throws {
        let started = ContinuousClock.now
        let seeds = Self.only.map { [$0] } ?? (0..<UInt64(Self.count)).map { Self.first + $0 }
        let failed = try await WorldRunner.with { runner in
            try await runner.run(seeds) { outcome in Self.record(outcome) }
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        print("simulation: \(seeds.count) seeds were run in \(Int(seconds.rounded())) s, \(failed) of them failed")
    }

    #if PostgreSQL
        /// The servers share one database, and each has caches of its own. They announce their commits to each other,
        /// late, lost, or never since they were killed; they are paused, cut off, and don't know the outcome of a
        /// commit. A device's requests reach any of them.
        @Test func `devices of several servers agree after random failures`() async throws {
            let started = ContinuousClock.now
            let seeds = Self.only.map { [$0] } ?? (0..<UInt64(Self.count)).map { Self.first + $0 }
            var (failed, alone) = (0, 0)
            for (count, seeds) in [2: seeds.filter { !$0.isMultiple(of: 3) }, 3: seeds.filter { $0.isMultiple(of: 3) }]
            {
                failed += try await WorldRunner.with(servers: count) { runner in
                    try await runner.run(seeds) { outcome in
                        alone += outcome.log.count { $0.contains(" is alone") }
                        Self.record(outcome)
                    }
                }
            }
            #expect(seeds.count < 10 || alone > 0, "no server was alone")
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            print(
                "simulation of several servers: \(seeds.count) seeds in \(Int(seconds.rounded())) s, \(failed) failed, \(alone) times one was alone"
            )
        }

        /// As with PostgreSQL: one that is paused keeps its connections.
        @Test(arguments: [false, true])
        func `a silent server that is connected has its number until its session is ended`(isEnded: Bool) {
            let (rows, start) = (SharedRows(), Date(timeIntervalSince1970: 0))
            let paused = rows.acquire(at: start)
            #expect(rows.renew(paused, by: paused.session))
            rows.advance(by: .milliseconds(NodeNumber.lifetime + 1))
            let started = rows.acquire(at: start.addingTimeInterval(1))
            #expect(started.id != paused.id && rows.has(paused))
            if isEnded { rows.endSilent(but: started) } else { rows.endConnections(paused.session) }
            let next = rows.acquire(at: start.addingTimeInterval(2))
            #expect(next.id == paused.id && next.isTaken == !isEnded && !rows.has(paused))
        }
    #endif

    /// Prints a world if it is the only one, and records its failure.
    private static func record(_ outcome: WorldRunner.Outcome) {
        if only != nil { print(outcome.log.joined(separator: "\n")) }
        guard let failure = outcome.failure else { return }
        Issue.record(
            """
            seed \(outcome.seed): \(failure)
            \(outcome.log.suffix(30).joined(separator: "\n"))
            Again, with all that happened: SIMULATION_SEED=\(outcome.seed) swift test --filter SimulationTests
            """
        )
    }

    /// 2445: only some fields were fetched of a message that had come with a push, then been listed, and then changed.
    /// 6882: the date of an ended write to all messages stayed where a later one reached.
    @Test(arguments: [2445, 6882] as [UInt64])
    func `devices agree in the worlds that once found a bug`(seed: UInt64) async throws {
        try await WorldRunner.with { runner in
            let outcome = try await runner.run(seed)
            #expect(outcome.failure == nil, "\(outcome.log.suffix(30).joined(separator: "\n"))")
        }
    }

    @Test func `all devices agree after a death at any moment, nothing is lost or repeated`() async throws {
        let started = ContinuousClock.now
        let isLong = Self.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        try await WorldRunner.with { runner in
            var (count, total) = (0, 0)
            for seed in Self.storySeeds {
                let reference = KillPoints(killIndex: nil)
                let outcome = try await runner.run(seed, killPoints: reference) { try await $0.runStory() }
                try #require(outcome.failure == nil, "\(outcome.log.joined(separator: "\n"))")
                #expect(reference.count > 40)
                // Testing all moments takes minutes in a debug build.
                let pace = isLong ? 1 : max(1, reference.count / 8)
                let all = Array(stride(from: 0, to: reference.count, by: pace))
                count += all.count
                total += reference.count
                try await runner.runConcurrently(all) { moment in
                    try await runner.run(seed, killPoints: KillPoints(killIndex: moment)) { try await $0.runStory() }
                } _: { moment, outcome in
                    let deaths = outcome.log.count { $0.contains(" dies, ") }
                    guard outcome.failure != nil || deaths != 1 else { return }
                    Issue.record(
                        """
                        seed \(seed), death at moment \(moment): \(outcome.failure ?? "\(deaths) deaths")
                        \(outcome.log.joined(separator: "\n"))
                        """
                    )
                }
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            print("death sweep: a process died at \(count) of \(total) moments, in \(Int(seconds.rounded())) s")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [1, 3])
    func `the same seed gives the same world`(seed: UInt64, servers: Int) async throws {
        #if !PostgreSQL
            guard servers == 1 else { return }
        #endif
        try await WorldRunner.with(servers: servers) { runner in
            let first = try await runner.run(seed)
            let second = try await runner.run(seed)
            #expect(first.log == second.log)
            #expect(first.log.count > 20)
        }
    }
}
