public import Foundation
public import InboxModel
package import Groundwork

/// A message of Bloomreach's (Exponea's) App Inbox.
///
/// It is read leniently, field by field. All fields are optional, fields of the wrong type are ignored, and an invalid
/// action doesn't affect others. So `{}` is a valid message, whose kind is ``Kind/unknown(_:)``: it has nothing to
/// show.
public struct BloomreachMessage: Hashable, Sendable, Identifiable {
    /// The kind of a message's content.
    public enum Kind: Hashable, Sendable {
        /// A stored mobile push: title, text, image and buttons.
        case push
        /// A page with its buttons in the HTML.
        case html
        /// Another kind, with its name. The name is `unknown` if it is missing.
        case unknown(String)
    }

    /// Bloomreach's id. Empty if there is none.
    public let id: String
    /// The kind of content.
    public let kind: Kind
    /// Whether the person has read the message.
    public let isRead: Bool
    /// The time at which the message was received. Nil if it is missing, which means now.
    public let createTime: Date?
    /// The time at which the message expires, or nil if it never does.
    public let expireTime: Date?
    /// The headline.
    public let title: String
    /// The text. For a page it is the `pre_header`.
    public let text: String
    /// The page, or nil for other kinds.
    public let html: String?
    /// The URL of an image.
    public let image: String?
    /// The buttons in their original order, without elements that aren't objects.
    public let actions: [BloomreachAction]
    /// The action of a tap on the message itself, without a label. Nil unless the message is a push.
    public let mainAction: BloomreachAction?
    /// Whether the person consents to tracking, true by default.
    public let hasTrackingConsent: Bool
    /// The category of consent that tracking requires.
    public let consentCategoryTracking: String?
    /// The campaign's attributes. Arrays and objects are JSON text.
    public let attributes: [String: EventValue]
    /// The campaign's tags, from an object or an array of objects. Later objects take precedence.
    public let urlParams: [String: EventValue]
    /// The original members, for values without a corresponding field.
    let members: JSONObject
    let content: JSONObject

    /// Parses a message's JSON.
    ///
    /// - Throws: ``AdapterError`` if the text isn't a JSON object or one of its dates isn't a number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a message. Errors contain the location in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        self.init(
            try reader.members(),
            createTime: try reader.time("create_time", per: 1, "seconds"),
            expireTime: try reader.time("expire_time", per: 1, "seconds")
        )
    }

    /// Returns the id of a message, whatever else it contains. Empty if there is none.
    package static func id(in reader: JSONReader) -> String { reader.text("id") ?? "" }

    /// - Parameter members: All members of the object. Its dates are ignored.
    init(_ members: JSONObject, createTime: Date?, expireTime: Date?) {
        self.members = members
        (self.createTime, self.expireTime) = (createTime, expireTime)
        let outside = JSONReader(.object(members))
        id = Self.id(in: outside)
        let type = outside.text("type") ?? "unknown"
        kind = type == "push" ? .push : type == "html" ? .html : .unknown(type)
        isRead = outside.member("is_read")?.value.lenientBool ?? false

        content = outside.member("content")?.value.objectValue ?? JSONObject()
        let inside = JSONReader(.object(content))
        title = inside.text("title") ?? ""
        text = inside.text(kind == .html ? "pre_header" : "message") ?? ""
        html = kind == .html ? inside.text("message") : nil
        image = inside.text("image")
        let buttons = kind == .push ? content["actions"]?.arrayValue ?? [] : []
        actions = buttons.filter { $0.objectValue != nil }.map { BloomreachAction(reading: JSONReader($0)) }
        let main = BloomreachAction(wireKind: inside.text("action"), title: nil, url: inside.text("url"))
        mainAction = kind == .push ? main : nil
        hasTrackingConsent = inside.member("has_tracking_consent")?.value.lenientBool ?? true
        consentCategoryTracking = inside.text("consent_category_tracking")
        attributes = content["attributes"]?.objectValue?.eventData ?? [:]
        let tags = content["url_params"]
        urlParams = (tags?.arrayValue ?? [tags].compactMap { $0 }).reduce(into: [:]) { all, some in
            all.merge(some.objectValue?.eventData ?? [:]) { _, later in later }
        }
    }
}
