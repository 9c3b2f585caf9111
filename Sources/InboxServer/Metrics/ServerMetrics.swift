import CoreMetrics
import Groundwork
import InboxService

/// The metrics of the server as swift-metrics instruments, for the text of `/metrics` and the host's backend.
///
/// They contain nothing of a person, and their number is bounded: a route is the server's own template, and a method is
/// a known one.
final class ServerMetrics: Sendable {
    struct Route: Hashable, Sendable {
        let method: String
        let route: String
        let status: Int
    }

    /// The backend of the text of `/metrics`.
    private let prometheus = PrometheusMetrics(ServerMetrics.families)
    private let factory: any MetricsFactory
    /// Whether there is a backend in addition to the text.
    let hasHostBackend: Bool

    private let messages: Counter
    private let commits: Recorder
    private let connections: Meter
    private let eventStreams: Meter
    private let writesWaiting: Meter
    private let databaseReadable: Meter
    private let dueLag: Meter
    private let databaseBytes: Meter
    private let logBytes: Meter
    private let servers: Meter
    private let serverNumber: Meter
    private let pendingPayloads: Meter
    private let deadLetters: Meter
    private let notifications: Counter
    private let gaps: Counter
    private let interruptions: Counter
    // Guarded by the lock: requests are answered on any thread. A timer is created with the first request of its route.
    private let durations = Locked<[Route: Timer]>([:])

    /// - Parameter host: The host's backend. `NOOPMetricsHandler` if there is none.
    init(host: any MetricsFactory = NOOPMetricsHandler.instance) {
        hasHostBackend = !(host is NOOPMetricsHandler)
        let factory: any MetricsFactory =
            hasHostBackend ? MultiplexMetricsHandler(factories: [prometheus, host]) : prometheus
        self.factory = factory
        func meter(_ label: String) -> Meter { Meter(label: label, factory: factory) }
        messages = Counter(label: Label.messages, factory: factory)
        commits = Recorder(label: Label.commits, aggregate: true, factory: factory)
        connections = meter(Label.connections)
        eventStreams = meter(Label.eventStreams)
        writesWaiting = meter(Label.writesWaiting)
        databaseReadable = meter(Label.databaseReadable)
        dueLag = meter(Label.dueLag)
        databaseBytes = meter(Label.databaseBytes)
        logBytes = meter(Label.logBytes)
        servers = meter(Label.servers)
        serverNumber = meter(Label.serverNumber)
        pendingPayloads = meter(Label.pendingPayloads)
        deadLetters = meter(Label.deadLetters)
        notifications = Counter(label: Label.notifications, factory: factory)
        gaps = Counter(label: Label.gaps, factory: factory)
        interruptions = Counter(label: Label.interruptions, factory: factory)
    }

