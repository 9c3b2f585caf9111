public import CoreMetrics
public import Foundation
public import Groundwork
public import Logging
import InboxService

/// The configuration of a server.
public struct InboxServerConfiguration: Sendable {
    /// The SQLite file that holds all data, which is created if it doesn't exist; or, with the trait `PostgreSQL`, the
    /// address of a database, such as `postgres://inbox@db.example/inbox`, which several servers may share.
    public var database: URL
    /// The option of the command line that chooses ``database``, for errors.
    package var databaseOption = "--database"
    /// The address of the same database through a pooler in transaction mode, such as PgBouncer, for this server's
    /// reads and writes. Tables are made, and notifications of other servers received, by ``database``, whose
    /// connections have to be direct. Nil, the default, for none.
    public var pooler: URL?
    /// The address to listen on.
    public var host: String
    /// The port to listen on, or 0 for any free port.
    public var port: Int
    /// The setup key: an API key with all scopes that the server accepts, of at least 32 characters. The former setup
    /// key is revoked. A key that `DELETE /v1/keys/{id}` has revoked stays so, which the log reports. If nil, the keys
    /// of the database apply, and a key is created if there is none.
    public var adminKey: String?
    /// The limit of attempts with invalid API keys, per address.
    public var attemptLimit = AttemptLimit()
    /// The addresses of the proxies whose `X-Forwarded-For` names the client of a request, or address ranges such as
    /// `10.0.0.0/8`. For any other peer, the client is the peer itself.
    public var trustedProxies: [String] = []
    /// The URL at which devices reach the server, if it differs from the URL that their requests name, such as behind a
    /// proxy that terminates TLS.
    public var publicURL: URL?
    /// The certificate for HTTPS, or nil for plain HTTP, behind a proxy or on this machine.
    public var certificate: ServerCertificate?
    /// The accepted tokens of the app's own backend, in addition to those that the server issues.
    public var appTokens: AppTokenSettings?
    /// The web origins, such as `https://app.example.com`, whose forms may sign people in on the page `/inbox`, in
    /// addition to the server's own origin.
    public var signInOrigins: [String] = []
    /// The server's own pictures, public at `/inbox/pictures/{name}`: SVG documents, by name.
    package var pictures: [String: String] = [:]
    /// Whether webhooks may use addresses that aren't public: those of the server's machine, its network, or a link.
    /// Off by default, since anyone who can set up webhooks could otherwise reach addresses that only the server can
    /// reach.
    public var allowsPrivateWebhooks = false
    /// The limits of connections.
    public var connectionLimits = ConnectionLimits()
    /// The limits of one person and of one API key, so that the use of one doesn't slow down the others.
    public var fairUse = FairUse()
    /// The clock by which messages are delivered and tokens expire. With PostgreSQL it is compared with the database's
    /// each 2 s: a server whose clock differs by more than 5 s logs it, isn't ready (`/health/ready`), and processes
    /// due entries by the database's clock until they agree.
    public var clock: any WallClock
    /// Whether ``clock`` is compared with the database's. False in tests whose clock isn't the time of day.
    package var isClockCompared = true
    /// The source of ids, keys and secrets.
    public var random: RandomSource
    /// The backend of the server's metrics (swift-metrics), in addition to the text of `/metrics`. The default is the
    /// one that the process was bootstrapped with (`MetricsSystem.bootstrap(_:)`) when this value is created, if any.
    ///
    /// Names, labels and units are those of the text, which `Documentation/Operations.md` lists. Durations are recorded
    /// by timers. Values that the text reads on request are recorded every 10 seconds.
    public var metricsFactory: any MetricsFactory = MetricsSystem.factory
    /// The time from the start of a graceful shutdown until the port closes. Requests are answered during it, but
    /// `/health/ready` is 503, so that a load balancer that asks it sends no more of them. 0 by default: without a load
    /// balancer, nothing would be gained by the delay.
    public var shutdownPause: Duration = .zero
    /// The logger. The log never contains messages, tokens or ids of people.
    public var logger: Logger

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - database: The SQLite file, whose folder must exist, or the address of a database of PostgreSQL.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on, or 0 for any free port.
    ///   - adminKey: An API key that the server accepts, of at least 32 characters.
    ///   - publicURL: The URL at which devices reach the server, if it differs from the URL that their requests name.
    ///   - clock: The clock by which messages are delivered and tokens expire.
    ///   - random: The source of ids, keys and secrets.
    ///   - logger: The logger.
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
    /// The address and the file's name. The admin key is never included.
    public var description: String { "\(host):\(port), \(database.lastPathComponent)" }
}
