import Foundation
import Groundwork
import InboxService
import JMAP
import Logging
package import ServiceLifecycle

/// The components of a running server. Each exists once and receives the others that it depends on.
struct ServerParts: Sendable {
    let configuration: InboxServerConfiguration
    let storage: Storage
    let watchers: Watchers
    let metrics: ServerMetrics
    /// Whether the server stops.
    let isStopping: Locked<Bool>
    /// Nil if the server doesn't use TLS.
    let identity: TLSIdentity?
    /// Nil if the app's backend signs no tokens.
    let appTokens: AppTokens?
    let writer: Writer
    let keys: APIKeys
    let tokens: Tokens
    let sessions: Sessions
    /// Signalled when the keys of the app's backend have changed.
    let keysChanged = WakeUp()
    let auditCounts: AuditCounts
    let proxies: TrustedProxies
    let links: PageLinks
    /// Nil if other machines can reach the server.
    let signInLinks: SignInLinks?
    let people: People
    let requestReads: RequestReads
    let pings: PingSchedule
    let scheduler: DueScheduler
    let webhookSender: WebhookSender
    let baseURL: BaseURL
    private let states: LatestStates
    private let work = WorkSignals()

    /// Creates the components. Reads the data that is kept in memory from the database.
    ///
    /// - Throws: ``ServerSetupError``, or the error of reading the database.
    init(
        configuration: InboxServerConfiguration,
        settings: CheckedSettings,
        storage: Storage,
        watchers: Watchers,
        metrics: ServerMetrics,
        isStopping: Locked<Bool>
    ) async throws {
        (self.configuration, self.storage) = (configuration, storage)
        (self.watchers, self.metrics, self.isStopping) = (watchers, metrics, isStopping)
        let (clock, random, logger) = (configuration.clock, configuration.random, configuration.logger)
        (identity, appTokens, proxies) = (settings.identity, settings.appTokens, settings.proxies)
        // The bound address is set when the port is bound, before the first request.
        baseURL = BaseURL(
            configured: configuration.publicURL,
            scheme: identity == nil ? "http" : "https",
            bound: Locked("")
        )

        let states = try await LatestStates(in: storage)
        self.states = states
        writer = try await Writer(storage: storage, clock: clock, random: random, limits: configuration.fairUse) {
            [work] effects in
            states.apply(effects)
            metrics.count(effects)
            watchers.wake(for: effects)
            work.announce(effects)
        }
        auditCounts = AuditCounts(writer: writer, clock: clock, logger: logger)
        let reads = KeyReads(of: storage, clock: clock)
        keys = try await APIKeys(
            writer: writer,
            adminKey: configuration.adminKey,
            clock: clock,
            random: random,
            reads: reads
        )
        Self.log(keys, logger)
        tokens = try await Tokens(writer: writer, clock: clock, random: random, appTokens: appTokens, reads: reads)
        links = try await PageLinks(writer: writer, random: random)
        signInLinks = SignInLinks(configuration)
        people = People(storage: storage, writer: writer, states: states)
        pings = PingSchedule(clock: clock)
        requestReads = RequestReads(storage: storage, limits: configuration.fairUse)
        sessions = Sessions(
            writer: writer,
            people: people,
            tokens: tokens,
            watchers: watchers,
            counts: auditCounts
        )
        scheduler = DueScheduler(storage: storage, writer: writer, clock: clock, timer: work.dueTimer, logger: logger)
        webhookSender = WebhookSender(
            storage: storage,
            writer: writer,
            clock: clock,
            random: random,
            transport: WebhookTransport(allowsPrivate: configuration.allowsPrivateWebhooks),
            wakeUp: work.outboxChanged,
            logger: logger
        )
    }

    private static func log(_ keys: APIKeys, _ logger: Logger) {
        if keys.isAdminKeyRevoked {
            logger.error("the configured setup key was revoked by a call and isn't valid: configure another one")
        }
        for id in keys.replaced {
            let metadata: Logger.Metadata = ["key": "\(APIKeyID(rawValue: id).text)"]
            logger.notice("the former setup key was revoked, since another one is set", metadata: metadata)
        }
    }

    /// The services that run in the background while requests are answered.
    ///
    /// - Parameter api: The endpoint for devices.
    func services(beside api: JMAPEndpoint) -> [any Service] {
        let appKeys = appTokens.map { SignalledFiles(files: $0, changed: keysChanged) }
        let files: [any ReloadedFiles] = [identity as (any ReloadedFiles)?, appKeys].compactMap { $0 }
        let reloader = FileReloader(files: files, clock: configuration.clock, logger: configuration.logger)
        let wakeUps = WakeUpService(watchers: watchers, clock: configuration.clock)
        let leases = StreamLeases(watchers: watchers, clock: configuration.clock, keysChanged: keysChanged)
        var all: [any Service] = [
            scheduler, webhookSender, wakeUps, pings, leases, keys, auditCounts, reloader, MemoryTrimmer(),
            GaugeSampler(metrics: metrics, gauges: gauges),
        ]
        #if PostgreSQL
            let caches = OtherServers.Caches(
                states: states,
                people: people,
                tokens: tokens,
                keys: keys,
                watchers: watchers,
                evictResponses: { account in api.evict(account: account) },
                changed: { [work] effects in work.announce(effects) },
                onListeningEvent: metrics.count
            )
            let (clock, logger) = (configuration.clock, configuration.logger)
            if let rows = ErasedRows(of: storage, clock: clock, logger: logger) { all.append(rows) }
            if let others = OtherServers(of: storage, caches, logger: configuration.logger) { all.append(others) }
        #endif
        return all.map { NamedService($0) }
    }

    /// The metrics that are read on request.
    var gauges: ServerGauges {
        ServerGauges(storage: storage, writer: writer, watchers: watchers, clock: configuration.clock)
    }

    /// The limits that the server announces and enforces.
    var core: CoreCapability {
        var core = CoreCapability()
        // Leaves room for several devices of one person, each with several requests.
        core.maxConcurrentRequests = 16
        core.collationAlgorithms = Collation.allCases.map(\.rawValue)
        return core
    }
}

/// A service whose description is its type's name.
///
/// ServiceLifecycle logs the services that it runs. A dump of their fields would fill pages and contain keys.
package struct NamedService: Service, CustomStringConvertible {
    private let service: any Service

    package init(_ service: any Service) {
        self.service = service
    }

    package var description: String { "\(type(of: service))" }

    package func run() async throws {
        try await service.run()
    }
}

/// The signals to the services that wait for work.
private struct WorkSignals: Sendable {
    let dueTimer = DueTimer()
    let outboxChanged = WakeUp()

    /// Signals the work that a commit has left, of this server or of another one.
    func announce(_ effects: WriteEffects) {
        if let due = effects.due { dueTimer.schedule(at: due) }
        if effects.deliveries { outboxChanged.signal() }
    }
}
