public import Foundation
public import InboxService

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Limits of connections, so that slow, silent or many clients can't block the server.
///
/// Event streams aren't limited: once a request has arrived, its answer may take any time. TCP detects a lost peer.
public struct ConnectionLimits: Hashable, Sendable {
    /// How long a connection may be silent between requests, and how long the head of a request may take, in seconds.
    public var idle: Double
    /// How long the body of a request may take whatever its size, in seconds.
    public var bodyGrace: Double
    /// The bytes a second that a longer body has to come with, on the whole.
    public var bodyRate: Int
    /// How much of a body is read and thrown away once its request has been answered, such as 413 for one that is too
    /// large, in bytes. Then the connection closes.
    public var restSize: Int
    /// How long that may take, in seconds.
    public var restTime: Double
    /// How long what was sent may stay unacknowledged before the connection is given up, in seconds. A silent one is
    /// asked after as long a time.
    public var unreachable: Int
    /// How long a connection may delay a stopping server, in seconds: one with an incomplete request, a slow answer, or
    /// an answer that isn't read. Others are closed at once.
    public var stop: Double
    /// How many connections there may be at once for all requests. Beyond it sends, other calls of the REST API,
    /// `/health` and `/metrics` are answered; anything else gets 503 at once. Nil for as many as the process may have
    /// files open, less ``reserve``.
    public var connections: Int?
    /// How many connections there may be beyond ``connections``, each for one request.
    public var reserve: Int
    /// The head of a request, in bytes.
    public var headSize: Int

    /// Sets the limits; each has a default that suits the internet.
    public init(
        idle: Double = 60,
        bodyGrace: Double = 30,
        bodyRate: Int = 8_192,
        restSize: Int = 134_217_728,
        restTime: Double = 60,
        unreachable: Int = 60,
        stop: Double = 5,
        connections: Int? = nil,
        reserve: Int = 64,
        headSize: Int = 32_768
    ) {
        self.idle = idle
        self.bodyGrace = bodyGrace
        self.bodyRate = bodyRate
        self.restSize = restSize
        self.restTime = restTime
        self.unreachable = unreachable
        self.stop = stop
        self.connections = connections
        self.reserve = reserve
        self.headSize = headSize
    }

    /// Files that the process needs besides connections: the database's readers with their logs, standard streams,
    /// certificates.
    private static let otherFiles = 128

    /// More than these are accepted for the moment that it takes to close another one.
    private static let changing = 16

    /// How many connections there may be for all requests, how many beyond that, and how many are accepted at all: one
    /// more than there are files for would end the listening.
    var room: (usual: Int, reserve: Int, accepted: Int) {
        let possible = possibleConnections
        let reserve = max(1, min(reserve, possible / 4))
        let usual = max(1, min(connections ?? possible, possible - reserve - Self.changing))
        return (usual, reserve, max(usual + reserve, min(possible, usual + reserve + Self.changing)))
    }

    /// How many connections the process has files for.
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
    /// Looks; blocks its thread for as long as it takes, which grows with the file.
    ///
    /// - Throws: `MaintenanceError` where the file can't be read at all.
    public init(of database: URL, now: Date = Date()) throws {
        try self.init(of: database, now: now, connectionLimit: ConnectionLimits().room.usual)
    }
}
