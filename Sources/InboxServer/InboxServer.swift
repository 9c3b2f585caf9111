public import Foundation
import Groundwork
import Hummingbird
import InboxService
import Logging
public import ServiceLifecycle

/// A server with an inbox for each person: an app's backend sends by REST, people's devices sync by JMAP.
///
/// ```swift
/// let server = InboxServer(configuration: InboxServerConfiguration(database: file, port: 8080)) { ready in
///     print("Ready at \(ready.url)")
/// }
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// What was answered is durable: it survives a crash of the process and of the machine.
public struct InboxServer: Service {
    private let configuration: InboxServerConfiguration
    private let onReady: @Sendable (ReadyInformation) async -> Void
    /// The open event streams, for those who watch the server from within.
    let watchers: Watchers
    /// What is registered once it runs, for a comparison with what is described.
    let routes = Locked<[Route]>([])
    /// The names of the JMAP methods that are answered once it runs.
    let methods = Locked<[String]>([])
    /// The server's metrics.
    let metrics: ServerMetrics

    /// Creates a server. Nothing is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - onReady: Called once, when the server listens.
    public init(
        configuration: InboxServerConfiguration,
        onReady: @escaping @Sendable (ReadyInformation) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onReady = onReady
        metrics = ServerMetrics(host: configuration.metricsFactory)
        watchers = Watchers(clock: configuration.clock, limit: configuration.fairUse.streams)
    }

    /// Serves until it is asked to shut down gracefully, or its task is cancelled.
    ///
    /// Open event streams end at once; requests that are being answered are finished, for as long as
    /// ``ConnectionLimits/stop`` says.
    ///
    /// - Throws: What keeps the server from starting: `ServerSetupError` for what the configuration names, others
    ///   where the file can't be opened or the port is taken.
    public func run() async throws {
        try DatabaseFile.check(configuration.database)
        let lock = try DatabaseLock(for: configuration.database)
        defer { lock.release() }
        let storage = try Storage(file: configuration.database)
        do {
            try await serve(from: storage)
        } catch {
            await Self.close(storage, logger: configuration.logger)
            throw error
        }
        await Self.close(storage, logger: configuration.logger)
    }

    private func serve(from storage: Storage) async throws {
        let parts = try await ServerParts(
            configuration: configuration,
            storage: storage,
            watchers: watchers,
            metrics: metrics
        )
        // Before anybody is answered, so that no read is behind.
        try await parts.scheduler.catchUp()
        let api = parts.makeAPI()
        let routes = parts.makeRoutes(answering: api)
        self.routes.withLock { $0 = routes.all }
        self.methods.withLock { $0 = api.methodNames }
        let application = try application(answering: routes, with: parts)
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            watchers.end()
            parts.readers.end()
        }
    }

    /// What listens and answers, and works in the background meanwhile.
    private func application(
        answering routes: Routes,
        with parts: ServerParts
    ) throws -> Application<RouterResponder<InboxRequestContext>> {
        let configuration = configuration
        let room = configuration.connectionLimits.room
        let (onReady, baseURL, newAdminKey, links) = (onReady, parts.baseURL, parts.keys.new, parts.signInLinks)
        return Application(
            responder: routes.responder,
            server: try .inbox(
                limits: configuration.connectionLimits,
                room: ConnectionRoom(limit: room.usual, reserve: room.reserve, logger: configuration.logger),
                identity: parts.identity,
                metrics: metrics
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "swift-inbox",
                availableConnectionsDelegate: .maximum(
                    room.accepted,
                    logger: configuration.logger
                )
            ),
            services: parts.services,
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                let address = Self.address(baseURL.scheme, configuration.host, port)
                baseURL.bound.withLock { $0 = address }
                guard let url = URL(string: address) else { return }
                await onReady(ReadyInformation(url: url, newAdminKey: newAdminKey, signInLinks: links))
            },
            logger: configuration.logger
        )
    }

    private static func close(_ storage: Storage, logger: Logger) async {
        await onNewThread {
            do {
                try storage.close()
            } catch {
                // Nothing is lost: what was answered is in the file already.
                logger.error("the database can't be closed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Has the process give memory that it frees back to the system, where that has to be asked for. Call it once,
    /// first of all, in a program that is a server and little else; without it the server works as well, and holds more
    /// memory after large answers.
    public static func prepareProcess() {
        MemoryKeeper.setUpProcess()
    }

    private static func address(_ scheme: String, _ host: String, _ port: Int) -> String {
        host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}

/// Service-lifecycle logs the services that it runs; a dump of the fields would put the admin key into the log.
extension InboxServer: CustomStringConvertible {
    /// The type's name, and nothing of the configuration.
    public var description: String { "InboxServer" }
}

/// The properties of a server that answers requests.
public struct ReadyInformation: Sendable {
    /// Where it is reached on this machine, with the port that it got.
    public let url: URL
    /// The API key that was made because the database had none; nil otherwise. Show it now: only its hash is kept.
    public let newAdminKey: String?
    /// Nil for a server that other machines reach.
    let signInLinks: SignInLinks?
}
