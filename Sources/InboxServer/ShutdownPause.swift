import Groundwork
import ServiceLifecycle

/// A service that does nothing, and ends some time after a graceful shutdown has begun. As the last one of a group it
/// delays the shutdown of the others.
struct ShutdownPause: Service {
    private let duration: Duration
    /// The stream ends with the pause.
    private let ended: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    init(_ duration: Duration) {
        self.duration = duration
        (ended, ending) = AsyncStream.makeStream()
    }

    /// Ends the pause, whether it has begun or not.
    func end() { ending.finish() }

    func run() async throws {
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ended {} }
            // A cancelled sleep ends, too.
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// A service, with an action that runs at the start of its graceful shutdown.
struct StoppingService: Service {
    private let service: any Service
    private let stop: @Sendable () -> Void

    init(_ service: any Service, onShutdown stop: @escaping @Sendable () -> Void) {
        (self.service, self.stop) = (service, stop)
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await service.run()
        } onGracefulShutdown: {
            stop()
        }
    }
}

/// ServiceLifecycle logs the services that it runs. A dump of the fields would put the server's into the log.
extension StoppingService: CustomStringConvertible {
    var description: String { "StoppingService" }
}
