import Groundwork
import HTMLCleaning

/// The actions of a message's HTML. They are read when they are first needed, and once.
final class HTMLItemActions: Hashable, Sendable {
    let html: String

    // Guarded by the lock: the actions, once they were read. Two threads may both read them, with the same result.
    private let known = Locked<[MessageItemAction]?>(nil)

    init(_ html: String) { self.html = html }

    /// The actions, in Bloomreach's order.
    var actions: [MessageItemAction] {
        if let actions = known.withLock({ $0 }) { return actions }
        let cleaner = HTMLCleaner(HTMLCleaner.Options(linkSchemes: nil, readsActions: true))
        let actions = HTMLActions(cleaner.clean(html)).actions.map { MessageItemAction($0) }
        known.withLock { $0 = actions }
        return actions
    }

    static func == (one: HTMLItemActions, two: HTMLItemActions) -> Bool { one.html == two.html }

    func hash(into hasher: inout Hasher) { hasher.combine(html) }
}
