public import Foundation
public import Groundwork
public import Replica

extension Mail {
    /// Sends pending writes and fetches changes, now.
    ///
    /// The first sync fetches all mails of the account, or what queries have requested by then (``MailScope``).
    /// ``progress`` reports its progress, and an interrupted one resumes. If the mail isn't live, the lists of files of
    /// up to 1,000 new mails are fetched too.
    ///
    /// - Throws: `MailError`, such as `notConnected`, `timedOut`, `unauthorized`. Nothing is lost then.
    @concurrent
    public func sync() async throws {
        do {
            try checkOpen()
            try await engine.sync()
            // The mails are there; what is left of this, or fails, comes with the next sync.
            if !configuration.isLive { try? await fileLists.list(requests: Self.listsInASync) }
        } catch is CancellationError where !Task.isCancelled {
            // Cancelled by whoever closed it meanwhile.
            throw MailError.wrapping(StoreError.closed)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// So few that a sync doesn't wait long for them, and so many that most mailboxes are done with the first.
    private static var listsInASync: Int { 10 }

    /// How much of the mail is there, while it is taken for the first time.
    public struct Progress: Hashable, Sendable {
        /// How many mails are there.
        public let done: Int
        /// How many the server has.
        public let total: Int
    }

    /// The progress of the first sync, beginning with the present value; nil if none is under way. Of several changes
    /// in quick succession, only the newest is reported.
    public var progress: AsyncStream<Progress?> {
        steps.stream(startingWith: engine.progress.value).mapped(keepingNewest: 1) { value in
            value.map { Progress(done: $0.done, total: $0.total) }
        }
    }

    /// What the connection to the server does now.
    public var connectionState: ConnectionState { isClosed ? .closed : engine.connectionState.value }

    /// What the connection does, from now on.
    public var connectionStates: AsyncStream<ConnectionState> { states.stream(startingWith: connectionState) }

    /// Changes that the server refused, from now on. They have been taken back on this device; `messageID` is the
    /// mail's.
    public var refusedActions: AsyncStream<RefusedAction> {
        refusals.stream().mapped(keepingNewest: 1_000) { RefusedAction($0) }
    }

    /// How this device stands towards the server.
    public struct Status: Hashable, Sendable {
        /// What the live connection does.
        public let connection: ConnectionState
        /// How many mails there are on this device.
        public let messages: Int
        /// How many threads they make.
        public let threads: Int
        /// How many bytes of bodies are kept.
        public let bodies: Int
        /// How many mails have changes of the person's that the server hasn't confirmed.
        public let pendingWrites: Int
        /// When a sync last succeeded; nil for never.
        public let lastSync: Date?
        /// The server's state of the mails up to which this device is current; nil before the first sync is over.
        public let state: String?
        /// How many records couldn't be read.
        public let setAside: Int
    }

    /// How this device stands towards the server.
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
                setAside: try db.setAsideCount(RecordType.mail)
            )
        }
    }
}
