import CoreMetrics
import Groundwork

/// A backend of swift-metrics that keeps its values in memory and writes them in Prometheus' text format.
///
/// The families that it is created with are always written. Metrics of other labels are written too, without a help
/// text, with the kind of their first instrument. Each combination of label and dimensions is one series, even if
/// several instruments are created for it.
final class PrometheusMetrics: MetricsFactory {
    /// The metrics of one label.
    struct Family: Sendable {
        let label: String
        let kind: MetricsText.Kind
        let help: String
        /// The upper bounds of a histogram's buckets, ascending. The last bucket is unbounded. Empty for other kinds.
        var bounds: [Double] = []
    }

    private struct State {
        var families: [Family]
        /// The series by label, and by their label pairs.
        var series: [String: [String: Series]] = [:]
    }

    // Guarded by the lock: instruments are created on any thread, and the text is written on others.
    private let state: Locked<State>

    init(_ families: [Family]) { state = Locked(State(families: families)) }

    /// The bounds of histograms of labels without a family, in the unit of the recorded values.
    private static let defaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private func series(_ label: String, _ kind: MetricsText.Kind, _ dimensions: [(String, String)]) -> Series {
        let labels = MetricsText.text(dimensions)
        return state.withLock { state in
            if let series = state.series[label]?[labels] { return series }
            let family: Family
            if let known = state.families.first(where: { $0.label == label }) {
                family = known
            } else {
                let bounds = kind == .histogram ? Self.defaultBounds : []
                family = Family(label: label, kind: kind, help: "", bounds: bounds)
                state.families.append(family)
            }
            let series = Series(label: label, dimensions: dimensions, bounds: family.bounds)
            state.series[label, default: [:]][labels] = series
            return series
        }
    }

    private func remove(_ handler: AnyObject) {
        guard let series = handler as? Series else { return }
        let labels = MetricsText.text(series.dimensions)
        state.withLock { state in
            guard state.series[series.label]?[labels] === series else { return }
            state.series[series.label]?[labels] = nil
        }
    }

    /// All metrics, in the order of the families and of the series' labels.
    var text: String {
        let (families, series) = state.withLock { ($0.families, $0.series) }
        var text = MetricsText()
        for family in families {
            text.family(family.label, family.kind, family.help)
            for (_, series) in (series[family.label] ?? [:]).sorted(by: { $0.key < $1.key }) {
                switch (family.kind, series.value) {
                case (.histogram, .histogram(let histogram)): text.histogram(histogram, series.dimensions)
                case (_, let value): text.sample(value.number, series.dimensions)
                }
            }
        }
        return text.text
    }

    // MARK: - MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions)
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, aggregate ? .histogram : .gauge, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}

/// One series of a ``PrometheusMetrics``: a number, or a histogram. A timer's histogram is in seconds.
private final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Value: Sendable {
        case number(Double)
        case histogram(Histogram)

        var number: Double {
            switch self {
            case .number(let number): number
            case .histogram(let histogram): histogram.sum
            }
        }
    }

    let label: String
    let dimensions: [(String, String)]
    // Guarded by the lock: values are recorded on any thread.
    private let current: Locked<Value>

    init(label: String, dimensions: [(String, String)], bounds: [Double]) {
        (self.label, self.dimensions) = (label, dimensions)
        current = Locked(bounds.isEmpty ? .number(0) : .histogram(Histogram(bounds: bounds)))
    }

    var value: Value { current.withLock { $0 } }

    private func change(_ number: Double, adds: Bool) {
        current.withLock { value in
            switch value {
            case .number(let before): value = .number(adds ? before + number : number)
            case .histogram(var histogram):
                histogram.add(number)
                value = .histogram(histogram)
            }
        }
    }

    func increment(by amount: Int64) { change(Double(amount), adds: true) }
    func increment(by amount: Double) { change(amount, adds: true) }
    func decrement(by amount: Double) { change(-amount, adds: true) }
    func set(_ value: Int64) { change(Double(value), adds: false) }
    func set(_ value: Double) { change(value, adds: false) }
    func record(_ value: Int64) { change(Double(value), adds: false) }
    func record(_ value: Double) { change(value, adds: false) }
    func recordNanoseconds(_ duration: Int64) { change(Double(duration) / 1_000_000_000, adds: false) }

    func reset() {
        current.withLock { value in
            switch value {
            case .number: value = .number(0)
            case .histogram(let histogram): value = .histogram(Histogram(bounds: histogram.bounds))
            }
        }
    }
}

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
