public import Foundation
import Groundwork
import Hummingbird
import InboxService
import Logging
public import ServiceLifecycle

/// A server with an inbox for each person. An app's backend sends messages over REST, and devices sync over JMAP.
///
/// ```swift
/// import Foundation
/// import InboxServer
/// import Logging
/// import ServiceLifecycle
///
/// let file = URL(filePath: "/var/lib/inbox/inbox.sqlite")
/// let server = InboxServer(configuration: InboxServerConfiguration(database: file, port: 8080)) { ready in
///     print("Ready at \(ready.url)")
/// }
/// let logger = Logger(label: "inbox")
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// Every write that the server has acknowledged is durable: it survives a crash of the process and of the machine.
public struct InboxServer: Service {
    private let configuration: InboxServerConfiguration
    private let onReady: @Sendable (ReadyInformation) async -> Void
    /// The open event streams, visible to tests of the server.
    let watchers: Watchers
    /// The registered routes, set by ``run()``, for a comparison with the OpenAPI document.
    let routes = Locked<[Route]>([])
    /// The names of the registered JMAP methods, set by ``run()``.
    let methods = Locked<[String]>([])
    /// The server's metrics.
    let metrics: ServerMetrics
    /// Whether a graceful shutdown has begun, for `/health/ready`. Set from any thread.
    let isStopping = Locked(false)
    /// The time from the start of a graceful shutdown until the port closes.
    private let pause: ShutdownPause

    /// Creates a server. Nothing is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - onReady: Called once, when the server accepts connections.
    public init(
        configuration: InboxServerConfiguration,
        onReady: @escaping @Sendable (ReadyInformation) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onReady = onReady
        pause = ShutdownPause(configuration.shutdownPause)
        metrics = ServerMetrics(host: configuration.metricsFactory)
        watchers = Watchers(clock: configuration.clock, limit: configuration.fairUse.streams)
    }

    /// Ends the pause at the start of a graceful shutdown, or leaves it out. Call this from any thread, such as at a
    /// second signal.
    public func endShutdownPause() { pause.end() }

    /// Runs the server until a graceful shutdown, or until its task is cancelled.
    ///
    /// A graceful shutdown while the database is opened ends that: of a migration of PostgreSQL that runs, nothing is
    /// left. Later, it begins with the pause ``InboxServerConfiguration/shutdownPause``, in which requests are
    /// answered as before, except `/health/ready`. Then the port closes, open event streams end at once, and running
    /// requests are finished, for at most ``ConnectionLimits/shutdownTimeout`` seconds.
    ///
    /// - Throws: The error that prevents the server from starting: `ServerSetupError` for an invalid configuration or a
    ///   file that can't be used, and other errors, such as for a port that is in use.
    public func run() async throws {
        let isStopping = isStopping
        try await withGracefulShutdownHandler {
            try await runUntilStopped()
        } onGracefulShutdown: {
            isStopping.withLock { $0 = true }
        }
    }

    private func runUntilStopped() async throws {
        let settings = try await CheckedSettings(configuration)
        var lock: DatabaseLock?
        if !Storage.isPostgreSQL(configuration.database) {
            let option = configuration.databaseOption
            try DatabaseFile.check(configuration.database, option: option)
            lock = try DatabaseLock(for: configuration.database, option: option)
        }
        defer { lock?.release() }
        let isNew = DatabaseFile.isNew(configuration.database)
        let storage: Storage
        do {
            let isStopping = isStopping
            storage = try await Storage.open(configuration.database, pooler: configuration.pooler) {
                isStopping.withLock { $0 }
            }
        } catch is CancellationError where isStopping.withLock({ $0 }) {
            // A first start, or an upgrade, whose migrations the next start does.
            return
        } catch {
            throw Storage.setupError(of: error, at: configuration.database) ?? error
        }
        if isNew {
            // A path of another folder is a frequent mistake, after which the inbox looks empty.
            configuration.logger.info(
                "a new, empty database was created",
                metadata: ["file": "\(configuration.database.standardizedFileURL.path)"]
            )
        }
        for problem in storage.problems {
            configuration.logger.warning(
                "the database isn't as it should be; inbox doctor gives advice",
                metadata: ["problem": "\(problem)"]
            )
        }
        guard !isStopping.withLock({ $0 }) else { return await Self.close(storage, logger: configuration.logger) }
        do {
            try await storage.join(comparing: configuration.isClockCompared ? configuration.clock : nil)
            try await serve(from: storage, with: settings)
        } catch {
            await Self.close(storage, logger: configuration.logger)
            throw Storage.setupError(of: error, at: configuration.database) ?? error
        }
        await Self.close(storage, logger: configuration.logger)
    }

