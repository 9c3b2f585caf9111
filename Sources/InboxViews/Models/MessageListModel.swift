import Foundation
public import InboxClient
public import InboxModel
public import Observation
public import Replica

/// A list of messages on screen, kept up to date and extended page by page.
///
/// Messages on the device are shown at once, also offline. Each change by the server, the person, another process or
/// the passage of time updates the list. SwiftUI's lists and property wrappers are drawn from it; UIKit and tests use
/// it directly.
///
/// ```swift
/// let list = MessageListModel(inbox)
/// await list.refresh()
/// list.messages.first?.title
/// ```
@MainActor
@Observable
public final class MessageListModel {
    /// The state of a list.
    public enum State: Hashable, Sendable {
        /// The messages aren't known yet. A list that has shown messages never returns to this state.
        case loading
        /// The messages; an empty list has none.
        case loaded
        /// Nothing is known, for the given reason: the first sync failed, or the store can't be read.
        case failed(InboxError)
    }

    /// The part of the inbox that a list shows, and its order.
    public struct Content: Sendable {
        /// The condition of the messages, their order and their number. Without a limit the list begins with
        /// ``MessageListModel/pageSize`` messages, and ``MessageListModel/loadMore()`` extends it.
        public var query: Query<Message>
        /// The part of the inbox.
        public var filter: MessageFilter
        /// The surface of the messages; nil for all.
        public var surface: String?

        /// - Parameters:
        ///   - query: The condition, the order and the number. By default all messages, newest delivery first.
        ///   - filter: The part of the inbox.
        ///   - surface: The surface of the messages; nil for all.
        public init(_ query: Query<Message> = Query(), in filter: MessageFilter = .inbox, surface: String? = nil) {
            self.query = query
            self.filter = filter
            self.surface = surface
        }

        /// Whether two contents are the same messages, as far as their queries show.
        func isSame(as other: Content) -> Bool { signature == other.signature }

        private var signature: String? {
            guard let query = try? StoreQuery(query, in: filter, surface: surface) else { return nil }
            return query.signature
        }
    }

    /// The number of messages of a page.
    public static let pageSize = 50

    /// The current state of the list.
    public private(set) var state = State.loading
    /// The messages, in order.
    public private(set) var messages: [Message] = []
    /// The changes that led from the previous ``messages`` to these, for table and collection views.
    public private(set) var changes = ListChanges()
    /// The counts of the whole surface, or of the whole inbox.
    public private(set) var counts = MessageCounts()
    /// The number of messages with changes that the server hasn't confirmed.
    public private(set) var pendingWrites = 0
    /// Whether the list can be extended.
    public private(set) var hasMore = false
    /// Whether ``loadMore()`` is under way.
    public private(set) var isLoadingMore = false
    /// Whether a refresh is under way.
    public private(set) var isRefreshing = false
    /// The reason why the last refresh or extension failed. Nil after one that succeeded. The messages stay.
    public private(set) var error: InboxError?
    /// The content. Setting it shows other messages; the shown ones stay until the first of the new ones are known.
    @ObservationIgnored public var content: Content { didSet { restart() } }

    @ObservationIgnored private let inbox: Inbox
    @ObservationIgnored private var pages = 1
    /// Whether the server had no more matches of a predicate when the list was last extended.
    @ObservationIgnored private var hasListedAll = false
    /// Counts the observations. A snapshot of an earlier one may arrive after its end, and is ignored.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let refreshing = OwnedTask()
    @ObservationIgnored private let extending = OwnedTask()

