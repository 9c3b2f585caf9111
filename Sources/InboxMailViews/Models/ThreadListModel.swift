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

        /// - Parameters:
        ///   - query: The condition, the order and the number. By default all threads, the latest mail first.
        ///   - unreadFirst: Whether unread threads are before the others.
        public init(_ query: Query<MailThread> = Query(), unreadFirst: Bool = false) {
            (self.query, self.unreadFirst) = (query, unreadFirst)
        }

        /// The threads of a place, the latest mail first.
        public init(_ place: MailPlace, unreadFirst: Bool = false) {
            self.init(Query(where: place.predicate), unreadFirst: unreadFirst)
        }

        /// Whether two contents are the same threads, as far as their queries show.
        func isSame(as other: Content) -> Bool { signature == other.signature && unreadFirst == other.unreadFirst }

        private var signature: String? { (try? StoreQuery(query, .thread))?.signature }
    }

    /// The number of threads of a page.
    public static let pageSize = 50

    /// The state of the list.
    public private(set) var state = State.loading
    /// The threads, in the order of the list.
    public private(set) var threads: [MailThread] = []
    /// The difference of ``threads`` from those before.
    public private(set) var changes = ListChanges()
    /// The counts of all threads on this device.
    public private(set) var counts = MailCounts()
    /// The number of mails with changes that the server hasn't confirmed.
    public private(set) var pendingWrites = 0
    /// Whether the list can be extended.
    public private(set) var hasMore = false
    /// Whether ``loadMore()`` is under way.
    public private(set) var isLoadingMore = false
    /// Whether a refresh is under way.
    public private(set) var isRefreshing = false
    /// The reason why the last refresh or extension failed. Nil after one that succeeded. The threads stay.
    public private(set) var error: MailError?
    /// The content. Setting it shows other threads; the shown ones stay until the first of the new ones are known.
    @ObservationIgnored public var content: Content { didSet { restart() } }

    @ObservationIgnored private let mail: Mail
    @ObservationIgnored private var pages = 1
    /// Whether the server had no more threads for the list when it was last extended, on a device that keeps slices.
    @ObservationIgnored private var hasListedAll = false
    /// Counts the observations. A snapshot of an earlier one may arrive after its end, and is ignored.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let refreshing = OwnedTask()
    @ObservationIgnored private let extending = OwnedTask()

    /// Shows threads of an account, and begins to sync it.
    ///
    /// - Parameters:
    ///   - mail: The account.
    ///   - content: The threads. By default all, the latest mail first.
    public init(_ mail: Mail, _ content: Content = Content()) {
        self.mail = mail
        self.content = content
        restart()
        beginRefresh()
    }

    /// Syncs with the server, and returns when it has answered or failed. A call during a refresh begins another, whose
    /// answer has what the server received before the call. Concurrent calls share it. A list that failed begins again.
    public func refresh() async {
        if case .failed = state {
            state = .loading
            restart()
        }
        beginRefresh()
        await refreshing.task?.value
    }

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    public func loadMore() {
        guard hasMore, !isLoadingMore else { return }
        isLoadingMore = true
        pages += 1
        observe()
    }

    // MARK: - Observation

    /// The number of threads that are shown.
    private var limit: Int { content.query.limit ?? Self.pageSize * pages }

    /// The query of all pages, and of one thread more where the list has no limit of its own: whether there is one says
    /// whether the list can be extended.
    private var extendedQuery: Query<MailThread> {
        var query = content.query
        query.limit = content.query.limit ?? limit + 1
        return query
    }

    private func restart() {
        pages = 1
        (isLoadingMore, hasListedAll) = (false, false)
        observe()
    }

    private func observe() {
        generation += 1
        // An extension of the observation before would end without a word to this one.
        extending.cancel()
        if content.unreadFirst {
            follow(mail.observeUnreadFirst(extendedQuery))
        } else {
            follow(mail.observeThreads(extendedQuery))
        }
    }

    private func follow<Snapshots: AsyncSequence & Sendable>(_ snapshots: Snapshots)
    where Snapshots.Element == MailSnapshot<MailThread> {
        let generation = generation
        observation.start { [weak self] in
            do {
                for try await snapshot in snapshots {
                    guard let self, self.generation == generation else { return }
                    show(snapshot)
                }
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(.closedMail)
            } catch {
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(MailError(error))
            }
        }
    }

    private func show(_ snapshot: MailSnapshot<MailThread>) {
        let shown = Array(snapshot.items.prefix(limit))
        let changes = ListChanges(from: threads, to: shown, id: \.id, isChanged: !=)
        if !changes.isEmpty { (threads, self.changes) = (shown, changes) }
        if counts != snapshot.counts { counts = snapshot.counts }
        if pendingWrites != snapshot.pendingWrites { pendingWrites = snapshot.pendingWrites }
        let isFull = snapshot.items.count > limit
        let hasMore = content.query.limit == nil && (isFull || mail.keepsSlices && !hasListedAll && !shown.isEmpty)
        if self.hasMore != hasMore { self.hasMore = hasMore }
        // Until the first sync has ended, an empty list only means that no threads are known yet.
        if snapshot.hasSynced || !snapshot.items.isEmpty, state != .loaded { state = .loaded }
        if isLoadingMore { extend(isFull: isFull) }
    }

    private func fail(_ error: MailError) {
        extending.cancel()
        let changes = ListChanges(from: threads, to: [], id: \.id, isChanged: !=)
        (threads, self.changes, hasMore, isLoadingMore) = ([], changes, false, false)
        state = .failed(error)
    }

    /// Ends an extension; on a device that keeps slices, after the server was asked for what the longer list lacks.
    private func extend(isFull: Bool) {
        guard mail.keepsSlices, !isFull else {
            isLoadingMore = false
            return
        }
        guard !extending.isActive else { return }
        let (generation, limit) = (generation, limit)
        extending.start { [weak self, mail, query = extendedQuery] in
            let failure = await mail.syncFailure()
            let count = failure == nil ? try? await mail.threads(query).count : nil
            guard !Task.isCancelled, let self, self.generation == generation else { return }
            extending.end()
            (isLoadingMore, error) = (false, failure)
            hasListedAll = count.map { $0 <= limit } ?? false
            if hasListedAll { hasMore = false }
        }
    }

    // MARK: - Refresh

    private func beginRefresh() {
        isRefreshing = true
        refreshing.start { [weak self, mail] in
            let failure = await mail.syncFailure()
            let hasSynced = (try? await mail.status().lastSync) != nil
            guard !Task.isCancelled, let self else { return }
            refreshing.end()
            (isRefreshing, error) = (false, failure)
            if let failure, !hasSynced, threads.isEmpty, state == .loading { state = .failed(failure) }
        }
    }
}
