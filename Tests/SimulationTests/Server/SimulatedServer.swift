import Foundation
import GRDB
import Groundwork
import Hummingbird
import InboxModel
import JMAP
import Logging
import NIOEmbedded

@testable import InboxServer
@testable import InboxService

/// The real server without its sockets: its routes are called in this process.
///
/// It has the parts of `InboxServer` that sending and syncing need. Due work is only done when ``runDueWork()`` is
/// called.
final class SimulatedServer: Sendable {
    static let url = URL(string: "https://inbox.example")!
    static let adminKey = "key-for-simulations-of-32-characters"

    let storage: Storage
    let states: LatestStates
    let watchers: Watchers
    let people: People
    let keys: APIKeys
    let tokens: Tokens
    let sessions: Sessions
    let api: JMAPEndpoint
    private let writer: Writer
    private let scheduler: DueScheduler
    private let responder: InboxResponder

    /// Opens a database or creates it.
    ///
    /// - Parameters:
    ///   - node: The server's place among others that have opened the file. Nil if there are none.
    ///   - runsDueWork: Whether what is due is done at once, as at the start of a server.
    ///   - committed: Called with the changes of each commit. Returns what the server learns of them.
    init(
        file: URL,
        clock: any WallClock,
        random: RandomSource,
        core: CoreCapability,
        node: (any DatabaseNode)? = nil,
        runsDueWork: Bool = true,
        committed: @escaping @Sendable (WriteEffects) -> WriteEffects = { $0 }
    ) async throws {
        let storage = try Storage(file: file, simulatedNode: node)
        let states = try await LatestStates(in: storage)
        let watchers = Watchers(clock: clock)
        let writer = try await Writer(storage: storage, clock: clock, random: random) { effects in
            let effects = committed(effects)
            states.apply(effects)
            watchers.wake(for: effects)
        }
        keys = try await APIKeys(writer: writer, adminKey: Self.adminKey, clock: clock, random: random)
        tokens = try await Tokens(writer: writer, clock: clock, random: random)
        people = People(storage: storage, writer: writer, states: states)
        sessions = Sessions(
            writer: writer,
            people: people,
            tokens: tokens,
            watchers: watchers,
            counts: AuditCounts(writer: writer, clock: clock, logger: Self.logger)
        )
        scheduler = DueScheduler(
            storage: storage,
            writer: writer,
            clock: clock,
            timer: DueTimer(),
            logger: Self.logger
        )
        let routes = Routes(metrics: ServerMetrics())
        SendingRoutes(
            storage: storage,
            writer: writer,
            access: Access(keys: keys, requests: RateLimiter("requests", nil, clock: clock)),
            clock: clock
        ).add(to: routes)
        let methods = MessageMethods(writer: writer, people: people, core: core, clock: clock)
        let events = EventMethods(writer: writer, core: core)
        let surfaces = SurfaceMethods(people: people, core: core)
        api = JMAPEndpoint(
            people: people,
            methods: methods.all.merging(events.all) { $1 }.merging(surfaces.all) { $1 },
            core: core,
            clock: clock
        )
        JMAPRoutes(
            access: PersonAccess(
                people: people,
                tokens: tokens,
                rejections: RejectionLog(logger: Self.logger, clock: clock),
                requests: RateLimiter("requests", nil, clock: clock)
            ),
            api: api,
            requestReads: RequestReads(storage: storage, limits: FairUse()),
            eventSource: EventSource(people: people, watchers: watchers, pings: PingSchedule(clock: clock)),
            baseURL: BaseURL(configured: Self.url, bound: Locked(""))
        ).add(to: routes)
        responder = routes.responder
        (self.storage, self.states, self.watchers, self.writer) = (storage, states, watchers, writer)
        if runsDueWork { try await runDueWork() }
    }

    /// Delivers, hides and destroys messages that are due.
    func runDueWork() async throws { try await scheduler.catchUp() }

    /// Sets a surface's settings, like the app's backend.
    func put(_ settings: InboxSettings, surface: String) async throws {
        _ = try await writer.write { transaction in try transaction.put(settings, of: surface, if: .none) }
    }

    func token(for person: String) async throws -> String {
        try await tokens.issue(for: person, lifetime: Tokens.defaultLifetime, notBefore: nil).token
    }

    /// Answers a request as if it had arrived over a connection.
    func answer(_ request: TransportRequest) async throws -> TransportResponse {
        guard let method = HTTPRequest.Method(request.method) else { throw UnknownMethod() }
        var fields = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPFields.Element.Name(name) { fields[name] = value }
        }
        let head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "inbox.example",
            path: request.url.path,
            headerFields: fields
        )
        let context = InboxRequestContext(
            source: ApplicationRequestContextSource(channel: Self.channel, logger: Self.logger)
        )
        let body = RequestBody(buffer: ByteBuffer(bytes: request.body ?? []))
        let response = try await responder.respond(to: Request(head: head, body: body), context: context)
        let collected = Locked<[UInt8]>([])
        try await response.body.write(BodyCollector(bytes: collected))
        return TransportResponse(
            status: response.status.code,
            headers: Dictionary(
                response.headers.map { ($0.name.canonicalName, $0.value) },
                uniquingKeysWith: { $1 }
            ),
            body: collected.withLock { $0 },
            url: request.url
        )
    }

    /// Checkpoints the database into its main file, so that it can be copied.
    func checkpoint() async throws {
        _ = try await storage.truncateLog()
    }

    /// Closes the database, as at the end of the process.
    func close() async throws { try await storage.close() }

    private struct UnknownMethod: Error {}

    // The channel carries no data: requests are passed by calls. It is shared, since a channel that is never closed is
    // never deallocated.
    private static let channel = NIOAsyncTestingChannel()

    static let logger = {
        var logger = Logger(label: "simulation")
        logger.logLevel = .critical
        return logger
    }()
}

private struct BodyCollector: ResponseBodyWriter {
    let bytes: Locked<[UInt8]>

    mutating func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { $0 += Array(buffer.readableBytesView) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
