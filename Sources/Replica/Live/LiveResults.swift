public import Foundation
public import Observation

/// A live list of the records that match a predicate, for a screen.
///
/// A delegate receives each change, for UIKit. ``items`` can be observed, for SwiftUI. The predicate, the sort
/// descriptors and the range can change at any time, several changes at once cause one refresh,
/// and a record that no longer matches is removed.
///
/// They stop when they are released. When the store is closed, such as by a sign-out, ``items`` becomes empty.
@MainActor
@Observable
public final class LiveResults<Record: Sendable & Equatable> {
    /// The source of the items.
    public enum CachePolicy: Hashable, Sendable {
        /// The store on this device alone.
        case cacheOnly
        /// The store on this device at once, followed by the server: initially, and after each change of the predicate
        /// or the sort descriptors.
        case cacheThenNetwork
    }

    /// The records, in order.
    public private(set) var items: [Record] = []
    /// Whether a request to the server is in progress.
    public private(set) var isRefreshing = false
    /// Whether this device has synced since its store was created or cleared. Until then, an empty list means that the
    /// records aren't known yet, and a screen should show that it is loading. The property is set before the delegate
    /// receives the items.
    public private(set) var hasSynced = false
    /// The condition that the records meet; nil for all records.
    public var predicate: Predicate<Record>? { didSet { restart() } }
    /// The order of the records; empty for the type's default order.
    public var sortDescriptors: [SortDescriptor<Record>] { didSet { if sortDescriptors != oldValue { restart() } } }
    /// The range of the matching records to show, the first 200 by default. Negative bounds count as 0.
    ///
    /// Extend the range as the person scrolls. The shown items stay, and the delegate receives the changes. Changing
    /// the range isn't a refresh: only records of the list that aren't on this device are fetched from the server.
    public var range: Range<Int> { didSet { if range != oldValue { readAgain() } } }
    /// The source of the items.
    public let cachePolicy: CachePolicy
    /// The receiver of changes. It is held weakly.
    @ObservationIgnored public weak var delegate: (any LiveResultsDelegate<Record>)?

    @ObservationIgnored private let source: LiveResultsSource<Record>
    // Isolated to the main actor, like all other properties. Replaced when the query changes.
    @ObservationIgnored private var watching: Task<Void, Never>?
    @ObservationIgnored private var isReconfiguring = false
    @ObservationIgnored private var next = Relation.unrelated
    /// Whether to request changes from the server after the next snapshot.
    @ObservationIgnored private var refreshesAfterSnapshot = false
    @ObservationIgnored private var refreshes = 0
    /// Whether reading ended with an error. Then a refresh reads again.
    @ObservationIgnored private var hasFailed = false

    /// The relation of the next snapshot to the items.
    private enum Relation {
        /// The snapshot has other items.
        case unrelated
        /// The snapshot is of the same list, read again. The difference has to be computed.
        case overlapping
        /// The snapshot follows the items, and its changes are relative to them.
        case following
    }

    package init(
        _ source: LiveResultsSource<Record>,
        predicate: Predicate<Record>?,
        sortDescriptors: [SortDescriptor<Record>],
        range: Range<Int>,
        cachePolicy: CachePolicy
    ) {
        self.source = source
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.range = range
        self.cachePolicy = cachePolicy
        restart()
    }

    deinit {
        watching?.cancel()
    }

    // MARK: - The server

    /// Fetches changes from the server. The items are updated automatically.
    ///
    /// The delegate receives `resultsDidRefresh` or `didFailWith`. Calls during a refresh share one
    /// request.
    public func refresh() async {
        if hasFailed { readAgain() }
        refreshesAfterSnapshot = false
        beginRefresh()
        endRefresh(await source.refreshed())
    }

    /// Refreshes without retaining the results.
    private func refreshInBackground() {
        beginRefresh()
        Task { [weak self, source] in
            let result = await source.refreshed()
            self?.endRefresh(result)
        }
    }

    private func beginRefresh() {
        refreshes += 1
        isRefreshing = true
    }

    private func endRefresh(_ result: Result<Void, any Error>) {
        refreshes -= 1
        isRefreshing = refreshes > 0
        switch result {
        case .success: delegate?.resultsDidRefresh(self)
        case .failure(is CancellationError): break
        case .failure(let error): delegate?.results(self, didFailWith: error)
        }
    }

    // MARK: - The items

    private func restart() {
        next = .unrelated
        refreshesAfterSnapshot = cachePolicy == .cacheThenNetwork
        reconfigure()
    }

    private func readAgain() {
        if next == .following { next = .overlapping }
        reconfigure()
    }

    /// Reads the current query, once for all changes in the same main actor job.
    private func reconfigure() {
        guard !isReconfiguring else { return }
        isReconfiguring = true
        hasFailed = false
        watching?.cancel()
        watching = Task { [weak self, source] in
            guard let query = self?.query() else { return }
            let repeated = RepeatedObservation(source.clock)
            while true {
                do {
                    try await source.follow(query) { [weak self] snapshot in
                        guard let self, !Task.isCancelled else { return false }
                        repeated.succeeded()
                        show(snapshot)
                        return true
                    }
                    self?.end()
                    return
                } catch {
                    self?.fail(error)
                    guard await repeated.waits(after: error) else { return }
                }
            }
        }
    }

    private func query() -> Query<Record> {
        isReconfiguring = false
        let (lower, upper) = (max(0, range.lowerBound), max(0, range.upperBound))
        return Query(where: predicate, sort: sortDescriptors, limit: upper - lower, offset: lower)
    }

    private func show(_ snapshot: LiveResultsSource<Record>.Snapshot) {
        let changes =
            switch next {
            case .unrelated: nil as ListChanges?
            case .overlapping: ListChanges(from: items, to: snapshot.records, id: source.id, isChanged: !=)
            case .following: snapshot.changes
            }
        (next, hasFailed) = (.following, false)
        if hasSynced != snapshot.hasSynced { hasSynced = snapshot.hasSynced }
        items = snapshot.records
        if let changes {
            if !changes.isEmpty { delegate?.results(self, didChange: changes) }
        } else {
            delegate?.resultsDidReload(self)
        }
        // The stored items are shown before the server is contacted.
        if refreshesAfterSnapshot {
            refreshesAfterSnapshot = false
            refreshInBackground()
        }
    }

    /// Empties the list after the store was closed: its items are no longer visible.
    private func end() {
        guard !Task.isCancelled else { return }
        (next, refreshesAfterSnapshot) = (.unrelated, false)
        items = []
        delegate?.resultsDidReload(self)
    }

    private func fail(_ error: any Error) {
        guard !Task.isCancelled, !(error is CancellationError) else { return }
        hasFailed = true
        // The next snapshot's changes are those of an empty list.
        if next == .following { next = .overlapping }
        delegate?.results(self, didFailWith: error)
    }
}

extension LiveResultsSource {
    fileprivate func refreshed() async -> Result<Void, any Error> {
        do { return .success(try await refresh()) } catch { return .failure(error) }
    }
}
