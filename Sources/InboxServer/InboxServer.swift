public import ServiceLifecycle
import Foundation
import GRDB
import Groundwork
import Hummingbird
import JMAP
import Logging

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
    let watchers = Watchers()
    /// What is registered once it runs, for a comparison with what is described.
    let routes = Locked<[Route]>([])
    /// The names of the JMAP methods that are answered once it runs.
    let methods = Locked<[String]>([])
    /// What it counts, for those who watch the server from within.
    let metrics = Metrics()

    /// Makes a server; nothing is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: How it is set up.
    ///   - onReady: Told once, when the server listens.
    public init(
        configuration: InboxServerConfiguration,
        onReady: @escaping @Sendable (ReadyInformation) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onReady = onReady
    }

    /// Serves until it is asked to shut down gracefully, or its task is cancelled.
    ///
    /// Open event streams end at once; requests that are being answered are finished.
    ///
    /// - Throws: What keeps the server from starting: ``ServerSetupError`` for what the configuration names, others where the
    ///   file can't be opened or the port is taken.
    public func run() async throws {
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
        let configuration = configuration
        let clock = configuration.clock
        let identity = try configuration.certificate.map { try TLSIdentity($0) }
        let appTokens = try configuration.appTokens.map { try AppTokens($0) }
        let (broadcast, surface): (Int?, Int) = try await storage.read { db in
            (try db.value("SELECT value FROM counter WHERE name = 'broadcast'"), try db.surfaceState())
        }
        let states = LatestStates(broadcast: broadcast ?? 0, surface: surface)
        let (dueChanged, outboxChanged) = (WakeUp(), WakeUp())
        let writer = try await Writer(storage: storage, clock: clock, random: configuration.random) {
            [watchers, metrics] effects in
            states.apply(effects)
            metrics.count(effects)
            watchers.wake(for: effects)
            if effects.scheduled { dueChanged.signal() }
            if effects.deliveries { outboxChanged.signal() }
        }
        let keys = try await APIKeys(
            writer: writer,
            adminKey: configuration.adminKey,
            clock: clock,
            random: configuration.random
        )
        let tokens = try await Tokens(writer: writer, clock: clock, random: configuration.random, appTokens: appTokens)
        let people = People(storage: storage, writer: writer, states: states)
        let scheduler = DueScheduler(
            storage: storage,
            writer: writer,
            clock: clock,
            wakeUp: dueChanged,
            logger: configuration.logger
        )
        try await scheduler.catchUp()
        let webhookSender = WebhookSender(
            storage: storage,
            writer: writer,
            clock: clock,
            random: configuration.random,
            transport: URLSessionTransport(redirects: .never),
            wakeUp: outboxChanged,
            logger: configuration.logger
        )

        // Known once the port is bound, which is before the first request.
        let scheme = identity == nil ? "http" : "https"
        let baseURL = BaseURL(configured: configuration.publicURL, scheme: scheme, bound: Locked(""))
        let routes = Routes(metrics: metrics)
        let access = Access(keys: keys)
        SendingRoutes(storage: storage, writer: writer, access: access, clock: clock).add(to: routes)
        FigureRoutes(storage: storage, access: access).add(to: routes)
        WebhookRoutes(storage: storage, writer: writer, access: access).add(to: routes)
        DeadLetterRoutes(storage: storage, writer: writer, access: access).add(to: routes)
        KeyRoutes(storage: storage, keys: keys, access: access, clock: clock).add(to: routes)
        TokenRoutes(access: access, tokens: tokens, people: people).add(to: routes)
        let gauges = ServerGauges(storage: storage, writer: writer, watchers: watchers, clock: clock)
        MetricsRoutes(metrics: metrics, gauges: gauges, access: access).add(to: routes)
        let core = Self.core
        let methods = MessageMethods(storage: storage, writer: writer, people: people, core: core)
        let surfaces = SurfaceMethods(storage: storage, core: core)
        let events = EventMethods(writer: writer, core: core)
        let api = JMAPEndpoint(
            people: people,
            methods: [methods.all, surfaces.all, events.all].reduce(into: [:]) { all, some in
                all.merge(some) { method, _ in method }
            },
            core: core
        )
        let eraser = Eraser(
            storage: storage,
            writer: writer,
            people: people,
            tokens: tokens,
            api: api,
            watchers: watchers,
            random: configuration.random,
            logger: configuration.logger
        )
        PeopleRoutes(storage: storage, writer: writer, access: access, eraser: eraser, clock: clock).add(to: routes)
        SurfaceRoutes(storage: storage, writer: writer, access: access).add(to: routes)
        HealthRoutes(storage: storage).add(to: routes)
        OpenAPIRoutes().add(to: routes)
        let personAccess = PersonAccess(people: people, tokens: tokens)
        BlobRoutes(storage: storage, writer: writer, access: personAccess, clock: clock, core: core).add(to: routes)
        JMAPRoutes(
            access: personAccess,
            api: api,
            eventSource: EventSource(people: people, watchers: watchers, clock: clock),
            baseURL: baseURL
        ).add(to: routes)
        self.routes.withLock { $0 = routes.all }
        self.methods.withLock { $0 = api.methodNames }

        let files: [any ReloadedFiles] = [identity as (any ReloadedFiles)?, appTokens].compactMap { $0 }
        let newAdminKey = keys.new
        let onReady = onReady
        let application = Application(
            responder: routes.responder,
            server: try .inbox(limits: configuration.connectionLimits, identity: identity, metrics: metrics),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "swift-inbox",
                availableConnectionsDelegate: .maximum(
                    configuration.connectionLimits.maxConnections,
                    logger: configuration.logger
                )
            ),
            services: [
                scheduler, webhookSender, keys,
                FileReloader(files: files, clock: clock, logger: configuration.logger),
            ],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                let address = Self.address(scheme, configuration.host, port)
                baseURL.bound.withLock { $0 = address }
                guard let url = URL(string: address) else { return }
                await onReady(ReadyInformation(url: url, newAdminKey: newAdminKey))
            },
            logger: configuration.logger
        )
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            watchers.end()
        }
    }

    private static func close(_ storage: Storage, logger: Logger) async {
        await onItsOwnThread {
            do {
                // The pool closes its writer before its readers, so that SQLite doesn't fold the log into the file by itself.
                _ = try storage.pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
                try storage.pool.close()
            } catch {
                // Nothing is lost: what was answered is in the file already.
                logger.error("the database can't be closed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// The limits that the server tells and keeps.
    private static var core: CoreCapability {
        var core = CoreCapability()
        // Several devices of one person at once, each with several requests.
        core.maxConcurrentRequests = 16
        core.collationAlgorithms = Collation.allCases.map(\.rawValue)
        return core
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
