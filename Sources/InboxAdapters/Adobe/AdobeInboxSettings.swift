public import Foundation
public import InboxModel
package import Groundwork

/// The settings of an inbox of Adobe Journey Optimizer: the data of an item with the schema `inbox`.
public struct AdobeInboxSettings: Hashable, Sendable {
    /// The appearance of unread cards.
    public struct UnreadIndicator: Hashable, Sendable {
        /// The background of an unread card in light and in dark mode, as `#RRGGBB` or `#RRGGBBAA`. Nil for the
        /// ordinary background.
        public let background, darkBackground: String?
        /// The image of the unread indicator, or nil if none is set.
        public let icon: Media?
        /// The corner of the unread indicator, or nil if none is set. An unknown one is read as top right.
        public let placement: InboxModel.UnreadIndicator.Placement?
    }

    /// The direction in which cards are laid out. An unknown one is read as vertical.
    public let orientation: InboxSettings.Layout
    /// The number of cards shown, or nil for all.
    public let capacity: Int?
    /// The heading, which may be empty. Nil if there is none.
    public let heading: String?
    /// The text of the empty state, which may be empty. Nil if there is none.
    public let emptyMessage: String?
    /// The image above the text of the empty state, or nil if there is none.
    public let emptyImage: Media?
    /// The appearance of unread cards, or nil if it isn't set.
    public let unreadIndicator: UnreadIndicator?
    /// Whether unread cards have an indicator.
    public let isUnreadEnabled: Bool
    /// The location of the content, for errors.
    let location: JSONPointer

    /// Parses the JSON of an item's `data`.
    ///
    /// - Throws: ``AdapterError`` if `content`, its `layout`, the layout's `orientation` or `capacity` is missing or
    ///   has the wrong type, or if `isUnreadEnabled` isn't a Boolean value. Any other invalid part counts as absent.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads an item's `data`. Errors contain the location in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        _ = try reader.members()
        let content = try reader.requiredMember("content")
        location = content.pointer
        guard content.value.objectValue != nil else { throw content.wrongType("an object") }
        let layout = try content.requiredMember("layout")
        guard layout.value.objectValue != nil else { throw layout.wrongType("an object") }
        orientation = try layout.requiredMember("orientation").requiredText() == "horizontal" ? .horizontal : .vertical
        let capacity = try content.requiredMember("capacity")
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

    /// Returns the empty state, or nil if a part of it is invalid.
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
    /// Returns nil if a part is invalid.
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

    /// Returns a color in this package's notation. The digits, 6 or 8, may follow `#` or `0x`. Any other text yields
    /// opaque black.
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
