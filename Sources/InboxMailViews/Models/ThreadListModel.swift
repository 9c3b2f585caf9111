import Foundation
public import InboxMail
public import Observation
public import Replica
import InboxViews

/// A list of threads on screen, kept up to date and extended page by page.
///
/// Threads on the device are shown at once, also offline. Each change by the server, the person or another process
/// updates the list. The cost of a change is that of the pages that are shown, however many threads there are.
///
/// ```swift
/// let list = ThreadListModel(mail)
/// await list.refresh()
/// list.threads.first?.subject
/// ```
@MainActor
@Observable
public final class ThreadListModel {
    /// The state of a list.
    public enum State: Hashable, Sendable {
        /// The threads aren't known yet. A list that has shown threads never returns to this state.
        case loading
        /// The threads; an empty list has none.
        case loaded
        /// Nothing is known, for the given reason: the first sync failed, or the store can't be read.
        case failed(MailError)
    }

    /// The threads of a list, and their order.
    public struct Content: Sendable {
        /// The condition of the threads, their order and their number. Without a limit the list begins with
        /// ``ThreadListModel/pageSize`` threads, and ``ThreadListModel/loadMore()`` extends it.
        public var query: Query<MailThread>
        /// Whether unread threads are before the others.
        public var unreadFirst: Bool

        /// Creates the content of a list.
        ///
        /// - Parameters:
        ///   - query: The condition, the order and the number. By default all threads, the latest mail first.
        ///   - unreadFirst: Whether unread threads are before the others.
        public init(_ query: Query<MailThread> = Query(), unreadFirst: Bool = false) {
            (self.query, self.unreadFirst) = (query, unreadFirst)
        }

        /// The threads of a place, the latest mail first.
        public init(_ place: MailboxSelection, unreadFirst: Bool = false) {
            self.init(Query(where: place.predicate), unreadFirst: unreadFirst)
        }

        /// Whether two contents are the same threads, as far as their queries show.
        func isSame(as other: Content) -> Bool { signature == other.signature && unreadFirst == other.unreadFirst }

        private var signature: String? { (try? StoreQuery(query, .thread))?.signature }
    }

    /// The number of threads of a page.
    public static let pageSize = 50

    /// The state of the list.
    public var state: State { list.state }
    /// The threads, in the order of the list.
    public var threads: [MailThread] { list.items }
    /// The difference of ``threads`` from those before.
    public var changes: ListChanges { list.changes }
    /// The counts of all threads on this device.
    public private(set) var counts = MailCounts()
    /// The number of mails with changes that the server hasn't confirmed.
    public private(set) var pendingWrites = 0
    /// Whether the list can be extended.
    public var hasMore: Bool { list.hasMore }
    /// Whether ``loadMore()`` is under way.
    public var isLoadingMore: Bool { list.isLoadingMore }
    /// Whether a refresh is under way.
    public var isRefreshing: Bool { list.isRefreshing }
    /// The reason why the last refresh or extension failed. Nil after one that succeeded. The threads stay.
    public var error: MailError? { list.error }
    /// The content. Setting it shows other threads; the shown ones stay until the first of the new ones are known.
    @ObservationIgnored public var content: Content { didSet { list.restart() } }

    private let list: PagedList<MailThread, State>
    @ObservationIgnored private let mail: Mail

    /// Shows threads of an account, and begins to sync it.
    ///
    /// - Parameters:
    ///   - mail: The account.
    ///   - content: The threads. By default all, the latest mail first.
    public init(_ mail: Mail, _ content: Content = Content()) {
        self.mail = mail
        self.content = content
        list = PagedList(mail)
        list.start(observe: { [weak self] in self?.observe() })
        list.beginRefresh()
    }

    /// Syncs with the server, and returns when it has answered or failed. A call during a refresh begins another, whose
    /// answer includes all changes from before the call. Concurrent calls share it. A list that failed begins again.
    public func refresh() async { await list.refresh() }

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    public func loadMore() { list.loadMore() }

    /// The number of threads that are shown.
    private var limit: Int { content.query.limit ?? Self.pageSize * list.pages }

    /// The query of all pages, and of one thread more where the list has no limit of its own: whether there is one says
    /// whether the list can be extended.
    private var extendedQuery: Query<MailThread> {
        var query = content.query
        query.limit = content.query.limit ?? limit + 1
        return query
    }

    private func observe() {
        if content.unreadFirst {
            list.follow(mail.observeUnreadFirst(extendedQuery)) { [weak self] in self?.page(of: $0) }
        } else {
            list.follow(mail.observeThreads(extendedQuery)) { [weak self] in self?.page(of: $0) }
        }
    }

    private func page(of snapshot: MailSnapshot<MailThread>) -> PagedList<MailThread, State>.Page {
        if counts != snapshot.counts { counts = snapshot.counts }
        if pendingWrites != snapshot.pendingWrites { pendingWrites = snapshot.pendingWrites }
        let limit = limit
        let hasMore = snapshot.items.count > limit
        var fetch: (@MainActor () async throws -> Bool)?
        // On a device that keeps slices, a sync fetches the threads that the longer list lacks.
        if mail.keepsSlices, !hasMore {
            fetch = { [mail, query = extendedQuery] in
                try await mail.sync()
                return try await mail.threads(query).count <= limit
            }
        }
        return PagedList.Page(
            Array(snapshot.items.prefix(limit)),
            hasSynced: snapshot.hasSynced,
            hasMore: hasMore,
            mayHaveMore: content.query.limit == nil && mail.keepsSlices && !snapshot.items.isEmpty,
            fetch: fetch
        )
    }
}

extension ThreadListModel.State: ListState {}
