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
        /// The messages aren't known yet. A list that has shown messages returns to this state only by a refresh after
        /// it has failed.
        case loading
        /// The messages; an empty list has none.
        case loaded
        /// Nothing is known, for the given reason: the first sync failed, or the store can't be read. A store that can
        /// be read again is shown by itself.
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

        /// Creates the content of a list.
        ///
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
    public var state: State { list.state }
    /// The messages, in order.
    public var messages: [Message] { list.items }
    /// The changes that led from the previous ``messages`` to these, for table and collection views.
    public var changes: ListChanges { list.changes }
    /// The counts of the whole surface, or of the whole inbox.
    public private(set) var counts = MessageCounts()
    /// The number of messages with changes that the server hasn't confirmed.
    public private(set) var pendingWrites = 0
    /// Whether the list can be extended.
    public var hasMore: Bool { list.hasMore }
    /// Whether ``loadMore()`` is under way.
    public var isLoadingMore: Bool { list.isLoadingMore }
    /// Whether a refresh is under way.
    public var isRefreshing: Bool { list.isRefreshing }
    /// The reason why the last refresh or extension failed. Nil after one that succeeded. The messages stay.
    public var error: InboxError? { list.error }
    /// The content. Setting it shows other messages; the shown ones stay until the first of the new ones are known.
    @ObservationIgnored public var content: Content { didSet { list.restart() } }

    private let list: PagedList<Message, State>
    @ObservationIgnored private let inbox: Inbox

    /// Shows messages of an inbox, and begins to sync it.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - content: The part of the inbox. By default the whole inbox, newest delivery first.
    public init(_ inbox: Inbox, _ content: Content = Content()) {
        self.inbox = inbox
        self.content = content
        list = PagedList(
            clock: inbox.store.clock,
            closed: InboxError(.closed, "The inbox was closed."),
            failure: { InboxError($0) },
            sync: { try await inbox.sync() },
            hasSynced: { (try? await inbox.status().lastSync) != nil }
        )
        list.start(observe: { [weak self] in self?.observe() })
        list.beginRefresh()
    }

    /// Syncs with the server, and returns when it has answered or failed. A call during a refresh begins another, whose
    /// answer includes all changes from before the call. Concurrent calls share it. A list that failed begins again.
    public func refresh() async { await list.refresh() }

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    public func loadMore() { list.loadMore() }

    /// The number of messages that are observed.
    private var limit: Int { content.query.limit ?? Self.pageSize * list.pages }

    /// The query of all pages.
    private var extendedQuery: Query<Message> {
        var query = content.query
        query.limit = limit
        return query
    }

    private func observe() {
        // An observation fetches the messages that its first page lacks. A further page is fetched here, so that a
        // failure is known.
        let snapshots =
            list.pages > 1
            ? inbox.observeStored(extendedQuery, in: content.filter, surface: content.surface)
            : inbox.observe(extendedQuery, in: content.filter, surface: content.surface)
        list.follow(snapshots) { [weak self] in self?.page(of: $0) }
    }

    private func page(of snapshot: InboxSnapshot) -> PagedList<Message, State>.Page {
        if counts != snapshot.counts { counts = snapshot.counts }
        if pendingWrites != snapshot.pendingWrites { pendingWrites = snapshot.pendingWrites }
        // Without a predicate the counts decide whether more messages follow. Otherwise a full page may be the last.
        var (hasMore, mayHaveMore) = (snapshot.items.count >= limit, !snapshot.isComplete)
        if content.query.limit != nil {
            (hasMore, mayHaveMore) = (false, false)
        } else if content.query.predicate == nil, let total = snapshot.counts.number(in: content.filter) {
            (hasMore, mayHaveMore) = (total > snapshot.items.count + content.query.offset, false)
        }
        var fetch: (@MainActor () async throws -> Bool)?
        let missing = limit - snapshot.items.count
        if missing > 0, !snapshot.isComplete {
            fetch = { [inbox, content, query = extendedQuery] in try await inbox.fetch(missing, of: query, content) }
        }
        return PagedList.Page(
            snapshot.items,
            hasSynced: snapshot.hasSynced,
            hasMore: hasMore,
            mayHaveMore: mayHaveMore,
            fetch: fetch
        )
    }
}

extension Inbox {
    /// Fetches messages that an extended list lacks, and returns whether the server has no more.
    fileprivate func fetch(
        _ missing: Int,
        of query: Query<Message>,
        _ content: MessageListModel.Content
    ) async throws -> Bool {
        guard query.predicate != nil else {
            try await loadOlder(limit: missing, in: content.filter, surface: content.surface)
            return false
        }
        // Only the server knows which further messages match.
        let found = try await fetchSnapshot(of: query, in: content.filter, surface: content.surface)
        return found.isComplete && found.items.count < query.limit ?? .max
    }
}

extension MessageListModel.State: ListState {}

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
