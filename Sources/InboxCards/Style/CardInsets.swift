/// Distances from the four edges, in points. Leading is where reading begins: left in English, right in Arabic.
public struct CardInsets: Hashable, Sendable {
    /// The distance from that edge.
    public var top, leading, bottom, trailing: Double

    /// Four distances.
    public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// The same distance from all edges.
    public init(_ all: Double) {
        self.init(top: all, leading: all, bottom: all, trailing: all)
    }

    /// Around the cards of an inbox: 12 above and below, 16 at the sides, as in Adobe's `contentPadding`.
    public static let content = CardInsets(top: 12, leading: 16, bottom: 12, trailing: 16)
}

/// Where something is across the direction of a stack, or a text within its lines.
public enum CardAlignment: Hashable, Sendable, CaseIterable {
    /// Where reading begins, in the middle, or where it ends; in a row: above, in the middle, below.
    case leading, center, trailing
}
