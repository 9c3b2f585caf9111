public import CoreMetrics
public import Foundation
public import Groundwork
public import Logging
import InboxService

/// How a server is set up.
public struct InboxServerConfiguration: Sendable {
    /// The SQLite file that holds everything; made where there is none.
    public var database: URL
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 for any that is free.
    public var port: Int
    /// The setup key, an API key with all scopes that has to work, of 32 characters at least; the former one is
    /// revoked. Nil for those that the database has, or a new one where it has none.
    public var adminKey: String?
    /// How many attempts with wrong API keys an address has.
    public var attemptLimit = AttemptLimit()
    /// The addresses of the proxies whose `X-Forwarded-For` says where a request comes from, or ranges of them, such as
    /// `10.0.0.0/8`. Of all others the other end of the connection counts.
    public var trustedProxies: [String] = []
    /// How devices reach the server, where that isn't the address that they say they came to: behind a proxy with TLS,
    /// say.
    public var publicURL: URL?
    /// The certificate for https; nil for plain HTTP, behind a proxy or on this machine.
    public var certificate: ServerCertificate?
    /// Which tokens of the app's own backend are taken, besides those that the server makes.
    public var appTokens: AppTokenSettings?
    /// The web origins, such as `https://app.example.com`, of which forms may sign people in on the page `/inbox`,
    /// besides its own.
    public var signInOrigins: [String] = []
    /// Pictures that the server itself has, at `/inbox/pictures/{name}`, for anyone: SVG documents, by name.
    package var pictures: [String: String] = [:]
    /// Whether webhooks may go to addresses that aren't public: of the server's own machine, its network, or a link.
    /// Off by default: whoever may set up webhooks could reach what only the server does.
    public var allowsPrivateWebhooks = false
    /// What a connection may take.
    public var connectionLimits = ConnectionLimits()
    /// The limits of one person and of one API key, so that one's use doesn't slow down the others.
    public var fairUse = FairUse()
    /// The time by which messages are delivered and tokens expire.
    public var clock: any WallClock
    /// Where ids, keys and secrets come from.
    public var random: RandomSource
    /// The backend of the server's metrics (swift-metrics), besides the text of `/metrics`: by default the one that the
    /// process was bootstrapped with (`MetricsSystem.bootstrap(_:)`) when this value is created, if any.
    ///
    /// Names, labels and units are those of the text, which `Documentation/Operations.md` lists. Durations are recorded
    /// by timers. Values that the text reads on request are recorded every 10 seconds.
    public var metricsFactory: any MetricsFactory = MetricsSystem.factory
    /// Takes the server's log. Neither messages nor tokens nor people's ids are ever logged.
    public var logger: Logger

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - database: The SQLite file; its folder has to exist.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 for any that is free.
    ///   - adminKey: An API key that has to work, of 32 characters at least.
    ///   - publicURL: How devices reach the server, where that isn't the address that they say they came to.
    ///   - clock: The time by which messages are delivered and tokens expire.
    ///   - random: Where ids, keys and secrets come from.
    ///   - logger: Takes the server's log.
    public init(
        database: URL,
        host: String = "127.0.0.1",
        port: Int = 0,
        adminKey: String? = nil,
        publicURL: URL? = nil,
        clock: any WallClock = SystemClock(),
        random: RandomSource = .system,
        logger: Logger = Logger(label: "inbox-server")
    ) {
        self.database = database
        self.host = host
        self.port = port
        self.adminKey = adminKey
        self.publicURL = publicURL
        self.clock = clock
        self.random = random
        self.logger = logger
    }
}

extension InboxServerConfiguration: CustomStringConvertible {
    /// Where the server listens and what it opens. The admin key never shows.
    public var description: String { "\(host):\(port), \(database.lastPathComponent)" }
}
