public import HTMLParsing

/// Cleans HTML from outside, such as a message's or a mail's, so that it can be shown.
///
/// The message is parsed as a browser parses it, and a new tree is built out of allowlists of elements, attributes, CSS
/// declarations and URL schemes. Nothing else reaches the output:
///
/// - Elements that hold a person's text but aren't allowed are replaced by their children. Scripts, style sheets,
///   templates, SVG, MathML, frames and the like are removed with all they contain.
/// - No element of the output has raw text, and none has an `id`, a `name`, a `class` or an event handler. So links
///   within a message lead nowhere and are removed, and a form is only its text.
/// - Style sheets are removed. Before, the rules of `<style>` whose selectors have only types, classes, ids and `:link`
///   are written into the `style` attributes of the elements that they apply to, as the cascade orders them. Media
///   queries are answered for ``Options/medium``.
/// - `style` attributes and presentational attributes (`bgcolor`, `align`, `width`, …) stay where their values are
///   allowed.
/// - An address is read as a browser reads it (URL Standard), and stays if its scheme is allowed. Relative addresses
///   go, and so do web addresses with a user name, or with a percent sign in their host.
///
/// Time and memory are linear in the message's size, and nothing recurses.
///
/// ```swift
/// let message = HTMLCleaner().clean("<p onclick=alert(1)>Hello, <a href=https://example.com>world</a>")
/// print(message.markup)
/// // <p>Hello, <a href="https://example.com">world</a></p>
/// ```
public struct HTMLCleaner: Sendable {
    /// The cleaner's options.
    public var options: Options

    /// Creates a cleaner.
    ///
    /// - Parameter options: The allowed content.
    public init(_ options: Options = Options()) {
        self.options = options
    }

    /// Cleans a message.
    ///
    /// - Parameters:
    ///   - html: The message, a document or a part of one.
    ///   - links: Decides about each link that the markup has, in document order, after the whole message was read.
    ///   - pictures: Decides about each picture with an allowed address, in document order. It isn't asked for tracking
    ///     pixels that are removed.
    /// - Returns: The cleaned message.
    public func clean(
        _ html: String,
        links: (HTMLLink) -> HTMLLink.Decision = { _ in .keep },
        pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }
    ) -> CleanHTML {
        clean(HTMLParser.parse(html, limits: options.limits), links: links, pictures: pictures)
    }

    /// Cleans a message in UTF-8. It is decoded as `HTMLParser` decodes a document.
    ///
    /// - Parameters:
    ///   - html: The message, a document or a part of one.
    ///   - links: Decides about each link that the markup has, in document order, after the whole message was read.
    ///   - pictures: Decides about each picture with an allowed address, in document order. It isn't asked for tracking
    ///     pixels that are removed.
    /// - Returns: The cleaned message.
    public func clean(
        _ html: some Sequence<UInt8>,
        links: (HTMLLink) -> HTMLLink.Decision = { _ in .keep },
        pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }
    ) -> CleanHTML {
        clean(HTMLParser.parse(html, limits: options.limits), links: links, pictures: pictures)
    }

    /// Cleans a message that was parsed, or a part of it.
    ///
    /// - Parameters:
    ///   - tree: The message.
    ///   - nodes: The nodes that are left out with all they contain. The message's style sheets apply to the others as
    ///     if they were there.
    ///   - links: Decides about each link that the markup has, in document order, after the whole message was read.
    ///   - pictures: Decides about each picture with an allowed address, in document order. It isn't asked for tracking
    ///     pixels that are removed.
    /// - Returns: The cleaned message.
    public func clean(
        _ tree: HTMLTree,
        leavingOut nodes: Set<HTMLTree.NodeID> = [],
        links: (HTMLLink) -> HTMLLink.Decision = { _ in .keep },
        pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }
    ) -> CleanHTML {
        withoutActuallyEscaping(pictures) { pictures in
            var builder = CleanBuilder(tree, leavingOut: nodes, options: options, decidePicture: pictures)
            builder.run()
            return builder.finish(links)
        }
    }

    /// The options of a cleaner: the elements, attributes and addresses that it allows.
    public struct Options: Hashable, Sendable {
        /// The schemes that a link may have, in lowercase, such as the app's own, or nil for any. Schemes that run code
        /// or read local data (`javascript`, `data`, `vbscript`, `file` and their kind) are never allowed.
        public var linkSchemes: Set<String>?
        /// Whether `data-link` and `data-actiontype` are read (Bloomreach). A `data-link` overrides an anchor's `href`,
        /// and an element with one outside an anchor is wrapped in one.
        public var readsActions: Bool
        /// The treatment of close buttons, if ``readsActions`` is true.
        public var closeButtons: CloseButtons
        /// Whether tracking pixels are removed without a decision being asked for.
        public var removesTrackingPixels: Bool
        /// Whether pictures in the message's own `data:` URLs stay. They do if the message's pictures were inlined
        /// before.
        public var allowsDataPictures: Bool
        /// Whether anchors have `target="_blank"` and `rel="noopener noreferrer"`.
        public var opensLinksOutside: Bool
        /// The view that media queries of style sheets are answered for, or nil to remove style sheets unread.
        public var medium: HTMLMedium?
        /// The limits of reading the message. Style sheets add at most half of its bytes to elements, besides 32 MiB of
        /// pictures that were replaced by their `data:` URLs.
        public var limits: HTMLLimits

        /// Creates options.
        ///
        /// - Parameters:
        ///   - linkSchemes: The schemes that a link may have, or nil for any but those that run code or read local
        ///     data.
        ///   - readsActions: Whether `data-link` and `data-actiontype` are read.
        ///   - closeButtons: The handling of close buttons, if `readsActions` is true.
        ///   - removesTrackingPixels: Whether tracking pixels are removed without a decision.
        ///   - allowsDataPictures: Whether pictures in the message's own `data:` URLs stay.
        ///   - opensLinksOutside: Whether anchors have `target="_blank"` and `rel="noopener noreferrer"`.
        ///   - medium: The view that media queries are answered for, or nil to remove style sheets unread.
        ///   - limits: The limits of reading the message.
        public init(
            linkSchemes: Set<String>? = ["http", "https", "mailto", "tel"],
            readsActions: Bool = false,
            closeButtons: CloseButtons = .removed,
            removesTrackingPixels: Bool = true,
            allowsDataPictures: Bool = false,
            opensLinksOutside: Bool = false,
            medium: HTMLMedium? = HTMLMedium(),
            limits: HTMLLimits = .standard
        ) {
            self.linkSchemes = linkSchemes
            self.readsActions = readsActions
            self.closeButtons = closeButtons
            self.removesTrackingPixels = removesTrackingPixels
            self.allowsDataPictures = allowsDataPictures
            self.opensLinksOutside = opensLinksOutside
            self.medium = medium
            self.limits = limits
        }

        /// The treatment of elements with `data-actiontype="close"` (Bloomreach).
        public enum CloseButtons: Hashable, Sendable {
            /// Buttons are removed with their content, as in an inbox, whose own screen has one.
            case removed
            /// Buttons lead to an address of the app. If a message has none, one is added before its first element
            /// where `addsDefault` is true.
            case linked(to: String, addsDefault: Bool)
        }
    }
}
