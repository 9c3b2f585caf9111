public import Foundation
public import Observation

/// A list for screens: the records of a predicate in an order, kept up to date, with a delegate that hears of each change.
///
/// For UIKit there is the delegate, for SwiftUI ``items`` can be observed. After InboxKit's model provider: the predicate, the sort
/// descriptors and the range can change while it runs, what changes together is one refresh, and a record that stops matching leaves
/// by itself. Ends when nobody holds it.
@MainActor
@Observable
public final class ModelProvider<Record: Sendable & Equatable> {
    /// Where the items may come from.
    public enum CachePolicy: Hashable, Sendable {
        /// From this device alone.
        case cacheOnly
        /// From this device at once, then the server is asked what is new.
        case cacheThenNetwork
    }

    /// The records, in order.
    public private(set) var items: [Record] = []
    /// Whether the server is being asked.
    public private(set) var isRefreshing = false
    /// Which records; nil for all.
    public var predicate: Predicate<Record>? { didSet { reconfigure() } }
    /// In which order; empty for the record's own.
    public var sortDescriptors: [SortDescriptor<Record>] { didSet { reconfigure() } }
    /// Which of them, the first 200 by default; grows as one scrolls. Negative bounds count as 0.
    public var range: Range<Int> { didSet { if range != oldValue { reconfigure() } } }
    /// Where the items may come from.
    public let cachePolicy: CachePolicy
    /// Who hears of changes. Held weakly.
    @ObservationIgnored public weak var delegate: (any ModelProviderDelegate<Record>)?

    @ObservationIgnored private let source: ModelSource<Record>
    // Of the main actor, as all else here. Replaced as a whole when what is asked for changes; the number tells which one it is.
    @ObservationIgnored private var watching: Task<Void, Never>?
    @ObservationIgnored private var isReconfiguring = false
    @ObservationIgnored private var refreshes = 0
    /// Whether reading ended with an error: a refresh begins anew.
    @ObservationIgnored private var hasFailed = false

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
        reconfigure()
    }

    deinit {
        watching?.cancel()
    }

    /// Asks the server what is new; the items follow by themselves.
    ///
    /// The delegate hears `providerDataFetchCompleted`, or `dataFetchFailed`. Calls that come meanwhile share one exchange.
    public func refresh() async {
        if hasFailed { reconfigure() }
        refreshes += 1
        isRefreshing = true
        defer {
            refreshes -= 1
            isRefreshing = refreshes > 0
        }
        do {
            try await source.refresh()
            delegate?.providerDataFetchCompleted(self)
        } catch is CancellationError {
            return
        } catch {
            delegate?.provider(self, dataFetchFailed: error)
        }
    }

    /// Begins anew with what is asked for now, once for all that changes in one go.
    private func reconfigure() {
        guard !isReconfiguring else { return }
        isReconfiguring = true
        hasFailed = false
        watching?.cancel()
        watching = Task { [weak self] in
            guard let snapshots = self?.begin() else { return }
            await Self.watch(snapshots) { self }
        }
    }

    private func begin() -> ModelSource<Record>.Snapshots {
        isReconfiguring = false
        let (lower, upper) = (max(0, range.lowerBound), max(0, range.upperBound))
        let query = Query(where: predicate, sort: sortDescriptors, limit: upper - lower, offset: lower)
        return source.snapshots(query)
    }

    private static func watch(
        _ snapshots: ModelSource<Record>.Snapshots,
        for provider: @MainActor () -> ModelProvider?
    ) async {
        var isFirst = true
        do {
            for try await snapshot in snapshots {
                guard let provider = provider(), !Task.isCancelled else { return }
                provider.items = snapshot.records
                if isFirst {
                    provider.delegate?.providerDataChanged(provider)
                    // What is stored is shown first, then the server is asked.
                    if provider.cachePolicy == .cacheThenNetwork { Task { await provider.refresh() } }
                } else {
                    provider.delegate?.provider(provider, dataAltered: snapshot.changes)
                }
                isFirst = false
            }
        } catch is CancellationError {
            return
        } catch {
            guard let provider = provider(), !Task.isCancelled else { return }
            provider.hasFailed = true
            provider.delegate?.provider(provider, dataFetchFailed: error)
        }
    }
}

/// Hears of a model provider's changes; each call has an empty default.
@MainActor
public protocol ModelProviderDelegate<Record>: AnyObject {
    /// The records of the provider.
    associatedtype Record: Sendable & Equatable

    /// The items are different ones: show them all anew.
    func providerDataChanged(_ provider: ModelProvider<Record>)
    /// Some items came, went, moved or changed.
    func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges)
    /// The server couldn't be asked, or the query can't be read. The items stay as they are.
    func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error)
    /// The server was asked, and its news are stored.
    func providerDataFetchCompleted(_ provider: ModelProvider<Record>)
}

extension ModelProviderDelegate {
    /// Does nothing.
    public func providerDataChanged(_ provider: ModelProvider<Record>) {}
    /// Does nothing.
    public func provider(_ provider: ModelProvider<Record>, dataAltered changes: ListChanges) {}
    /// Does nothing.
    public func provider(_ provider: ModelProvider<Record>, dataFetchFailed error: any Error) {}
    /// Does nothing.
    public func providerDataFetchCompleted(_ provider: ModelProvider<Record>) {}
}

/// What a model provider reads from.
package struct ModelSource<Record: Sendable & Equatable>: Sendable {
    package typealias Snapshots = AsyncThrowingStream<Snapshot, any Error>

    package struct Snapshot: Sendable {
        let records: [Record]
        let changes: ListChanges

        package init(records: [Record], changes: ListChanges) {
            self.records = records
            self.changes = changes
        }
    }

    let snapshots: @Sendable (Query<Record>) -> Snapshots
    let refresh: @Sendable () async throws -> Void

    package init(
        snapshots: @escaping @Sendable (Query<Record>) -> Snapshots,
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.snapshots = snapshots
        self.refresh = refresh
    }
}
