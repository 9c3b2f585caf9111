import Foundation
package import Groundwork

/// Growing pauses between attempts, half of each random, so that many clients don't try at the same time.
package struct PostgresBackOff: Sendable {
    private let first: Double
    private let longest: Double
    private let random: RandomSource
    private let sleep: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - first: The seconds of the first pause. Each further one is twice as long.
    ///   - longest: The limit of a pause.
    ///   - sleep: Blocks the calling thread for a number of seconds.
    package init(
        first: Double,
        longest: Double,
        random: RandomSource = .system,
        sleep: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
    ) {
        self.first = first
        self.longest = longest
        self.random = random
        self.sleep = sleep
    }

    /// Pauses after a number of earlier failures.
    package func pause(after failures: Int) {
        let whole = min(longest, first * Double(1 << min(failures, 30)))
        sleep(whole * (0.5 + random.unit() / 2))
    }
}
