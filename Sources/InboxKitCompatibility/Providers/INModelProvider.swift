public import Foundation
import InboxMail

/// The source of a provider's items.
public enum INModelProviderCachePolicy: Hashable, Sendable {
    /// The store on this device only.
    case cacheOnly
    /// The store on this device at once, then the server.
    case cacheThenNetwork
}

/// A list of models for a user interface, which is kept up to date, with a delegate that receives each change.
///
/// The base class of all providers; ``INRecordProvider`` adds the predicate and the order. A provider starts
/// automatically after the code that created it has configured it, and ends when it is released.
@MainActor
public class INModelProvider {
    /// The account of the models.
    public let namespace: INNamespace
    /// The account's id.
    public var namespaceID: String { namespace.ID }
    /// The models, in order. They can change at any time, and are empty at first.
    public internal(set) var items: [INModelObject] = []
    /// The range of the models to show, the first 200 by default. When the range grows, the shown items stay, and the
    /// server isn't asked.
    public var itemRange = NSRange(location: 0, length: 200) { didSet { configure() } }
    /// The source of the items; by default, device and server.
    public var itemCachePolicy = INModelProviderCachePolicy.cacheThenNetwork { didSet { configure() } }
    /// The receiver of changes. It is held weakly.
    public weak var delegate: (any INModelProviderDelegate)?

    init(_ namespace: INNamespace) {
        self.namespace = namespace
    }

    /// Fetches changes from the server, whatever the cache policy. The delegate receives the outcome.
    public func refresh() {}

    /// Whether a request to the server is under way.
    public func isRefreshing() -> Bool { false }

    /// Extends the range, such as while the person scrolls.
    public func extendItemRange(_ count: Int) { itemRange.length = itemRange.length.addingSaturated(count) }

    /// Applies a changed configuration.
    func configure() {}

    /// The valid part of ``itemRange``.
    var range: Range<Int> {
        let start = max(0, itemRange.location)
        return start..<start.addingSaturated(max(0, itemRange.length))
    }
}

extension Int {
    fileprivate func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
