/// A link of a message, as the cleaner found it.
public struct HTMLLink: Hashable, Sendable {
    /// The place in ``CleanHTML/links``.
    public internal(set) var index: Int
    /// The address that the message names, absolute and in the cleaner's spelling.
    public let url: String
    /// The attribute that the address comes from.
    public let source: Source
    /// The value of `data-actiontype`, without white space around it, or nil if there is none.
    public let actionType: String?
    /// The start of the text in the element, up to 512 bytes, with each run of white space as one space. It is empty if
    /// the element has no text.
    public internal(set) var text: String
    /// Whether the markup has an anchor with this address. A link within another one has none, and a link that
    /// ``Decision/remove`` was decided for has none.
    public internal(set) var isWritten: Bool

    /// The attribute that an address comes from.
    public enum Source: Hashable, Sendable {
        /// `href` of an anchor.
        case href
        /// `data-link` (Bloomreach), which overrides an anchor's `href`.
        case dataLink
        /// `data-actiontype="close"`. The address is that of ``HTMLCleaner/Options/CloseButtons``.
        case closeButton
    }

    /// The decision about a link in the markup.
    public enum Decision: Hashable, Sendable {
        /// The link as it is.
        case keep
        /// A link to another address, such as a relative one of the page. One that runs code is removed.
        case replace(String)
        /// The link's contents alone.
        case remove
    }
}
