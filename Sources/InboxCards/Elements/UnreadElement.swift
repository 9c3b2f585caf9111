public import InboxModel

/// The unread indicator of a card.
public struct UnreadElement: Hashable, Sendable {
    /// The image that replaces the dot, or nil for the dot.
    public var image: ImageElement?
    /// The color of the dot.
    public var color: CardColor
    /// The width and height in points.
    public var size: Double
    /// The corner. An unknown placement is top trailing.
    public var placement: Corner
    /// The accessibility label.
    public var label: String

    /// Creates an indicator.
    public init(_ image: ImageElement? = nil, size: Double = 16, placement: Corner, label: String) {
        self.image = image
        color = .accent
        self.size = size
        self.placement = placement
        self.label = label
    }

    /// A corner of a card, relative to the reading direction.
    public enum Corner: Hashable, Sendable, CaseIterable {
        /// The corner with this name.
        case topLeading, topTrailing, bottomLeading, bottomTrailing

        /// Creates the corner of a backend's placement, whose left is leading.
        public init(_ placement: UnreadIndicator.Placement) {
            self =
                switch placement {
                case .topLeft: .topLeading
                case .topRight, .other: .topTrailing
                case .bottomLeft: .bottomLeading
                case .bottomRight: .bottomTrailing
                }
        }
    }
}
