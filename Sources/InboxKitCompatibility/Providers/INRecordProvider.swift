public import Foundation
import InboxMail

/// A model of an `InboxMail` value, over which predicates and sort descriptors are written.
@MainActor
public protocol INRecordObject: INModelObject {
    /// The type of the value.
    associatedtype Record: Hashable & Sendable & Identifiable where Record.ID == String
}

/// A list of threads.
public typealias INThreadProvider = INRecordProvider<INThread>
/// A list of mails.
public typealias INMessageProvider = INRecordProvider<INMessage>
/// A list of drafts.
public typealias INDraftProvider = INRecordProvider<INDraft>
/// A list of contacts.
public typealias INContactProvider = INRecordProvider<INContact>

/// A list of models of one type, with a predicate and an order.
///
/// Several changes of the configuration at once cause one refresh: first the stored records are read, then the server
/// is asked. A model that no longer matches is removed.
public final class INRecordProvider<Object: INRecordObject>: INModelProvider {
    /// The type over which predicates and sort descriptors are written.
    public typealias Record = Object.Record

    /// The condition of the items; nil for all. An unsupported predicate is reported to the delegate as an error that
    /// names the unsupported part. ``setItemFilterPredicate(format:_:)`` sets one in the format of `NSPredicate`.
    public var itemFilterPredicate: Predicate<Record>? {
        didSet {
            records.predicate = itemFilterPredicate
            #if canImport(ObjectiveC)
                objectPredicate = nil
            #endif
        }
    }
    /// The order; if it is empty, the newest mail or the most used contact comes first.
    public var itemSortDescriptors: [SortDescriptor<Record>] = [] {
        didSet { records.sortDescriptors = itemSortDescriptors }
    }
    /// The ``INModelProvider/items``, with their type.
    public private(set) var models: [Object] = []

    #if canImport(ObjectiveC)
        /// The predicate as it was set, if it is an `NSPredicate`.
        var objectPredicate: NSPredicate?
    #endif
    private let source: ProviderSource<Object>
    let relay: ProviderRelay<Record>
    private(set) var records: LiveResults<Record>
    private var observation: NotificationObservation?
    /// The identities of the models, to check quickly whether a change affects them.
    private var shown: Set<ObjectIdentifier> = []
    /// The models that have changed since the delegate was notified.
    private var changed: Set<ObjectIdentifier> = []

    init(_ namespace: INNamespace, _ source: ProviderSource<Object>) {
        self.source = source
        let (events, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
        relay = ProviderRelay(events: continuation)
        records = source.provider(nil, [], 0..<0, .cacheOnly)
        super.init(namespace)
        begin()
        observation = NotificationObservation(.INModelObjectChanged) { [weak self] object in self?.note(object) }
        Task { [weak self] in
            for await event in events { await self?.handle(event) }
        }
    }

    deinit {
        relay.events.finish()
    }

    override public func refresh() {
        Task { [records] in await records.refresh() }
    }

    override public func isRefreshing() -> Bool { records.isRefreshing }

    override func configure() {
        if records.cachePolicy == policy { records.range = range } else { begin() }
    }

    /// The properties that predicates in InboxKit's form can use.
    var properties: RecordCondition<Record>.Properties { source.properties() }

    private var policy: LiveResults<Record>.CachePolicy {
        switch itemCachePolicy {
        case .cacheOnly: .cacheOnly
        case .cacheThenNetwork: .cacheThenNetwork
        }
    }

    /// Replaces the underlying provider. It reads after the code that is running now has ended.
    private func begin() {
        records = source.provider(itemFilterPredicate, itemSortDescriptors, range, policy)
        records.delegate = relay
    }

    // MARK: - Events, one after the other

    /// Records that an item has changed, so that the delegate is notified and its row is redrawn.
    private func note(_ object: ObjectIdentifier?) {
        guard let object, shown.contains(object) else { return }
        if changed.isEmpty { relay.events.yield(.updated) }
        changed.insert(object)
    }

    private func handle(_ event: ProviderEvent) async {
        switch event {
        // Events of a replaced provider may still arrive. They are ignored, because its successor has no items yet.
        case .changed(let provider):
            if provider == ObjectIdentifier(records) { await show(records.items, isReplaced: true) }
        case .altered(let provider): if provider == ObjectIdentifier(records) { await show(records.items) }
        case .updated: notify(from: models)
        case .failed(let error): delegate?.provider(self, dataFetchFailed: error)
        case .fetched:
            // Reads the stored records, whether or not the delegate was notified of them.
            let query = Query(
                where: itemFilterPredicate,
                sort: itemSortDescriptors,
                limit: range.count,
                offset: range.lowerBound
            )
            if let records = try? await source.fetch(query) { await show(records) }
            delegate?.providerDataFetchCompleted(self)
        }
    }

    private func show(_ records: [Record], isReplaced: Bool = false) async {
        let held = Dictionary(models.map { ($0.ID, $0) }, uniquingKeysWith: { first, _ in first })
        var objects: [Object] = []
        for record in records {
            // A record that was deleted meanwhile is missing from the next snapshot.
            guard let object = if let known = held[record.id] { known } else { try? await source.object(record.id) }
            else { continue }
            objects.append(object)
        }
        let before = models
        models = objects
        items = objects
        shown = Set(objects.map { ObjectIdentifier($0) })
        if isReplaced {
            changed = []
            delegate?.providerDataChanged(self)
        } else {
            notify(from: before)
        }
    }

    private func notify(from before: [Object]) {
        let changes = INModelProviderChangeSet(from: before, to: models, changed: changed)
        changed = []
        if !changes.changes.isEmpty { delegate?.provider(self, dataAltered: changes) }
    }
}
