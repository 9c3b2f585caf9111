/// The insets from four edges, in points. Leading is left in left-to-right languages and right in right-to-left ones.
public struct CardInsets: Hashable, Sendable {
    /// The inset from the edge with this name.
    public var top, leading, bottom, trailing: Double

    /// Creates insets.
    public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// Creates equal insets from all edges.
    public init(_ all: Double) {
        self.init(top: all, leading: all, bottom: all, trailing: all)
    }
}
