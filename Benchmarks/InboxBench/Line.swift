/// One line of the report: a hot path and its raw counterpart.
struct Line: Sendable, Codable {
    /// What is compared.
    enum Measure: String, Sendable, Codable {
        /// Seconds for one; the ratio is ours to raw: less is better.
        case time
        /// How many in a second; the ratio is ours to raw: more is better.
        case rate
        /// Bytes for one; the ratio is ours to raw: less is better.
        case memory
    }

    let name: String
    let measure: Measure
    /// The median of the rounds.
    let ours: Double
    let raw: Double
    /// The median of the ratios, each of one round, and the least and the greatest of them.
    let ratio: Double
    let ratioRange: [Double]
    /// What the ratio should be: at least that for a rate, at most that for time and memory; nil where nothing is
    /// promised.
    let goal: Double?
    /// How long our answers took, in seconds: half of them no longer than the first, 99 of 100 no longer than the
    /// second.
    let p50: Double?
    let p99: Double?
    let note: String

    /// - Parameters:
    ///   - rounds: Ours and raw, measured alternately.
    ///   - latencies: How long each of our answers took, in seconds.
    init(
        _ name: String,
        _ measure: Measure,
        rounds: [(ours: Double, raw: Double)],
        goal: Double? = nil,
        latencies: [Double] = [],
        note: String
    ) {
        let ratios = rounds.map { $0.ours / $0.raw }
        self.name = name
        self.measure = measure
        self.goal = goal
        ours = median(rounds.map(\.ours))
        raw = median(rounds.map(\.raw))
        ratio = median(ratios)
        ratioRange = [ratios.min() ?? 0, ratios.max() ?? 0]
        p50 = latencies.isEmpty ? nil : percentile(50, latencies)
        p99 = latencies.isEmpty ? nil : percentile(99, latencies)
        self.note = note
    }

    /// Whether the goal is reached; nil where there is none.
    var reachesGoal: Bool? {
        goal.map { measure == .rate ? ratio >= $0 : ratio <= $0 }
    }
}

/// The middle value; of an even number, the lower of the two in the middle.
func median(_ values: [Double]) -> Double {
    percentile(50, values)
}

/// The smallest value that so many in a hundred don't exceed.
func percentile(_ part: Double, _ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let place = Int((part / 100 * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(place, 0), sorted.count - 1)]
}
