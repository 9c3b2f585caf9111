/// The number of unread messages in an inbox.
package struct UnreadCount: Hashable, Sendable {
    /// The number, or a lower bound.
    package var count: Int
    /// Whether the number is exact. A page doesn't count all messages of a large inbox.
    package var isExact: Bool

    package init(_ count: Int, isExact: Bool = true) {
        self.count = count
        self.isExact = isExact
    }

    /// The number as text: `12`, or `12+` for a lower bound.
    var text: String { isExact ? String(count) : "\(count)+" }
}
