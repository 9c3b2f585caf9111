public import Foundation
public import InboxService

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limits of connections, which prevent slow, silent or many clients from blocking the server.
///
/// Event streams aren't limited: once a request has arrived, its response may take any time. TCP detects a lost peer.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum silence between requests, and the maximum time in which a request's head has to arrive, in seconds.
    public var idle: Double
    /// The time in which the body of a request may arrive at any rate, in seconds.
    public var bodyGrace: Double
    /// The minimum average rate of a body that takes longer than ``bodyGrace``, in bytes per second.
    public var bodyRate: Int
    /// The maximum number of bytes that are read and discarded of a body whose request has already been answered, such
    /// as with 413 for one that is too large. Beyond it, the connection is closed.
    public var maxDiscardedSize: Int
    /// The maximum time for discarding, in seconds.
    public var discardTimeout: Double
    /// The time after which a connection with unacknowledged data is closed, in seconds. A silent connection is probed
    /// after the same time.
    public var acknowledgementTimeout: Int
    /// The time for which a connection may delay a stopping server, in seconds: one with an incomplete request, a slow
    /// response, or a response that isn't read. Other connections are closed at once.
    public var shutdownTimeout: Double
    /// The maximum number of connections for any requests. Beyond it, only sends, other calls of the REST API,
    /// `/health` and `/metrics` are answered; any other request gets 503 at once. If nil, it is the number of files
    /// that the process may open, less ``reserve``.
    public var connections: Int?
    /// The maximum number of connections beyond ``connections``, each for one request.
    public var reserve: Int
    /// The maximum size of a request's head, in bytes.
    public var headSize: Int

    /// Creates limits. Each has a default for a server on the internet.
    public init(
        idle: Double = 60,
        bodyGrace: Double = 30,
        bodyRate: Int = 8_192,
        maxDiscardedSize: Int = 134_217_728,
        discardTimeout: Double = 60,
        acknowledgementTimeout: Int = 60,
        shutdownTimeout: Double = 5,
        connections: Int? = nil,
        reserve: Int = 64,
        headSize: Int = 32_768
    ) {
        self.idle = idle
        self.bodyGrace = bodyGrace
        self.bodyRate = bodyRate
        self.maxDiscardedSize = maxDiscardedSize
        self.discardTimeout = discardTimeout
        self.acknowledgementTimeout = acknowledgementTimeout
        self.shutdownTimeout = shutdownTimeout
        self.connections = connections
        self.reserve = reserve
        self.headSize = headSize
    }

    /// The number of files that the process opens in addition to connections: the database's readers with their logs,
    /// standard streams and certificates.
    private static let otherFiles = 128

    /// The number of additional connections that are accepted while another one is being closed.
    private static let closingAllowance = 16

    /// The number of connections for any requests, the number beyond that, and the number that is accepted at all.
    /// Accepting more connections than the process may open files would end the listening.
    var capacity: (regular: Int, reserve: Int, accepted: Int) {
        let possible = possibleConnections
        let reserve = max(1, min(reserve, possible / 4))
        let regular = max(1, min(connections ?? possible, possible - reserve - Self.closingAllowance))
        return (regular, reserve, max(regular + reserve, min(possible, regular + reserve + Self.closingAllowance)))
    }

    /// The number of connections for which the process may open files.
    private var possibleConnections: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        let files = result == 0 ? Int(clamping: limit.rlim_cur) : 1_024
        return max(1, files - Self.otherFiles)
    }
}

extension DatabaseCheckup {
    /// Checks a database. It blocks the thread, for a time that grows with the database.
    ///
    /// - Parameters:
    ///   - database: A file's URL, or a `postgres:` address.
    ///   - now: The time of the call by this machine's clock.
    /// - Throws: `MaintenanceError` if the database can't be read at all.
    public init(of database: URL, now: Date = Date()) throws {
        try self.init(of: database, now: now, connectionLimit: ConnectionLimits().capacity.regular)
    }
}
