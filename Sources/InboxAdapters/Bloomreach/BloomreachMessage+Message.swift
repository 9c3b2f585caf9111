public import InboxModel
import Groundwork

/// Conversion of this package's message to Bloomreach's.
extension BloomreachMessage {
    /// Creates Bloomreach's message from a message. A message that was imported from Bloomreach yields its original,
    /// except for the id, which is this package's.
    ///
    /// If the message has no preserved type, it is a page if it has HTML, otherwise a push.
    public init(_ message: Message) {
        var pairs = message.additionalData
        let type = pairs.removeValue(forKey: "type") ?? (message.html == nil ? "push" : "html")
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
        content["actions"] = buttons.isEmpty ? nil : .array(buttons.map(JSON.init(bloomreach:)))
        content["has_tracking_consent"] = .bool(message.consentCategory == nil)
        if message.consentCategory != Self.unnamedConsent { set("consent_category_tracking", message.consentCategory) }
        for (name, text) in pairs.sorted(by: { $0.key < $1.key }) {
            let nested = Self.nested.contains(name) ? try? JSON(parsing: Array(text.utf8)) : nil
            content.add(name, nested ?? .string(text))
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

    /// The keys of the additional data whose values are JSON text.
    private static let nested: Set<String> = ["attributes", "url_params", "silent"]
}
