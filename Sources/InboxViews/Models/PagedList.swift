package import Groundwork
import Observation
package import Replica

/// The state of a list on screen: a model has an enum of its own with these three cases.
package protocol ListState: Equatable, Sendable {
    associatedtype Failure: Error & Equatable

    /// The items aren't known yet.
    static var loading: Self { get }
    /// The items; an empty list has none.
    static var loaded: Self { get }
    /// Nothing is known, for the given reason.
    static func failed(_ reason: Failure) -> Self
}

/// A list on screen that is observed, refreshed and extended page by page.
///
/// It decides for each model how a snapshot, an ended observation, a refresh and an extension change the list. The
/// model provides the observation, and the fetch of missing items.
@MainActor
@Observable
package final class PagedList<Item: Identifiable & Equatable & Sendable, State: ListState> {
    package typealias Failure = State.Failure

    /// A page of the list: the items of a snapshot, and whether there are more.
    package struct Page {
        let items: [Item]
        let hasSynced, hasMore, mayHaveMore: Bool
        let fetch: (@MainActor () async throws -> Bool)?

        /// - Parameters:
        ///   - items: The items of all pages, in order.
        ///   - hasSynced: Whether the device has synced. Until then, an empty list isn't known yet.
        ///   - hasMore: Whether more items are known than these.
        ///   - mayHaveMore: Whether the server may have more. It has none after an extension that found so.
        ///   - fetch: Fetches the items that an extended list lacks, and returns whether the server has no more; nil if
        ///     none are missing.
        package init(
            _ items: [Item],
            hasSynced: Bool,
            hasMore: Bool = false,
            mayHaveMore: Bool = false,
            fetch: (@MainActor () async throws -> Bool)? = nil
        ) {
            (self.items, self.hasSynced, self.hasMore) = (items, hasSynced, hasMore)
            (self.mayHaveMore, self.fetch) = (mayHaveMore, fetch)
        }
    }

    /// The state. A list that has been loaded returns to `loading` only by a refresh after its observation failed. An
    /// observation that failed begins again by itself (`RepeatedObservation`).
    package private(set) var state = State.loading
    /// The items, in order.
    package private(set) var items: [Item] = []
    /// The difference of ``items`` from those before.
    package private(set) var changes = ListChanges()
    /// Whether the list can be extended.
    package private(set) var hasMore = false
    /// Whether an extension is under way.
    package private(set) var isLoadingMore = false
    /// Whether a refresh is under way.
    package private(set) var isRefreshing = false
    /// The reason why the last refresh or extension failed. Nil after one that succeeded. The items stay.
    package var error: Failure?
    /// The number of pages that are shown.
    @ObservationIgnored package private(set) var pages = 1

    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private let closed: Failure
    @ObservationIgnored private let failure: @MainActor (any Error) -> Failure
    @ObservationIgnored private let sync: @MainActor () async throws -> Void
    @ObservationIgnored private let hasSynced: @MainActor () async -> Bool
    @ObservationIgnored private var observe: @MainActor () -> Void = {}
    @ObservationIgnored private var didRefresh: @MainActor () -> Void = {}
    @ObservationIgnored private var didFail: @MainActor () -> Void = {}

    /// Whether the last page was known to have more after it.
    @ObservationIgnored private var isKnownToHaveMore = false
    /// Whether the server had no more items when the list was last extended.
    @ObservationIgnored private var hasListedAll = false
    // A task that was replaced is cancelled before its next step on the main actor, and changes nothing then.
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let refreshing = OwnedTask()
    @ObservationIgnored private let extending = OwnedTask()

    /// - Parameters:
    ///   - clock: The clock, by which an observation that failed begins again.
    ///   - closed: The failure of a list whose observation has ended.
    ///   - failure: Makes the failure of an error.
    ///   - sync: Syncs with the server.
    ///   - hasSynced: Returns whether the device has ever synced. It is asked after a sync that failed.
    package init(
        clock: any WallClock,
        closed: Failure,
        failure: @escaping @MainActor (any Error) -> Failure,
        sync: @escaping @MainActor () async throws -> Void,
        hasSynced: @escaping @MainActor () async -> Bool
    ) {
        (self.clock, self.closed, self.failure, self.sync, self.hasSynced) = (clock, closed, failure, sync, hasSynced)
    }

    /// Begins to observe.
    ///
    /// - Parameters:
    ///   - observe: Calls ``follow(_:page:)`` with the snapshots of all ``pages``.
    ///   - didRefresh: Is called after each refresh.
    ///   - didFail: Is called when the observation has failed, and the items are gone.
    package func start(
        observe: @escaping @MainActor () -> Void,
        didRefresh: @escaping @MainActor () -> Void = {},
        didFail: @escaping @MainActor () -> Void = {}
    ) {
        (self.observe, self.didRefresh, self.didFail) = (observe, didRefresh, didFail)
        observe()
    }

    // MARK: - Observation

    /// Observes again, from the first page. The shown items stay until the first snapshot.
    package func restart() {
        (pages, isLoadingMore, hasListedAll) = (1, false, false)
        observe()
    }

    /// Shows snapshots in place of those before.
    ///
    /// - Parameters:
    ///   - snapshots: The snapshots, from the first one for each iterator. When they end, the list is closed. After an
    ///     error they are iterated again.
    ///   - page: Returns the page of a snapshot; nil if the model was released.
    package func follow<Snapshots: AsyncSequence & Sendable>(
        _ snapshots: Snapshots,
        page: @escaping @MainActor (Snapshots.Element) -> Page?
    ) where Snapshots.Element: Sendable {
        // An extension of the observation before would end without a word to this one.
        extending.cancel()
        observation.start { [weak self, clock, closed, failure] in
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self, let page = page(snapshot) else { return false }
                show(page)
                return true
            } failed: { [weak self] error in
                self?.fail(failure(error))
            } ended: {
                self?.fail(closed)
            }
        }
    }

    private func show(_ page: Page) {
        setItems(page.items)
        isKnownToHaveMore = page.hasMore
        let hasMore = page.hasMore || page.mayHaveMore && !hasListedAll
        if self.hasMore != hasMore { self.hasMore = hasMore }
        // Until the first sync has ended, an empty list only means that no items are known yet.
        if page.hasSynced || !page.items.isEmpty, state != .loaded { state = .loaded }
        if isLoadingMore { extend(page) }
    }

    private func setItems(_ items: [Item]) {
        let changes = ListChanges(from: self.items, to: items, id: \.id, isChanged: !=)
        if !changes.isEmpty { (self.items, self.changes) = (items, changes) }
    }

    private func fail(_ reason: Failure) {
        extending.cancel()
        setItems([])
        (hasMore, isLoadingMore) = (false, false)
        if state != .failed(reason) { state = .failed(reason) }
        didFail()
    }

    // MARK: - Extension

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    package func loadMore() {
        guard hasMore, !isLoadingMore else { return }
        isLoadingMore = true
        pages += 1
        observe()
    }

    /// Ends the extension, after the missing items were fetched.
    private func extend(_ page: Page) {
        guard let fetch = page.fetch else {
            isLoadingMore = false
            return
        }
        guard !extending.isActive else { return }
        extending.start { [weak self, failure] in
            var (reason, listsAll): (Failure?, Bool) = (nil, false)
            do {
                listsAll = try await fetch()
            } catch {
                reason = failure(error)
            }
            guard !Task.isCancelled, let self else { return }
            extending.end()
            (isLoadingMore, error, hasListedAll) = (false, reason, listsAll)
            if listsAll { hasMore = isKnownToHaveMore }
        }
    }

    // MARK: - Refresh

    /// Syncs, and returns when the server has answered or failed. A list that failed begins again.
    package func refresh() async {
        if state != .loading, state != .loaded {
            state = .loading
            restart()
        }
        beginRefresh()
        await refreshing.task?.value
    }

    /// Begins a refresh, in place of the one that is under way: the server may have answered that one already.
    package func beginRefresh() {
        isRefreshing = true
        refreshing.start { [weak self, failure, sync, hasSynced] in
            var (reason, isUnknown): (Failure?, Bool) = (nil, false)
            do {
                try await sync()
            } catch {
                reason = failure(error)
                isUnknown = await !hasSynced()
            }
            guard !Task.isCancelled, let self else { return }
            refreshing.end()
            (isRefreshing, error) = (false, reason)
            if let reason, isUnknown, items.isEmpty, state == .loading { state = .failed(reason) }
            didRefresh()
        }
    }
}
