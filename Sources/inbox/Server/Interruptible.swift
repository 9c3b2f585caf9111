import Logging
import ServiceLifecycle
import UnixSignals

/// Runs a closure until it returns, or until SIGTERM or Ctrl-C cancels it.
///
/// - Throws: The closure's errors. Cancellation by a signal isn't an error.
func runUntilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
    var group = ServiceGroupConfiguration(
        services: [
            .init(service: InterruptibleService(body: body), successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: RunningServer.logger(.critical)
    )
    // A cancelled command ends at once. The limit ends one that ignores the cancellation.
    group.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: group).run()
}

private struct InterruptibleService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown(body)
        } catch is CancellationError {
            // Requested by the person.
        }
    }
}
