public import Foundation
import InboxMail

/// Where a provider's items may come from.
public enum INModelProviderCachePolicy: Hashable, Sendable {
    /// From this device alone.
    case cacheOnly
    /// From this device at once, then the server is asked what is new.
    case cacheThenNetwork
}

/// A list of models for a user interface, which is kept up to date, with a delegate that receives each change.
///
/// The base class of all providers; ``INRecordProvider`` adds the predicate and the order. It starts automatically,
/// after the code that created it has configured it, and ends when it is released.
@MainActor
public class INModelProvider {
    /// The account whose models these are.
    public let namespace: INNamespace
    /// The account's id.
    public var namespaceID: String { namespace.ID }
    /// The models, in order. They may change at any time, and there are none at first.
    public internal(set) var items: [INModelObject] = []
    /// Which of them, by their order: the first 200 at first. One that grows leaves the items that are shown, and
    /// doesn't ask the server.
    public var itemRange = NSRange(location: 0, length: 200) { didSet { configure() } }
    /// Where they may come from; device and server at first.
    public var itemCachePolicy = INModelProviderCachePolicy.cacheThenNetwork { didSet { configure() } }
    /// Who hears of changes. Held weakly.
    public weak var delegate: (any INModelProviderDelegate)?

    init(_ namespace: INNamespace) {
        self.namespace = namespace
    }

    /// Asks the server what is new, whatever the cache policy; the delegate hears how that ended.
    public func refresh() {}

    /// Whether the server is being asked.
    public func isRefreshing() -> Bool { false }

    /// Shows more of the list, as one scrolls.
    public func extendItemRange(_ count: Int) { itemRange.length = itemRange.length.addingSaturated(count) }

    /// Takes over what was set.
    func configure() {}

    /// ``itemRange``, as far as there are such numbers.
    var range: Range<Int> {
        let start = max(0, itemRange.location)
        return start..<start.addingSaturated(max(0, itemRange.length))
    }
}

extension Int {
    fileprivate func addingSaturated(_ other: Int) -> Int {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
