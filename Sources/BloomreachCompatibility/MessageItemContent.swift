import Groundwork
import HTMLCleaning
import InboxAdapters
import InboxModel

/// The content of a message.
public struct MessageItemContent: Hashable, Sendable {
    /// The URL of the picture.
    public let imageUrl: String?
    /// The headline.
    public let title: String?
    /// The text.
    public let message: String?
    /// The category of consent that tracking requires, or nil if it requires none or one without a name.
    public let consentCategoryTracking: String?
    /// Whether the message may be tracked, by the person's consent when this value was created.
    public let hasTrackingConsent: Bool
    /// The buttons, in the sender's order, and those of the HTML. Nil if there are none.
    ///
    /// The HTML is read at the first use.
    public var actions: [MessageItemAction]? {
        let all = ownActions + (page?.actions ?? [])
        return all.isEmpty ? nil : all
    }
    /// The message as HTML that isn't sanitized. Never show it unchanged.
    public var html: String? { page?.html }

    private let ownActions: [MessageItemAction]
    private let page: HTMLItemActions?

    init(_ message: Message, hasTrackingConsent: Bool) {
        imageUrl = message.media?.address
        title = message.title
        self.message = message.body
        let category = message.consentCategory ?? message.grantedConsentCategory
        consentCategoryTracking = category == BloomreachMessage.unnamedConsent ? nil : category
        self.hasTrackingConsent = hasTrackingConsent
        ownActions = message.actions.map { MessageItemAction($0) }
        page = message.html.map { HTMLItemActions($0) }
    }
}

/// A content is encoded with Bloomreach's names. Alone, it has the HTML as `html`; within a ``MessageItem`` it is as
/// Bloomreach's server sends it.
extension MessageItemContent: Codable {
    /// Decodes the content leniently: each value may be missing or of another type.
    public init(from decoder: any Decoder) throws {
        self.init(try JSON(from: decoder).objectValue ?? JSONObject(), of: nil)
    }

    /// Encodes the content without absent values.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        try JSON.object(members(of: nil)).encode(to: encoder)
    }

    /// Reads the members of a content.
    ///
    /// - Parameter type: The type of the message that the content is part of. An earlier version has encoded HTML
    ///   messages with `html`, and other names.
    init(_ members: JSONObject, of type: String?) {
        let reader = JSONReader(.object(members))
        func value(_ names: String...) -> JSON? { names.lazy.compactMap { reader.member($0)?.value }.first }
        let isPage = type == MessageItem.htmlType && value("html") == nil
        imageUrl = value("image", "imageUrl")?.lenientText
        title = value("title")?.lenientText
        message = value(isPage ? "pre_header" : "message")?.lenientText
        consentCategoryTracking = value("consent_category_tracking", "consentCategoryTracking")?.lenientText
        hasTrackingConsent = value("has_tracking_consent", "hasTrackingConsent")?.lenientBool ?? true
        let actions = value("actions")?.arrayValue ?? []
        ownActions = actions.compactMap(\.objectValue).map { MessageItemAction($0) }
        page = value(isPage ? "message" : "html")?.lenientText.map { HTMLItemActions($0) }
    }

    /// Returns the members of the content.
    ///
    /// - Parameter type: The type of the message that the content is part of.
    func members(of type: String?) -> JSONObject {
        let isPage = type == MessageItem.htmlType
        var members = JSONObject()
        members["image"] = imageUrl.map(JSON.string)
        members["title"] = title.map(JSON.string)
        members[isPage ? "pre_header" : "message"] = message.map(JSON.string)
        members[isPage ? "message" : "html"] = html.map(JSON.string)
        members["consent_category_tracking"] = consentCategoryTracking.map(JSON.string)
        members["has_tracking_consent"] = .bool(hasTrackingConsent)
        members["actions"] = ownActions.isEmpty ? nil : .array(ownActions.map { .object($0.members) })
        return members
    }
}

/// The actions of a message's HTML. They are read when they are first needed, and once.
final class HTMLItemActions: Hashable, Sendable {
    let html: String

    // Guarded by the lock: the actions, once they were read. Two threads may both read them, with the same result.
    private let known = Locked<[MessageItemAction]?>(nil)

    init(_ html: String) { self.html = html }

    /// The actions, in Bloomreach's order.
    var actions: [MessageItemAction] {
        if let actions = known.withLock({ $0 }) { return actions }
        let cleaner = HTMLCleaner(HTMLCleaner.Options(linkSchemes: nil, readsActions: true))
        let actions = HTMLActions(cleaner.clean(html)).actions.map { MessageItemAction($0) }
        known.withLock { $0 = actions }
        return actions
    }

    static func == (one: HTMLItemActions, two: HTMLItemActions) -> Bool { one.html == two.html }

    func hash(into hasher: inout Hasher) { hasher.combine(html) }
}
