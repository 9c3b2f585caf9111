import Foundation
import Groundwork
import InboxClient
import InboxModel
public import Replica

/// What there was to see of messages and mail at one moment: list and counts out of one transaction.
public struct InboxEntrySnapshot: Hashable, Sendable {
    /// The newest of both inboxes, the newest first.
    public let entries: [InboxEntry]
    /// What makes these out of those of the snapshot before; of the first one, out of none.
    public let changes: ListChanges
    /// How many messages and threads in the inbox are unread: what one badge for both shows.
    public let unread: Int
    /// How many messages and mails have changes of the person's that the servers haven't confirmed.
    public let pendingWrites: Int
    /// Whether no message of the inbox is missing that belongs among these and that this device doesn't hold. Where
    /// some are, an inbox that is live asks the server for them, if there is a limit, and another snapshot brings them.
    /// What is held of the mail is its scope's matter.
    public let isComplete: Bool
    /// Whether this device has synced both since they were made. While it hasn't, what is missing isn't known yet: a
    /// screen shows that it loads.
    public let hasSynced: Bool
}

/// Snapshots of messages and mail, made when they are asked for.
public struct InboxEntrySnapshots: AsyncSequence, Sendable {
    /// What there was to see at one moment.
    public typealias Element = InboxEntrySnapshot

    fileprivate struct Numbers: Hashable, Sendable {
        let unread, pendingWrites: Int
        let hasSynced: Bool
    }

    fileprivate typealias Queries = LiveQueryPair<Message, MailThread, Numbers>

    private let snapshots: Result<Queries, any Error>
    private let limit: Int?
    private let asking: @Sendable () -> MissingMessagesTask?

    init(_ mail: Mail, limit: Int?) {
        self.limit = limit
        asking = { [weak inbox = mail.inbox] in inbox?.askForMissing(Query(limit: limit)) }
        snapshots = Result {
            guard mail.inbox != nil else { throw InboxEntrySnapshots.isAlone }
            guard limit ?? 0 >= 0 else { throw MailError(.invalidArgument, "The limit must not be negative.") }
            // Of each as many as of both: all of them may be of one kind.
            let messages = try StoreQuery(Query(limit: limit), in: .inbox)
            let threads = try StoreQuery(Query(where: #Predicate { $0.isInInbox }, limit: limit), .thread)
            return LiveQueryPair(mail.store, messages, threads, changes: mail.changes) { db in
                Numbers(
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

    private static var isAlone: MailError {
        MailError(
            .invalidArgument,
            "This mail has a file of its own: open it beside the inbox, Mail.open(…, beside: inbox)."
        )
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: snapshots.map { $0.makeAsyncIterator() }, asking: asking(), limit: limit)
    }

    /// One who listens.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: Result<Queries.Iterator, any Error>
        private let asking: MissingMessagesTask?
        fileprivate let limit: Int?
        private var last: [InboxEntry] = []

        fileprivate init(
            snapshots: Result<Queries.Iterator, any Error>,
            asking: MissingMessagesTask?,
            limit: Int?
        ) {
            (self.snapshots, self.asking, self.limit) = (snapshots, asking, limit)
        }

        /// The next snapshot that differs from the last; nil when the task was cancelled, or the inbox or the mail
        /// closed.
        ///
        /// - Throws: `MailError`: `storage`, `invalidArgument` where the mail isn't beside an inbox.
        @concurrent
        public mutating func next() async throws -> InboxEntrySnapshot? {
            do {
                var iterator = try snapshots.get()
                defer { snapshots = .success(iterator) }
                guard let element = try await iterator.next() else { return nil }
                asking?.note(element.first.count, isComplete: element.isComplete)
                let entries = Self.merged(element.first, element.second, limit)
                let changes = ListChanges(from: last, to: entries, id: \.id) { $0 != $1 }
                last = entries
                return InboxEntrySnapshot(
                    entries: entries,
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

        /// Two lists, the newest first, as one.
        private static func merged(_ messages: [Message], _ threads: [MailThread], _ limit: Int?) -> [InboxEntry] {
            let all = messages.map(InboxEntry.message) + threads.map(InboxEntry.thread)
            return Array(all.sorted(by: InboxEntry.precedes).prefix(limit ?? .max))
        }
    }
}

extension Mail {
    /// The newest of the inbox and of the mail in the inbox together, and again whenever they change; the first
    /// snapshot comes at once.
    ///
    /// Needs mail beside an inbox (``open(server:credentials:account:beside:scope:configuration:)``).
    ///
    /// - Parameter limit: At most so many; nil for all.
    public func observeTogether(limit: Int? = 50) -> InboxEntrySnapshots { InboxEntrySnapshots(self, limit: limit) }
}
