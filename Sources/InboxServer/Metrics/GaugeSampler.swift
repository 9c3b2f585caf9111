import Groundwork
import InboxService
import ServiceLifecycle

/// Sets the gauges of a host's backend periodically. The text of `/metrics` sets them when it is read.
struct GaugeSampler: Service {
    /// The interval, in seconds.
    static let interval = 10.0

    let metrics: ServerMetrics
    let gauges: ServerGauges

    func run() async throws {
        guard metrics.hasHostBackend else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                metrics.record(await gauges.values())
                guard (try? await gauges.clock.sleep(seconds: Self.interval)) != nil else { return }
            }
        }
    }
}
