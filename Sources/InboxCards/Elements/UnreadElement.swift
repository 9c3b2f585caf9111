public import InboxModel

/// The mark on a card that wasn't read.
public struct UnreadElement: Hashable, Sendable {
    /// A picture in place of the dot; nil for the dot.
    public var image: ImageElement?
    /// The colour of the dot.
    public var color: CardColor
    /// Its width and height, in points.
    public var size: Double
    /// In which corner; one that isn't known is top trailing.
    public var placement: Corner
    /// What it says, for those who listen.
    public var label: String

    /// A mark.
    public init(_ image: ImageElement? = nil, size: Double = 16, placement: Corner, label: String) {
        self.image = image
        color = .accent
        self.size = size
        self.placement = placement
        self.label = label
    }

    /// A corner of a card, by the direction of reading.
    public enum Corner: Hashable, Sendable, CaseIterable {
        /// Above or below, where reading begins or ends.
        case topLeading, topTrailing, bottomLeading, bottomTrailing

        /// The corner that a backend means: its left is where reading begins.
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
