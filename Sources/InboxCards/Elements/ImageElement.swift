public import InboxModel

/// A picture on a card.
public struct ImageElement: Hashable, Sendable {
    /// Which picture, with its variant for a dark screen; that falls back to the light one.
    public var media: Media
    /// What it shows. Without it, the picture is decoration, which those who listen aren't told of.
    public var alt: String?
    /// How it fills its place.
    public var contentMode: ContentMode
    /// Its width in points; nil for as wide as there is room.
    public var width: Double?
    /// How high it may be, in points; nil for as high as it is.
    public var maxHeight: Double?
    /// How round its corners are, in points.
    public var cornerRadius: Double
    /// The colour of a symbol of the system.
    public var iconColor: CardColor
    /// The size of a symbol of the system.
    public var iconFont: CardFont

    /// A picture, whole within its place unless it is said.
    public init(
        _ media: Media,
        contentMode: ContentMode = .fit,
        width: Double? = nil,
        maxHeight: Double? = nil,
        cornerRadius: Double = 8,
        iconColor: CardColor = .primary,
        iconFont: CardFont = CardFont(size: 24)
    ) {
        self.media = media
        alt = media.alt.flatMap { $0.isEmpty ? nil : $0 }
        self.contentMode = contentMode
        self.width = width
        self.maxHeight = maxHeight
        self.cornerRadius = cornerRadius
        self.iconColor = iconColor
        self.iconFont = iconFont
    }

    /// How a picture fills its place.
    public enum ContentMode: Hashable, Sendable {
        /// All of it is seen.
        case fit
        /// All of the place is covered.
        case fill
    }
}