    /// Shows messages of an inbox, and begins to sync it.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - content: The part of the inbox. By default the whole inbox, newest delivery first.
    public init(_ inbox: Inbox, _ content: Content = Content()) {
        self.inbox = inbox
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

    /// The number of messages that are observed.
    private var limit: Int { content.query.limit ?? Self.pageSize * pages }

    /// The query of all pages.
    private var extendedQuery: Query<Message> {
        var query = content.query
        query.limit = limit
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
        let generation = generation
        // An observation fetches what its first page lacks. A further page is fetched here, so that a failure is known.
        let snapshots =
            pages > 1
            ? inbox.observeStored(extendedQuery, in: content.filter, surface: content.surface)
            : inbox.observe(extendedQuery, in: content.filter, surface: content.surface)
        observation.start { [weak self] in
            var isFirst = true
            do {
                for try await snapshot in snapshots {
                    guard let self, self.generation == generation else { return }
                    show(snapshot, isFirst: isFirst)
                    isFirst = false
                }
                // The inbox was closed.
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(InboxError(.closed, "The inbox was closed."))
            } catch {
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(InboxError(error))
            }
        }
    }

    private func show(_ snapshot: InboxSnapshot, isFirst: Bool) {
        // The first snapshot of an observation has the changes from an empty list.
        let changes =
            isFirst ? ListChanges(from: messages, to: snapshot.items, id: \.id, isChanged: !=) : snapshot.changes
        if !changes.isEmpty { (messages, self.changes) = (snapshot.items, changes) }
        if counts != snapshot.counts { counts = snapshot.counts }
        if pendingWrites != snapshot.pendingWrites { pendingWrites = snapshot.pendingWrites }
        let hasMore = hasMore(after: snapshot)
        if self.hasMore != hasMore { self.hasMore = hasMore }
        // Until the first sync has ended, an empty list only means that no messages are known yet.
        if snapshot.hasSynced || !snapshot.items.isEmpty { set(.loaded) }
        if isLoadingMore { extend(snapshot) }
    }

    private func set(_ state: State) {
        if self.state != state { self.state = state }
    }

    private func fail(_ error: InboxError) {
        (messages, changes, hasMore, isLoadingMore) = ([], ListChanges(), false, false)
        set(.failed(error))
    }

    /// Whether more messages follow. Without a predicate the counts decide; otherwise a full page may be the last one.
    private func hasMore(after snapshot: InboxSnapshot) -> Bool {
        guard content.query.limit == nil else { return false }
        let shown = snapshot.items.count + content.query.offset
        guard content.query.predicate == nil, let total = snapshot.counts.number(in: content.filter) else {
            return snapshot.items.count >= limit || !snapshot.isComplete && !hasListedAll
        }
        return total > shown
    }

    /// Fetches what an extended list lacks.
    private func extend(_ snapshot: InboxSnapshot) {
        guard snapshot.items.count < limit, !snapshot.isComplete else {
            isLoadingMore = false
            return
        }
        guard !extending.isActive else { return }
        let (generation, content, inbox, query) = (generation, content, inbox, extendedQuery)
        let missing = limit - snapshot.items.count
        extending.start { [weak self] in
            var (failure, listsAll): (InboxError?, Bool) = (nil, false)
            do {
                if query.predicate == nil {
                    try await inbox.loadOlder(limit: missing, in: content.filter, surface: content.surface)
                } else {
                    // Only the server knows which further messages match.
                    let found = try await inbox.fetchSnapshot(of: query, in: content.filter, surface: content.surface)
                    listsAll = found.isComplete && found.items.count < query.limit ?? .max
                }
            } catch {
                failure = InboxError(error)
            }
            guard let self, self.generation == generation else { return }
            (isLoadingMore, self.error, hasListedAll) = (false, failure, listsAll)
            if listsAll, messages.count < limit { hasMore = false }
            extending.end()
        }
    }

    // MARK: - Refresh

    /// Begins a refresh, in place of the one that is under way: the server may have answered that one already.
    private func beginRefresh() {
        isRefreshing = true
        refreshing.start { [weak self, inbox] in
            var failure: InboxError?
            do {
                try await inbox.sync()
            } catch {
                failure = InboxError(error)
            }
            let hasSynced = (try? await inbox.status().lastSync) != nil
            guard !Task.isCancelled, let self else { return }
            refreshing.end()
            (isRefreshing, error) = (false, failure)
            if let failure, !hasSynced, messages.isEmpty, state == .loading { set(.failed(failure)) }
        }
    }
}

extension MessageCounts {
    /// The number of messages of a part of the inbox, or nil if it isn't counted.
    fileprivate func number(in filter: MessageFilter) -> Int? {
        switch filter {
        case .inbox: total
        case .unread: unread
        case .read: read
        case .snoozed: snoozed
        case .archived: archived
        case .active: total + snoozed + archived
        case .deleted: nil
        }
    }
}
