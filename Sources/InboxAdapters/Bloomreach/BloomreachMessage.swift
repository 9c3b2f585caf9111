public import Foundation
public import InboxModel
package import Groundwork

/// A message of Bloomreach's (Exponea's) App Inbox.
///
/// Read leniently, field by field: every one may be missing, what is of another type is left out, and an action that
/// makes no sense takes no other with it. So `{}` is a message, of which ``Kind/unknown(_:)`` says that there is
/// nothing to show.
public struct BloomreachMessage: Hashable, Sendable, Identifiable {
    /// What a message is made of.
    public enum Kind: Hashable, Sendable {
        /// A mobile push that was kept: title, text, picture, buttons.
        case push
        /// A page, whose buttons are in its HTML.
        case html
        /// Another one, as it is called; `unknown` where there is no name.
        case unknown(String)
    }

    /// Bloomreach's id; empty where there is none.
    public let id: String
    /// What it is made of.
    public let kind: Kind
    /// Whether the person has read it.
    public let isRead: Bool
    /// When it was received; nil where nothing says so, which means now.
    public let createTime: Date?
    /// When it ceases to be shown; nil for never.
    public let expireTime: Date?
    /// The headline.
    public let title: String
    /// The text: of a page, its `pre_header`.
    public let text: String
    /// The page; nil where it isn't one.
    public let html: String?
    /// A picture.
    public let image: String?
    /// The buttons, in their order.
    public let actions: [BloomreachAction]
    /// What a tap on the message itself does, without a label; nil where it isn't a push.
    public let mainAction: BloomreachAction?
    /// Whether the person agreed to tracking; yes where nothing says so.
    public let hasTrackingConsent: Bool
    /// The kind of consent that tracking needs.
    public let consentCategoryTracking: String?
    /// The campaign's attributes; what is nested is its JSON text.
    public let attributes: [String: EventValue]
    /// The campaign's tags, from an object or an array of objects, of which a later one wins.
    public let urlParams: [String: EventValue]
    /// As it came, for what a message of ours has no field for.
    let members: JSONObject
    let content: JSONObject

    /// Reads a message's JSON.
    ///
    /// - Throws: ``AdapterError`` where it isn't an object, or one of its dates no number.
    public init(data: Data) throws(AdapterError) {
        try self.init(reading: JSONReader(parsing: data))
    }

    /// Reads a message; errors name its place in the document.
    package init(reading reader: JSONReader) throws(AdapterError) {
        self.init(
            try reader.members(),
            createTime: try reader.time("create_time", per: 1, "seconds"),
            expireTime: try reader.time("expire_time", per: 1, "seconds")
        )
    }

    /// - Parameter members: All of the object; its dates aren't looked at.
    init(_ members: JSONObject, createTime: Date?, expireTime: Date?) {
        self.members = members
        (self.createTime, self.expireTime) = (createTime, expireTime)
        let outside = JSONReader(.object(members))
        id = outside.text("id") ?? ""
        let type = outside.text("type") ?? "unknown"
        kind = type == "push" ? .push : type == "html" ? .html : .unknown(type)
        isRead = outside.member("is_read")?.value.saysYes ?? false

        content = outside.member("content")?.value.objectValue ?? JSONObject()
        let inside = JSONReader(.object(content))
        title = inside.text("title") ?? ""
        text = inside.text(kind == .html ? "pre_header" : "message") ?? ""
        html = kind == .html ? inside.text("message") : nil
        image = inside.text("image")
        let buttons = kind == .push ? content["actions"]?.arrayValue ?? [] : []
        actions = buttons.map { BloomreachAction(reading: JSONReader($0)) }
        let main = BloomreachAction(wireKind: inside.text("action"), title: nil, url: inside.text("url"))
        mainAction = kind == .push ? main : nil
        hasTrackingConsent = inside.member("has_tracking_consent")?.value.saysYes ?? true
        consentCategoryTracking = inside.text("consent_category_tracking")
        attributes = content["attributes"]?.objectValue?.eventData ?? [:]
        let tags = content["url_params"]
        urlParams = (tags?.arrayValue ?? [tags].compactMap { $0 }).reduce(into: [:]) { all, some in
            all.merge(some.objectValue?.eventData ?? [:]) { _, later in later }
        }
    }
}