    private func serve(from storage: Storage, with settings: CheckedSettings) async throws {
        let parts = try await ServerParts(
            configuration: configuration,
            settings: settings,
            storage: storage,
            watchers: watchers,
            metrics: metrics,
            isStopping: isStopping
        )
        // Runs before the first request, so that no read misses a message that is due.
        try await parts.scheduler.prepare()
        let api = parts.makeAPI()
        let routes = parts.makeRoutes(answering: api)
        self.routes.withLock { $0 = routes.all }
        self.methods.withLock { $0 = api.methodNames }
        let application = try application(answering: routes, beside: parts.services(beside: api), with: parts)
        let watchers = watchers
        // A group stops its services one after the other, the last one first.
        let server = StoppingService(application) {
            watchers.shutDown()
            parts.requestReads.shutDown()
            // A row that is locked, or a database that doesn't answer, doesn't keep the server.
            storage.prepareToClose()
        }
        try await ServiceGroup(services: [server, pause], logger: configuration.logger).run()
    }

    /// Returns the application that listens, answers requests and runs the background services.
    private func application(
        answering routes: Routes,
        beside services: [any Service],
        with parts: ServerParts
    ) throws -> Application<InboxResponder> {
        let configuration = configuration
        let capacity = configuration.connectionLimits.capacity
        let (onReady, baseURL, newAdminKey, links) = (onReady, parts.baseURL, parts.keys.new, parts.signInLinks)
        return Application(
            responder: routes.responder,
            server: try .inbox(
                limits: configuration.connectionLimits,
                slots: ConnectionSlots(
                    limit: capacity.regular,
                    reserve: capacity.reserve,
                    logger: configuration.logger
                ),
                identity: parts.identity,
                metrics: metrics
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "swift-inbox",
                availableConnectionsDelegate: .maximum(
                    capacity.accepted,
                    logger: configuration.logger
                )
            ),
            services: services,
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
        do {
            try await storage.close()
        } catch {
            // No data is lost: acknowledged writes are already in the file.
            logger.error("the database can't be closed", metadata: ["error": "\(error)"])
        }
    }

    /// Configures the allocator to return freed memory to the system, where this has to be requested. Call this once,
    /// before anything else, in a program that does little besides running a server. Without the call, the server works
    /// but holds more memory after large responses.
    public static func prepareProcess() {
        MemoryTrimmer.configureAllocator()
    }

    private static func address(_ scheme: String, _ host: String, _ port: Int) -> String {
        host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}

/// ServiceLifecycle logs the services that it runs. A dump of the fields would put the admin key into the log.
extension InboxServer: CustomStringConvertible {
    /// The type's name. It contains nothing of the configuration.
    public var description: String { "InboxServer" }
}

/// The properties of a server that answers requests.
public struct ReadyInformation: Sendable {
    /// The URL of the server on this machine, with the port that was bound.
    public let url: URL
    /// The API key that was created because the database had none, otherwise nil. Show it now: only its hash is stored.
    public let newAdminKey: String?
    /// Nil if other machines can reach the server.
    let signInLinks: SignInLinks?
}
