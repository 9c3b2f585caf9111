/// How often a value was how large, in steps that are set beforehand.
struct Histogram: Sendable {
    /// The upper ends of the steps but the last, which is endless; ascending.
    let bounds: [Double]
    private(set) var counts: [Int]
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    var count: Int { counts.reduce(0, +) }
}
