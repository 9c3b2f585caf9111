public import InboxModel
import Groundwork

/// An image on a card.
public struct ImageElement: Hashable, Sendable {
    /// The image, with its variant for dark mode. Without a variant, the image itself is used.
    public var media: Media
    /// The accessibility label. An image without one is decorative and hidden from assistive technologies.
    public var alt: String?
    /// The way in which the image fills its frame.
    public var contentMode: ContentMode
    /// The width in points, or nil for the available width.
    public var width: Double?
    /// The maximum height in points, or nil for the image's own height.
    public var maxHeight: Double?
    /// The corner radius in points.
    public var cornerRadius: Double
    /// The color of a system symbol.
    public var iconColor: CardColor
    /// The font of a system symbol.
    public var iconFont: CardFont

    /// Creates an image, which fits its frame by default.
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
        alt = media.alt.flatMap { $0.hasVisibleCharacters ? $0 : nil }
        self.contentMode = contentMode
        self.width = width
        self.maxHeight = maxHeight
        self.cornerRadius = cornerRadius
        self.iconColor = iconColor
        self.iconFont = iconFont
    }

    /// Returns the address of a picture on the web: of its variant for dark mode if it has one. Nil for an image in the
    /// app or a symbol.
    package func address(isDark: Bool) -> String? {
        guard let address = media.address else { return nil }
        return isDark ? media.darkURL ?? address : address
    }

    /// Returns the aspect ratio (width divided by height) of the space that is reserved until the image is loaded: the
    /// message's, else the known one of the picture, else 1 for an image with a width and 16:9 for a wide one.
    ///
    /// - Parameter known: The picture's width divided by its height; nil if it isn't known, or isn't to be adopted.
    package func reservedRatio(of known: Double?) -> Double {
        media.aspectRatio ?? known ?? (width == nil ? 16.0 / 9 : 1)
    }

    /// The way in which an image fills its frame.
    public enum ContentMode: Hashable, Sendable {
        /// The whole image is visible.
        case fit
        /// The image covers the whole frame.
        case fill
    }
}
