/// A picture of a message that would be loaded from somewhere.
public struct HTMLPicture: Hashable, Sendable {
    /// The place in ``CleanHTML/pictures``.
    public let index: Int
    /// The address in the cleaner's spelling. Its scheme is `http`, `https` or `cid` (RFC 2392).
    public let url: String
    /// The picture's purpose.
    public let use: Use
    /// The text that stands for the picture. It is empty if there is none.
    public let alternative: String
    /// The width in pixels that the message sets, or nil.
    public let width: Int?
    /// The height in pixels that the message sets, or nil.
    public let height: Int?
    /// Whether the picture or an element that it is in is hidden.
    public let isHidden: Bool

    /// Whether the picture can't be seen, so that loading it only reports that the message was opened: it is hidden, or
    /// its width or height is at most one pixel.
    public var isTrackingPixel: Bool {
        use == .image && (isHidden || width.map { $0 <= 1 } ?? false || height.map { $0 <= 1 } ?? false)
    }

    /// The purpose of a picture.
    public enum Use: Hashable, Sendable {
        /// The element `img`.
        case image
        /// The background of an element.
        case background
    }

    /// The decision about a picture in the markup.
    public enum Decision: Hashable, Sendable {
        /// The picture by its own address.
        case keep
        /// The picture by another address: one of the page, or a `data:` URL of a picture in base64 (PNG, JPEG, GIF,
        /// WebP, AVIF or BMP). Another `data:` URL and an address that runs code become a placeholder.
        case replace(String)
        /// The picture's text, in an image without an address. A background has none.
        case placeholder
        /// Nothing.
        case remove
    }
}