    /// Counts a request that was answered, or an event stream that was opened.
    func count(_ route: Route, _ duration: Duration) {
        let timer = durations.withLock { durations in
            if let timer = durations[route] { return timer }
            let labels = [("method", route.method), ("route", route.route), ("status", String(route.status))]
            let timer = Timer(label: Label.durations, dimensions: labels, factory: factory)
            durations[route] = timer
            return timer
        }
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Counts the effects of a commit.
    func count(_ effects: WriteEffects) {
        if effects.sent > 0 { messages.increment(by: effects.sent) }
        commits.record(effects.writes)
    }

    #if PostgreSQL
        /// Counts an event of the listening to other servers.
        func count(_ event: OtherServers.ListeningEvent) {
            switch event {
            case .notification: notifications.increment()
            case .gap: gaps.increment()
            case .interruption: interruptions.increment()
            }
        }
    #endif

    /// Counts an opened connection.
    func connectionOpened() { connections.increment() }

    /// Counts a closed connection.
    func connectionClosed() { connections.decrement() }

    /// Sets the metrics that are read from the server's parts. If the database couldn't be read, its metrics stay,
    /// except the one that reports it.
    func record(_ values: ServerGauges.Values) {
        eventStreams.set(values.eventStreams)
        writesWaiting.set(values.writesWaiting)
        databaseReadable.set(values.database == nil ? 0 : 1)
        guard let database = values.database else { return }
        dueLag.set(database.dueLag)
        databaseBytes.set(database.bytes)
        logBytes.set(database.logBytes)
        servers.set(database.servers)
        serverNumber.set(database.serverNumber)
        pendingPayloads.set(database.pendingPayloads)
        deadLetters.set(database.deadLetters)
    }

    /// All metrics in Prometheus' text format.
    var text: String { prometheus.text }
}

extension ServerMetrics {
    private enum Label {
        static let durations = "inbox_http_request_duration_seconds"
        static let commits = "inbox_commit_writes"
        static let messages = "inbox_messages_sent_total"
        static let connections = "inbox_connections"
        static let eventStreams = "inbox_event_streams"
        static let writesWaiting = "inbox_writer_waiting"
        static let databaseReadable = "inbox_database_readable"
        static let dueLag = "inbox_due_lag_seconds"
        static let databaseBytes = "inbox_database_bytes"
        static let logBytes = "inbox_database_log_bytes"
        static let servers = "inbox_servers"
        static let serverNumber = "inbox_server_number"
        static let pendingPayloads = "inbox_webhook_pending"
        static let deadLetters = "inbox_webhook_dead_letters"
        static let notifications = "inbox_notifications_heard_total"
        static let gaps = "inbox_notification_gaps_total"
        static let interruptions = "inbox_listening_interruptions_total"
    }

    /// All metrics.
    static let families: [PrometheusMetrics.Family] = [
        PrometheusMetrics.Family(
            label: Label.durations,
            kind: .histogram,
            help: "Time to the start of the response.",
            bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
        ),
        PrometheusMetrics.Family(
            label: Label.commits,
            kind: .histogram,
            help: "Writes that shared a durable commit.",
            bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256]
        ),
        PrometheusMetrics.Family(
            label: Label.messages,
            kind: .counter,
            help: "Messages accepted since the start."
        ),
        PrometheusMetrics.Family(label: Label.connections, kind: .gauge, help: "Open connections."),
        PrometheusMetrics.Family(label: Label.eventStreams, kind: .gauge, help: "Open event streams."),
        PrometheusMetrics.Family(
            label: Label.writesWaiting,
            kind: .gauge,
            help: "Writes that wait for the running one."
        ),
        PrometheusMetrics.Family(
            label: Label.databaseReadable,
            kind: .gauge,
            help: "Whether the last read of the database succeeded."
        ),
        PrometheusMetrics.Family(label: Label.dueLag, kind: .gauge, help: "Delay of the earliest due entry."),
        PrometheusMetrics.Family(label: Label.databaseBytes, kind: .gauge, help: "Size of the database file."),
        PrometheusMetrics.Family(label: Label.logBytes, kind: .gauge, help: "Size of its write-ahead log."),
        PrometheusMetrics.Family(
            label: Label.servers,
            kind: .gauge,
            help: "Servers of the database that send heartbeats."
        ),
        PrometheusMetrics.Family(
            label: Label.serverNumber,
            kind: .gauge,
            help: "This server's number among them."
        ),
        PrometheusMetrics.Family(
            label: Label.pendingPayloads,
            kind: .gauge,
            help: "Payloads of all webhooks that wait for their delivery."
        ),
        PrometheusMetrics.Family(
            label: Label.deadLetters,
            kind: .gauge,
            help: "Payloads of all webhooks whose delivery failed for good."
        ),
        PrometheusMetrics.Family(
            label: Label.notifications,
            kind: .counter,
            help: "Notifications of other servers since the start."
        ),
        PrometheusMetrics.Family(
            label: Label.gaps,
            kind: .counter,
            help: "Missing notifications after which everything was read again."
        ),
        PrometheusMetrics.Family(
            label: Label.interruptions,
            kind: .counter,
            help: "Losses of the connection that listens to other servers."
        ),
    ]
}
