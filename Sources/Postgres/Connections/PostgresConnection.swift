import CLibpq
import Foundation

/// A connection to PostgreSQL. It blocks the calling thread, so it is used from threads of its own, one at a time.
///
/// Statements run in libpq's pipeline mode: those that are queued by ``enqueue(_:)`` are sent with the next one that
/// waits for its result, in one round trip. Parameters and results are binary.
///
/// A connection that was lost stays lost: ``isUsable`` is false, and each use throws.
package final class PostgresConnection {
    /// The limits of a connection.
    package struct Limits: Sendable {
        /// The number of prepared statements that are kept, beside those that begin and end transactions.
        package var statements = 256
        /// The seconds that a statement has to end after it was cancelled. Then the connection is closed.
        package var cancellation = 1.0

        package init() {}
    }

    package let settings: PostgresSettings
    let limits: Limits
    /// Nil when closed.
    var handle: OpaquePointer?
    var cache: StatementCache
    /// The names of prepared statements that the next pipeline removes.
    var discarded: [String] = []
    /// The statements that the next round trip sends first.
    var queue: [PostgresStatement] = []
    let notices = ServerNotices()
    /// The answer to a statement that wasn't read yet. Nil if there is none.
    var unreadAnswer: UnreadAnswer?
    /// The statement that is sent behind the commit of this transaction.
    var followUp: FollowUp?
    /// The parameters that committed transactions have set for the session, as far as they are known, and those that
    /// the open one sets.
    var sessionValues: [String: String] = [:]
    var newSessionValues: [String: String] = [:]
    /// The names of all parameters that transactions may have set for the session.
    var sessionNames: Set<String> = []
    /// The number of open savepoints, and whether ``transaction(_:_:)`` runs.
    var savepoints = 0
    var isInTransactionBlock = false
    /// The number of round trips so far: each time that the connection waited for the server.
    package internal(set) var roundTrips = 0
    /// The time at which a running or later statement is cancelled. Nil for never. A commit that runs then isn't
    /// cancelled: the connection is closed, and its outcome is unknown.
    package var deadline: ContinuousClock.Instant?
    /// Asked twenty times a second while a statement runs. If it returns true, the statement is cancelled as at the
    /// deadline.
    package var shouldCancel: (() -> Bool)?
    /// Asked like ``shouldCancel``. If it returns true, the running statement ends as at the deadline, but within
    /// ``endingTime``, and nothing more is sent.
    var shouldEnd: (() -> Bool)?
    static let cancellationInterval = Duration.milliseconds(50)
    /// The seconds that a cancelled statement has at the end of its connection.
    static let endingTime = 0.25

    /// Connects. Each host of the address, and each address of a host, has the whole time of an attempt, so that one
    /// that is silent is left for the next one. Looking up a host's name has no limit of its own.
    ///
    /// - Throws: ``PostgresError`` of the kind `unavailable` or `rejected`.
    package init(_ settings: PostgresSettings, limits: Limits = Limits()) throws(PostgresError) {
        self.settings = settings
        self.limits = limits
        cache = StatementCache(limit: limits.statements + PostgresStatement.ofTransactions)
        let options = try settings.optionsWithPassword()
        handle = Self.connect(options)
        guard let handle else { throw PostgresError(.unavailable, "out of memory") }
        do throws(PostgresError) {
            try finishConnecting(handle)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the connection. An open transaction is rolled back by the server.
    package func close() {
        if let handle { PQfinish(handle) }
        handle = nil
        queue = []
        endUnreadAnswer(hasFailed: true)
    }

    /// Whether nothing may be sent any more.
    var isEnding: Bool { shouldEnd?() ?? false }

    /// Whether the connection is open, as far as is known without waiting.
    package var isUsable: Bool { handle != nil }

    /// Whether the server has a transaction open on this connection, or a failed one that wasn't rolled back yet.
    package var isInTransaction: Bool {
        guard let handle, unreadAnswer == nil else { return false }
        return PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    /// Whether the open transaction has failed, so that it can only be rolled back.
    package var hasFailedTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_INERROR } ?? false }

    /// The server's process for this connection.
    package var backend: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    /// Reads received data, and returns whether the connection is still open. A server that was stopped in an orderly
    /// manner, or killed, is noticed here. It waits only for an answer that wasn't read yet.
    func checkIsOpen() -> Bool {
        guard readUnreadAnswer(), let handle else { return false }
        if (try? wait(for: POLLIN, until: .now)) == true, PQconsumeInput(handle) == 0 { close() }
        // Data that arrived while nothing was running are parsed here.
        if let handle = self.handle {
            while let notification = PQnotifies(handle) { PQfreemem(notification) }
            if PQstatus(handle) != CONNECTION_OK || notices.endsConnection { close() }
        }
        return isUsable
    }

    // MARK: Connecting

    /// Blocks: libpq's way to connect without that doesn't know `connect_timeout`, and can't be asked to try the next
    /// host.
    private static func connect(_ options: [(name: String, value: String)]) -> OpaquePointer? {
        let names = options.map { strdup($0.name) }
        let values = options.map { strdup($0.value) }
        defer { for pointer in names + values { free(pointer) } }
        let keywords = names.map { UnsafePointer<CChar>($0) } + [nil]
        let texts = values.map { UnsafePointer<CChar>($0) } + [nil]
        return PQconnectdbParams(keywords, texts, 0)
    }

    private func finishConnecting(_ handle: OpaquePointer) throws(PostgresError) {
        // Otherwise notices are written to standard error.
        let context = Unmanaged.passUnretained(notices).toOpaque()
        _ = PQsetNoticeReceiver(handle, { context, result in ServerNotices.receive(context, result) }, context)
        try requireOpen(handle)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost }
    }

    // MARK: Waiting

    /// Waits until the socket can be read or written.
    ///
    /// - Returns: False if the time has come before.
    func wait(
        for events: Int32,
        until end: ContinuousClock.Instant?,
        orReading other: Int32 = -1
    ) throws(PostgresError) -> Bool {
        guard let handle, case let socket = PQsocket(handle), socket >= 0 else {
            throw PostgresError(.unavailable, "the connection is closed")
        }
        while true {
            var files = [
                pollfd(fd: socket, events: Int16(events), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            var timeout: Int32 = -1
            if let end {
                let left = ContinuousClock.now.duration(to: end)
                timeout = left <= .zero ? 0 : Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
            }
            let count = poll(&files, other < 0 ? 1 : 2, timeout)
            if count > 0 { return true }
            if count == 0 { return false }
            guard errno == EINTR else { throw PostgresError(.unavailable, "poll: \(errno)") }
        }
    }
}
