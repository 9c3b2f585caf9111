import Groundwork
import InboxService

/// What the server counts while it runs.
///
/// Nothing of a person is in it, and it can't grow with what clients send: a route is the server's own template, a
/// method one of the few that there are.
final class Metrics: Sendable {
    /// One number that goes up, or up and down.
    final class Count: Sendable {
        private let number = Locked(0)

        var value: Int { number.withLock { $0 } }
        func add(_ step: Int) { number.withLock { $0 += step } }
    }

    struct Route: Hashable, Comparable, Sendable {
        let method: String
        let route: String
        let status: Int

        static func < (one: Route, other: Route) -> Bool {
            (one.route, one.method, one.status) < (other.route, other.method, other.status)
        }
    }

    /// Open connections.
    let connections = Count()
    let messages = Count()
    // Reached in `withLock` alone, from any thread.
    private let durations = Locked<[Route: Histogram]>([:])
    private let groups = Locked(Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256]))

    /// In seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

    /// Notes a request that was answered; of an event stream, that it was opened.
    func count(_ route: Route, seconds: Double) {
        durations.withLock { $0[route, default: Histogram(bounds: Self.bounds)].add(seconds) }
    }

    /// Notes what a commit brought.
    func count(_ effects: WriteEffects) {
        messages.add(effects.sent)
        groups.withLock { $0.add(Double(effects.writes)) }
    }

    /// Everything, for Prometheus.
    func text(_ gauges: ServerGauges.Values) -> String {
        var text = MetricsText()
        text.family("inbox_http_request_duration_seconds", .histogram, "Time to the start of the answer.")
        for (route, histogram) in durations.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let labels = [("method", route.method), ("route", route.route), ("status", String(route.status))]
            text.histogram(histogram, labels)
        }
        text.family("inbox_commit_writes", .histogram, "Writes that shared a durable commit.")
        text.histogram(groups.withLock { $0 })
        text.single(
            "inbox_messages_sent_total",
            .counter,
            "Messages that were accepted since the start.",
            messages.value
        )
        text.single("inbox_connections", .gauge, "Open connections.", connections.value)
        text.single("inbox_event_streams", .gauge, "Open event streams.", gauges.eventStreams)
        text.single("inbox_writer_waiting", .gauge, "Writes that wait for the one at work.", gauges.writesWaiting)
        text.single("inbox_due_lag_seconds", .gauge, "How late the earliest due entry is.", gauges.dueLag)
        text.single("inbox_database_bytes", .gauge, "Size of the database file.", gauges.databaseBytes)
        text.single("inbox_database_log_bytes", .gauge, "Size of its write-ahead log.", gauges.logBytes)
        return text.text
    }
}

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
