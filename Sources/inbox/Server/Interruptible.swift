import Logging
import ServiceLifecycle
import UnixSignals

/// Runs something until it is done, or SIGTERM or Ctrl-C cancels it.
///
/// - Throws: What the closure throws; being cancelled by a signal is no error.
func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
    var group = ServiceGroupConfiguration(
        services: [
            .init(service: InterruptibleService(body: body), successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: RunningServer.logger(.critical)
    )
    // A cancelled command ends at once, and one that doesn't isn't waited for.
    group.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: group).run()
}

private struct InterruptibleService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown(body)
        } catch is CancellationError {
            // As the person wanted.
        }
    }
}
