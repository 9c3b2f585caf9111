/// How many messages of an inbox weren't read.
package struct UnreadCount: Hashable, Sendable {
    /// So many, or at least so many.
    package var count: Int
    /// Whether that is all: a page doesn't count its way through an inbox of any size.
    package var isExact: Bool

    package init(_ count: Int, isExact: Bool = true) {
        self.count = count
        self.isExact = isExact
    }

    /// `12`, or `12+`.
    var text: String { isExact ? String(count) : "\(count)+" }
}
