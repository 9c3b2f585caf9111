import Foundation
import Groundwork
import JMAP
import Testing

/// Worlds in which whatever can fail does.
///
/// `SIMULATION_SEEDS` says how many worlds there are; `SIMULATION_SEED` names one, whose whole story is printed.
@Suite struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let count = environment["SIMULATION_SEEDS"].flatMap { Int($0) } ?? 300
    static let only = environment["SIMULATION_SEED"].flatMap { UInt64($0) }

    @Test func whateverFails_allAgreeInTheEnd_andNothingIsLostOrAppliedTwice() async throws {
        let started = ContinuousClock.now
        let seeds = Self.only.map { [$0] } ?? (1...UInt64(Self.count)).map { $0 }
        let failed = try await Worlds.with { worlds in
            try await worlds.run(seeds) { outcome in
                if Self.only != nil { print(outcome.log.joined(separator: "\n")) }
                guard let failure = outcome.failure else { return }
                Issue.record(
                    """
                    seed \(outcome.seed): \(failure)
                    \(outcome.log.suffix(30).joined(separator: "\n"))
                    Again, with all that happened: SIMULATION_SEED=\(outcome.seed) swift test --filter SimulationTests
                    """
                )
            }
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        print("simulation: \(seeds.count) seeds were run in \(Int(seconds.rounded())) s, \(failed) of them failed")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func oneSeed_runTwice_isTheSameWorld(seed: UInt64) async throws {
        try await Worlds.with { worlds in
            let first = try await worlds.run(seed)
            let second = try await worlds.run(seed)
            #expect(first.log == second.log)
            #expect(first.log.count > 20)
        }
    }
}
