public import Foundation
import Groundwork
public import Replica

extension Mail {
    /// Sends pending writes and fetches changes, now. Drafts that are due are saved on the server, or sent.
    ///
    /// The first sync fetches all mails of the account, or the threads that queries have requested by then
    /// (``MailScope``). ``progress`` reports its progress, and an interrupted one resumes. If the mail isn't live, the
    /// lists of files of up to 1,000 new mails are fetched too.
    ///
    /// - Throws: `MailError`, such as `notConnected`, `timedOut`, `unauthorized`. Pending writes are kept.
    @concurrent
    public func sync() async throws {
        do {
            try checkOpen()
            try await engine.sync()
            _ = try? await sendingLimits()
            try? await open.outbox.settleUnknownOutcomes()
            // Mails that were saved or sent are on this device by the end of this call.
            let progress = try await open.outbox.flush()
            if progress.hasChanged { try await engine.sync() }
            try? await open.outbox.fetchTexts()
            // The mails are stored by now. File lists that fail or exceed the limit are fetched after the next sync.
            if !configuration.isLive { try? await fileLists.list(requests: Self.maxListsPerSync) }
            // A draft that failed waits for its next attempt. The caller receives the error nevertheless.
            if let failure = progress.failure { throw failure }
        } catch is CancellationError where !Task.isCancelled {
            // Cancelled by a concurrent close.
            throw MailError.wrapping(StoreError.closed)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// The number of requests for file lists in a sync: low enough that a sync doesn't wait long for them, and high
    /// enough that most mailboxes are listed by the first one.
    private static var maxListsPerSync: Int { 10 }

    /// The progress of the first sync.
    public struct Progress: Hashable, Sendable {
        /// The number of mails on this device.
        public let done: Int
        /// The number of mails on the server.
        public let total: Int
    }

    /// The progress of the first sync, beginning with the present value; nil if none is under way. Of several changes
    /// in quick succession, only the newest is reported.
    public var progress: AsyncStream<Progress?> {
        steps.stream(startingWith: engine.progress.value).mapped(keepingNewest: 1) { value in
            value.map { Progress(done: $0.done, total: $0.total) }
        }
    }

    /// The present state of the connection to the server.
    public var connectionState: ConnectionState { isClosed ? .closed : engine.connectionState.value }

    /// The states of the connection, beginning with the present one.
    public var connectionStates: AsyncStream<ConnectionState> { states.stream(startingWith: connectionState) }

    /// The changes that the server refuses from now on. They have been reverted on this device. `recordID` is the id
    /// of the mail.
    public var refusedActions: AsyncStream<RefusedAction> {
        refusals.stream().mapped(keepingNewest: 1_000) { RefusedAction($0) }
    }

    /// The sync status of this device.
    public struct Status: Hashable, Sendable {
        /// The state of the live connection.
        public let connection: ConnectionState
        /// The number of mails on this device.
        public let messages: Int
        /// The number of their threads.
        public let threads: Int
        /// The size of the stored bodies, in bytes.
        public let bodies: Int
        /// The number of mails with pending writes.
        public let pendingWrites: Int
        /// The date of the last successful sync; nil if there was none.
        public let lastSync: Date?
        /// The server's state of the mails that this device has synced to; nil before the first sync is complete.
        public let state: String?
        /// The number of records that couldn't be read.
        public let unreadableRecords: Int
    }

    /// The sync status of this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func status() async throws -> Status {
        let connection = connectionState
        return try await read { db in
            let position = try db.syncPosition(.email)
            return Status(
                connection: connection,
                messages: try db.count(of: .email),
                threads: try db.count(of: .thread),
                bodies: try db.bodyBytes(),
                pendingWrites: try db.pendingCount(RecordType.mail),
                lastSync: position?.syncedAt,
                state: position?.state,
                unreadableRecords: try db.setAsideCount(RecordType.mail)
            )
        }
    }
}
