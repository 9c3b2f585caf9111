import Foundation
import Groundwork
import InboxClient
import InboxModel
public import Replica

/// A snapshot of messages and mail: list and counts from one transaction.
public struct InboxEntrySnapshot: Hashable, Sendable {
    /// The entries of both inboxes, newest first.
    public let items: [InboxEntry]
    /// The difference from the previous snapshot's items; in the first snapshot, from an empty list.
    public let changes: ListChanges
    /// The number of unread messages and of unread threads in the inbox, for one badge.
    public let unread: Int
    /// The number of messages and mails with pending writes.
    public let pendingWrites: Int
    /// Whether all messages of the inbox that belong to these items are on this device. If some are missing and there
    /// is a limit, a live inbox requests them from the server, and another snapshot follows. Which mail is on the
    /// device depends on its scope.
    public let isComplete: Bool
    /// Whether this device has synced both since their stores were created. Until then, missing entries aren't known
    /// yet, and a screen shows that it is loading.
    public let hasSynced: Bool
}

/// A sequence of snapshots of messages and mail. Each is read when it is requested.
public struct InboxEntrySnapshots: AsyncSequence, Sendable {
    /// A snapshot of messages and mail.
    public typealias Element = InboxEntrySnapshot

    fileprivate struct Details: Hashable, Sendable {
        let unread, pendingWrites: Int
        let hasSynced: Bool
    }

    fileprivate typealias Queries = LiveQueryPair<Message, MailThread, Details>

    private let snapshots: Result<Queries, any Error>
    private let limit: Int?
    private let makeMissingTask: @Sendable () -> MissingMessagesTask?

    init(_ mail: Mail, limit: Int?) {
        self.limit = limit
        makeMissingTask = { [weak inbox = mail.inbox] in inbox?.fetchMissing(Query(limit: limit)) }
        snapshots = Result {
            guard mail.inbox != nil else { throw InboxEntrySnapshots.requiresInboxError }
            guard limit ?? 0 >= 0 else { throw MailError(.invalidArgument, "The limit must not be negative.") }
            // Each query has the full limit, because all entries may be of one kind.
            let messages = try StoreQuery(Query(limit: limit), in: .inbox)
            let threads = try StoreQuery(Query(where: #Predicate { $0.isInInbox }, limit: limit), .thread)
            return LiveQueryPair(mail.store, messages, threads, changes: mail.changes) { db in
                Details(
                    unread: try db.messageCounts(surface: nil).unread
                        + MailCounts(try db.counts(.thread)).unreadInInbox,
                    pendingWrites: try db.pendingCount(RecordType.inbox + RecordType.mail),
                    hasSynced: try [RecordType.message, .email].allSatisfy {
                        try db.syncPosition($0)?.hasSynced ?? false
                    }
                )
            }
        }
    }

    private static var requiresInboxError: MailError {
        MailError(
            .invalidArgument,
            "This mail isn't stored with an inbox. Open it with Mail.open(…, in: inbox)."
        )
    }

    /// Begins to observe the queries.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: snapshots.map { $0.makeAsyncIterator() }, missingTask: makeMissingTask(), limit: limit)
    }

    /// An iterator over the snapshots.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: Result<Queries.Iterator, any Error>
        private let missingTask: MissingMessagesTask?
        fileprivate let limit: Int?
        private var last: [InboxEntry] = []

        fileprivate init(
            snapshots: Result<Queries.Iterator, any Error>,
            missingTask: MissingMessagesTask?,
            limit: Int?
        ) {
            (self.snapshots, self.missingTask, self.limit) = (snapshots, missingTask, limit)
        }

        /// Returns the next snapshot that differs from the previous one; nil if the task was cancelled, or the inbox or
        /// the mail was closed.
        ///
        /// - Throws: `MailError`: `storage`, `invalidArgument` if the mail isn't in an inbox's file.
        @concurrent
        public mutating func next() async throws -> InboxEntrySnapshot? {
            do {
                var iterator = try snapshots.get()
                defer { snapshots = .success(iterator) }
                guard let element = try await iterator.next() else { return nil }
                missingTask?.note(element.first.count, isComplete: element.isComplete)
                let entries = Self.merged(element.first, element.second, limit)
                let changes = ListChanges(from: last, to: entries, id: \.id) { $0 != $1 }
                last = entries
                return InboxEntrySnapshot(
                    items: entries,
                    changes: changes,
                    unread: element.extra.unread,
                    pendingWrites: element.extra.pendingWrites,
                    isComplete: element.isComplete,
                    hasSynced: element.extra.hasSynced
                )
            } catch {
                throw MailError.wrapping(error)
            }
        }

        /// Merges two lists, newest first.
        private static func merged(_ messages: [Message], _ threads: [MailThread], _ limit: Int?) -> [InboxEntry] {
            let all = messages.map(InboxEntry.message) + threads.map(InboxEntry.thread)
            return Array(all.sorted(by: InboxEntry.precedes).prefix(limit ?? .max))
        }
    }
}

extension Mail {
    /// Observes the newest messages of the inbox and threads in the mail's inbox, as one list. The first snapshot is
    /// available at once; another follows each change.
    ///
    /// It requires mail in the file of an inbox (``open(server:credentials:account:in:scope:configuration:)``).
    ///
    /// - Parameter limit: The maximum number of entries; nil for all.
    public func observeEntries(limit: Int? = 50) -> InboxEntrySnapshots { InboxEntrySnapshots(self, limit: limit) }
}
