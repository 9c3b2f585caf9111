/// The distribution of values over fixed buckets.
struct Histogram: Sendable {
    /// The upper bounds of the buckets, ascending. The last bucket is unbounded.
    let bounds: [Double]
    /// The number of values in each bucket.
    private(set) var counts: [Int]
    /// The sum of all values.
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
