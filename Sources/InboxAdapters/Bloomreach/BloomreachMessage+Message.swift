public import InboxModel
import Groundwork

/// Conversion of this package's message to Bloomreach's.
extension BloomreachMessage {
    /// Creates Bloomreach's message from a message. A message that was imported from Bloomreach yields its original,
    /// except for the id, which is this package's, and for buttons that a message can't have as they are: a label that
    /// was made from the link is the title, and a button that was left out is missing.
    ///
    /// If the message has no preserved type, it is a page if it has HTML, otherwise a push.
    public init(_ message: Message) {
        var pairs = message.additionalData
        let imported = pairs.removeValue(forKey: "type")
        let type = imported ?? (message.html == nil ? "push" : "html")
        // The content's own value with the key of the id is preserved beside it.
        if imported != nil { pairs[Self.idKey] = pairs.removeValue(forKey: "\(Self.idKey).2") }
        var content = JSONObject()
        func set(_ name: String, _ text: String?) {
            content[name] = text.flatMap { $0.isEmpty ? nil : .string($0) }
        }
        set("title", message.title)
        set("message", type == "html" ? message.html : message.body)
        if type == "html" { set("pre_header", message.body) }
        set("image", message.media?.url)
        let main = message.actions.first { $0.id == Self.mainActionID }
        set("action", main?.type)
        set("url", main?.link)
        let buttons = message.actions.filter { $0.id != Self.mainActionID }
        if !buttons.isEmpty {
            let rest = pairs.removeValue(forKey: "actions").flatMap { try? JSON(parsing: Array($0.utf8)) }
            let objects = buttons.map { JSON(bloomreach: $0, adding: rest?[$0.id]?.objectValue ?? JSONObject()) }
            content["actions"] = .array(objects)
        }
        content["has_tracking_consent"] = .bool(message.consentCategory == nil)
        if message.consentCategory != Self.unnamedConsent { set("consent_category_tracking", message.consentCategory) }
        for (name, text) in pairs.sorted(by: { $0.key < $1.key }) {
            content.add(name, Self.value(text, of: name))
        }
        self.init(
            JSONObject([
                ("id", .string(message.id)), ("type", .string(type)), ("is_read", .bool(!message.isUnread)),
                ("content", .object(content)),
            ]),
            createTime: message.deliverAt,
            expireTime: message.expiresAt
        )
    }

    /// The keys of the additional data whose values may be the JSON text of an array or an object.
    private static let nested: Set<String> = [
        "attributes", "url_params", "title", "message", "pre_header", "image", "action", "url", "actions",
    ]

    private static func value(_ text: String, of name: String) -> JSON {
        guard nested.contains(name) || name == "silent", let value = try? JSON(parsing: Array(text.utf8)),
            value.arrayValue != nil || value.objectValue != nil || name == "silent"
        else { return .string(text) }
        return value
    }
}
