public import Foundation
public import InboxModel
package import Groundwork

/// The settings of an inbox of Adobe Journey Optimizer: what an item of the schema `inbox` says.
public struct AdobeInboxSettings: Hashable, Sendable {
    /// How unread cards are marked.
    public struct UnreadIndicator: Hashable, Sendable {
        /// Behind an unread card, on a light and on a dark screen, as `#RRGGBB` or `#RRGGBBAA`; nil for no other
        /// background.
        public let background, darkBackground: String?
        /// The mark; nil where nothing says so.
        public let icon: Media?
        /// The mark's corner; nil where there is no mark. One that isn't known is the top right one.
        public let placement: InboxModel.UnreadIndicator.Placement?
    }

    /// In which direction the cards follow each other; vertical where it isn't a known one.
    public let orientation: InboxSettings.Layout
    /// How many cards are shown; nil for all.
    public let capacity: Int?
    /// The heading, which may be empty; nil for none.
    public let heading: String?
    /// What stands where there are no cards, which may be empty; nil for none.
    public let emptyMessage: String?
    /// The picture above it; nil for none.
    public let emptyImage: Media?
    /// How unread cards are marked; nil where nothing says so.
    public let unreadIndicator: UnreadIndicator?
    /// Whether unread cards are marked.
    public let isUnreadEnabled: Bool
    /// Where the content was, for errors.
    let place: JSONPointer

    /// Reads the JSON of an item's `data`.
    ///
    /// - Throws: ``AdapterError`` where `content`, its `layout`, that one's `orientation` or `capacity` is missing or
    ///   of another type, or `isUnreadEnabled` neither true nor false. Anything else that makes no sense counts as
    ///   absent.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads an item's `data`; errors name its place in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        let content = try reader.needed("content")
        place = content.pointer
        guard content.value.objectValue != nil else { throw content.wrongType("an object") }
        let layout = try content.needed("layout")
        guard layout.value.objectValue != nil else { throw layout.wrongType("an object") }
        orientation = try layout.needed("orientation").neededText() == "horizontal" ? .horizontal : .vertical
        let capacity = try content.needed("capacity")
        guard let count = capacity.value.intValue else { throw capacity.wrongType("a whole number") }
        self.capacity = count > 0 ? count : nil
        heading = content.member("heading")?.adobeText(mayBeEmpty: true)
        let empty = content.member("emptyStateSettings").flatMap(Self.emptyState)
        (emptyMessage, emptyImage) = (empty?.message, empty?.image)
        unreadIndicator = content.member("unread_indicator").flatMap(UnreadIndicator.init(reading:))
        let isUnread = content.member("isUnreadEnabled")
        guard let flag = isUnread.map(\.value.boolValue) ?? false else {
            throw AdapterError(.wrongType, at: content.pointer / "isUnreadEnabled", "has to be true or false")
        }
        isUnreadEnabled = flag
    }

    /// What stands where there are no cards; nil where a part of it makes no sense.
    private static func emptyState(_ reader: JSONReader) -> (message: String?, image: Media?)? {
        guard reader.value.objectValue != nil else { return nil }
        let (message, image) = (reader.member("message"), reader.member("image"))
        let text = message?.adobeText(mayBeEmpty: true)
        let media = image?.adobeImage
        if message != nil && text == nil || image != nil && media == nil { return nil }
        return (text, media)
    }
}

extension AdobeInboxSettings.UnreadIndicator {
    /// Nil where a part of it makes no sense.
    fileprivate init?(reading reader: JSONReader) {
        guard reader.value.objectValue != nil else { return nil }
        if let colors = reader.member("unread_bg") {
            let pair = colors.member("clr")
            guard let light = pair?.value["light"]?.stringValue, let dark = pair?.value["dark"]?.stringValue else {
                return nil
            }
            (background, darkBackground) = (Self.color(light), Self.color(dark))
        } else {
            (background, darkBackground) = (nil, nil)
        }
        if let mark = reader.member("unread_icon") {
            guard let corner = mark.value["placement"]?.stringValue, let image = mark.member("image")?.adobeImage else {
                return nil
            }
            icon = image
            placement = AdobeInboxSettings.corners.first { $0.name == corner }?.placement ?? .topRight
        } else {
            (icon, placement) = (nil, nil)
        }
    }

    /// A colour as ours: bare, after `#` or `0x`, of 6 or 8 digits. Anything else is opaque black.
    private static func color(_ text: String) -> String {
        let digits =
            text.hasPrefix("#") ? text.dropFirst(1) : text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...]
        let isHex = digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return isHex && [6, 8].contains(digits.utf8.count) ? "#\(digits)" : "#000000"
    }
}

extension AdobeInboxSettings {
    /// The corners by Adobe's names.
    static let corners: [(name: String, placement: InboxModel.UnreadIndicator.Placement)] = [
        ("topleft", .topLeft), ("topright", .topRight), ("bottomleft", .bottomLeft), ("bottomright", .bottomRight),
    ]
}
