public import HTMLParsing

/// A message that was cleaned: markup that runs nothing and has nothing outside the cleaner's allowlists.
///
/// A parser reads ``markup`` back as the very tree that it was written from, within a body or a `div`, in quirks mode
/// or not. Cleaning it again with the same options changes nothing, unless the markup is beyond their limits.
public struct CleanHTML: Sendable {
    /// The markup, to stand in an element that may have blocks in it, such as `body`, `div` or `td`.
    public let markup: String
    /// The links in document order.
    public let links: [HTMLLink]
    /// The pictures in document order, those that were removed too.
    public let pictures: [HTMLPicture]
    /// The origins that the markup's pictures load from, such as `https://example.com`, and `data:` for pictures that
    /// are in it. Pictures with a relative address have none.
    public var pictureOrigins: Set<String> { Set(orderedPictureOrigins) }
    /// The number of tracking pixels that were removed.
    public let trackingPixelCount: Int
    /// The number of links and pictures whose addresses aren't allowed. They have none in the markup.
    public let rejectedAddressCount: Int
    /// The number of style sheets elsewhere that the message asks for (`@import`, `<link rel=stylesheet>`). None is
    /// loaded. Without an ``HTMLCleaner/Options/medium`` style sheets aren't read, and their imports aren't counted.
    public let importedStyleSheetCount: Int
    /// The number of close buttons that the message had (`data-actiontype="close"`).
    public let closeButtonCount: Int
    /// Whether the message sets a color of text or of a background. A message that doesn't can follow the reader's
    /// color scheme. One that does needs a background of its own.
    public let setsColors: Bool
    /// The background color of the body, or nil if the message sets none or a transparent one. A browser shows it
    /// around the message too; a view can use it as its own background.
    public let backgroundColor: HTMLColor?
    /// Whether the message declares that it is made for dark views too (`<meta name="color-scheme">`). Another one that
    /// sets colors needs a light view.
    public let supportsDark: Bool
    /// The limits that reading and cleaning the message reached. It is empty if the message is complete.
    public let reachedLimits: HTMLLimits.ReachedLimits
    /// Whether the whole text of the message is included. If not, the message was longer than the limits and its end is
    /// missing, which a screen should show.
    public var isComplete: Bool { reachedLimits.isDisjoint(with: [.bytes, .nodes]) }

    /// The members of ``pictureOrigins`` in the order in which the message has them.
    let orderedPictureOrigins: [String]
    let tree: CleanTree
}
