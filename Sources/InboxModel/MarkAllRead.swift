package import Foundation
package import Groundwork

/// One write that marks many messages read, and so also seen, without naming them: an argument of our own on
/// `InboxMessage/set`.
///
/// It reaches the messages in the inbox that are unread and came up to a state: none that is archived, snoozed or
/// deleted, and none that came later. A server applies it in parts: an answer with `after` asks for the same once more
/// from there on.
package struct MarkAllRead: Hashable, Sendable {
    /// The argument's name.
    package static let argument = "markAllRead"
    /// The name of the answer's member, an object of `count` and `after`.
    package static let result = "markedAllRead"

    /// The state of the device when the person did it.
    package var upToState: String
    /// When the person did it: the messages' `readAt`, and the `seenAt` of those that weren't seen.
    package var at: Date
    /// Only messages of this surface; nil for all.
    package var surface: String?
    /// Whether consent held when the person did it, by category; nil where the device doesn't say.
    package var consent: ConsentStand?
    /// Where the part before ended; nil at the start.
    package var after: String?

    package init(
        upToState: String,
        at: Date,
        surface: String? = nil,
        consent: ConsentStand? = nil,
        after: String? = nil
    ) {
        (self.upToState, self.at, self.surface, self.after) = (upToState, at, surface, after)
        self.consent = consent
    }

    /// Reads the argument.
    ///
    /// - Throws: `JSONValueError` for the first part that isn't right.
    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["upToState", "at", "surface", MessageCapability.consent, "after"])
        upToState = try reader.required("upToState").string(maxBytes: 255)
        at = try reader.required("at").date()
        surface = try reader.member("surface")?.string()
        consent = try reader.member(MessageCapability.consent).map { (member) throws(JSONValueError) in
            try ConsentStand(checking: member)
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
