/// One line of the report: a hot path and its raw counterpart.
struct Line: Sendable, Codable {
    /// The unit of measurement.
    enum Measure: String, Sendable, Codable {
        /// Seconds per operation. The ratio is ours to raw; less is better.
        case time
        /// Operations per second. The ratio is ours to raw; more is better.
        case rate
        /// Bytes per item. The ratio is ours to raw; less is better.
        case memory
    }

    let name: String
    let measure: Measure
    /// The median of the rounds.
    let ours: Double
    let raw: Double
    /// The median of the rounds' ratios, and the minimum and maximum.
    let ratio: Double
    let ratioRange: [Double]
    /// The goal for the ratio: a minimum for a rate, a maximum for time and memory. Nil if there is none.
    let goal: Double?
    /// The percentiles of our latencies, in seconds: the median and the 99th percentile.
    let p50: Double?
    let p99: Double?
    let note: String

    /// - Parameters:
    ///   - rounds: The results of ours and raw, measured alternately.
    ///   - latencies: The latencies of our responses, in seconds.
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

    /// Whether the goal is reached; nil if there is none.
    var reachesGoal: Bool? {
        goal.map { measure == .rate ? ratio >= $0 : ratio <= $0 }
    }
}

/// Returns the median. For an even number of values, it is the lower of the two middle ones.
func median(_ values: [Double]) -> Double {
    percentile(50, values)
}

/// Returns a percentile, the smallest value that `part` percent of the values don't exceed.
func percentile(_ part: Double, _ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let place = Int((part / 100 * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(place, 0), sorted.count - 1)]
}
