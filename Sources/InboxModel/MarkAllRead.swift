package import Foundation
package import Groundwork

/// A write that marks many messages as read, and so as seen, without naming them. It is an extension, an argument
/// of `InboxMessage/set`.
///
/// It applies to the unread messages in the inbox up to a state. Archived, snoozed, deleted and later messages are
/// unaffected. A server may apply it in parts: after a response with `after`, the client repeats the write from there.
package struct MarkAllRead: Hashable, Sendable {
    /// The argument's name.
    package static let argument = "markAllRead"
    /// The name of the response's member, an object with `count` and `after`.
    package static let result = "markedAllRead"

    /// The device's state when the person marked all as read.
    package var upToState: String
    /// The time at which the person marked all as read. It becomes the messages' `readAt`, and the `seenAt` of unseen
    /// ones.
    package var at: Date
    /// The surface whose messages are marked, or nil for all surfaces.
    package var surface: String?
    /// The consent at that time, by category. Nil if the device doesn't state it.
    package var consent: ConsentState?
    /// The end of the previous part, or nil at the start.
    package var after: String?

    package init(
        upToState: String,
        at: Date,
        surface: String? = nil,
        consent: ConsentState? = nil,
        after: String? = nil
    ) {
        (self.upToState, self.at, self.surface, self.after) = (upToState, at, surface, after)
        self.consent = consent
    }

    /// Reads the argument.
    ///
    /// - Throws: `JSONValueError` for the first invalid part.
    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["upToState", "at", "surface", MessageCapability.consent, "after"])
        upToState = try reader.required("upToState").string(maxBytes: 255)
        at = try reader.required("at").date()
        surface = try reader.member("surface")?.columnText()
        consent = try reader.member(MessageCapability.consent).map { (member) throws(JSONValueError) in
            try ConsentState(checking: member)
        }
        after = try reader.member("after")?.string(maxBytes: 255)
    }

    package var json: JSON {
        var object = JSONObject([("upToState", .string(upToState)), ("at", JSON(at))])
        object["surface"] = surface.map(JSON.string)
        object[MessageCapability.consent] = consent?.json
        object["after"] = after.map(JSON.string)
        return .object(object)
    }
}
