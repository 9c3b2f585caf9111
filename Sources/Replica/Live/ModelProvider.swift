public import Foundation
public import Observation

/// A list for screens: the records of a predicate in an order, kept up to date, with a delegate that hears of each
/// change.
///
/// For UIKit there is the delegate, for SwiftUI ``items`` can be observed. After InboxKit's model provider: the
/// predicate, the sort descriptors and the range can change while it runs, what changes together is one refresh, and a
/// record that stops matching leaves by itself. Ends when nobody holds it; where the store is closed, such as when the
/// person signs out, there are no items any more.
@MainActor
@Observable
public final class ModelProvider<Record: Sendable & Equatable> {
    /// Where the items may come from.
    public enum CachePolicy: Hashable, Sendable {
        /// From this device alone.
        case cacheOnly
        /// From this device at once, then the server is asked what is new: when the provider begins, and after each
        /// change of the predicate or the sort descriptors.
        case cacheThenNetwork
    }

    /// The records, in order.
    public private(set) var items: [Record] = []
    /// Whether the server is being asked.
    public private(set) var isRefreshing = false
    /// Whether this device has synced since its store was made or cleared. While it hasn't, no items mean that nothing
    /// is known yet: a screen shows that it loads, not that there is nothing. Set before the delegate hears of the
    /// items.
    public private(set) var hasSynced = false
    /// Which records; nil for all.
    public var predicate: Predicate<Record>? { didSet { beginAnew() } }
    /// In which order; empty for the record's own.
    public var sortDescriptors: [SortDescriptor<Record>] { didSet { if sortDescriptors != oldValue { beginAnew() } } }
    /// Which of them, the first 200 by default. Negative bounds count as 0.
    ///
    /// Grows as one scrolls: the items that are shown stay, and the delegate hears what came and went. Not a refresh:
    /// the server is asked only for what belongs to the list and isn't on this device.
    public var range: Range<Int> { didSet { if range != oldValue { goOn() } } }
    /// Where the items may come from.
    public let cachePolicy: CachePolicy
    /// Who hears of changes. Held weakly.
    @ObservationIgnored public weak var delegate: (any ModelProviderDelegate<Record>)?

    @ObservationIgnored private let source: ModelSource<Record>
    // Of the main actor, as all else here. Replaced as a whole when what is asked for changes.
    @ObservationIgnored private var watching: Task<Void, Never>?
    @ObservationIgnored private var isReconfiguring = false
    @ObservationIgnored private var next = Relation.unrelated
    /// Whether the server is to be asked after the next snapshot.
    @ObservationIgnored private var asksServer = false
    @ObservationIgnored private var refreshes = 0
    /// Whether reading ended with an error: a refresh reads again.
    @ObservationIgnored private var hasFailed = false

    /// What the next snapshot is to the items.
    private enum Relation {
        /// Other items.
        case unrelated
        /// The same list read again: what is different has to be looked for.
        case overlapping
        /// The one after them, whose changes are from them.
        case following
    }

    package init(
        _ source: ModelSource<Record>,
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
        beginAnew()
    }

    deinit {
        watching?.cancel()
    }

    // MARK: - The server

    /// Asks the server what is new; the items follow by themselves.
    ///
    /// The delegate hears `providerDataFetchCompleted`, or `dataFetchFailed`. Calls that come meanwhile share one
    /// exchange.
    public func refresh() async {
        if hasFailed { goOn() }
        asksServer = false
        beginRefresh()
        endRefresh(await source.refreshed())
    }

    /// The same, for as long as anybody holds the provider.
    private func refreshByItself() {
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
        case .success: delegate?.providerDataFetchCompleted(self)
        case .failure(is CancellationError): break
        case .failure(let error): delegate?.provider(self, dataFetchFailed: error)
        }
    }

    // MARK: - The items

    private func beginAnew() {
        next = .unrelated
        asksServer = cachePolicy == .cacheThenNetwork
        reconfigure()
    }

    private func goOn() {
        if next == .following { next = .overlapping }
        reconfigure()
    }

    /// Reads what is asked for now, once for all that changes in one go.
    private func reconfigure() {
        guard !isReconfiguring else { return }
        isReconfiguring = true
        hasFailed = false
        watching?.cancel()
        watching = Task { [weak self, source] in
            guard let query = self?.query() else { return }
            do {
                try await source.follow(query) { [weak self] snapshot in
                    guard let self, !Task.isCancelled else { return false }
                    show(snapshot)
                    return true
                }
                self?.end()
            } catch {
                self?.fail(error)
            }
        }
    }

    private func query() -> Query<Record> {
        isReconfiguring = false
        let (lower, upper) = (max(0, range.lowerBound), max(0, range.upperBound))
        return Query(where: predicate, sort: sortDescriptors, limit: upper - lower, offset: lower)
    }

    private func show(_ snapshot: ModelSource<Record>.Snapshot) {
        let changes =
            switch next {
            case .unrelated: nil as ListChanges?
            case .overlapping: ListChanges(from: items, to: snapshot.records, id: source.id, isChanged: !=)
            case .following: snapshot.changes
            }
        next = .following
        if hasSynced != snapshot.hasSynced { hasSynced = snapshot.hasSynced }
        items = snapshot.records
        if let changes {
            if !changes.isEmpty { delegate?.provider(self, dataAltered: changes) }
        } else {
            delegate?.providerDataChanged(self)
        }
        // What is stored is shown first.
        if asksServer {
            asksServer = false
            refreshByItself()
        }
    }

    /// The store was closed: what was stored is no longer to be seen.
    private func end() {
        guard !Task.isCancelled else { return }
        (next, asksServer) = (.unrelated, false)
        items = []
        delegate?.providerDataChanged(self)
    }

    private func fail(_ error: any Error) {
        guard !Task.isCancelled, !(error is CancellationError) else { return }
        hasFailed = true
        delegate?.provider(self, dataFetchFailed: error)
    }
}

extension ModelSource {
    fileprivate func refreshed() async -> Result<Void, any Error> {
        do { return .success(try await refresh()) } catch { return .failure(error) }
    }
}
