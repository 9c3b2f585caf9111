import Foundation
package import Groundwork
import InboxModel

/// A request to change some of what a message says: a JSON merge patch (RFC 7396). What comes out has to be as strict
/// as a message that replaces the whole.
package struct MessagePatch: Sendable {
    /// The patch with its place in the request.
    private let message: JSONReader

    /// Checks the body of a request as far as it can be without looking at the message.
    ///
    /// - Throws: ``JSONValueError`` for the first part that isn't right. A name that no message has is one also where
    ///   it has null.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(["message"])
        message = try reader.required("message")
        try message.only(Set(MessageField.sendable.map(\.rawValue)))
    }

    /// The edit that replaces a message by what the patch makes of it.
    ///
    /// - Throws: ``JSONValueError`` where that isn't a message.
    func edit(of stored: StoredMessage, now: Date) throws -> MessageEdit {
        let patched = try stored.sendersJSON.merging(message.value)
        return try MessageEdit(message: JSONReader(patched, at: message.pointer), now: now)
    }
}

extension JSON {
    /// What a merge patch makes of this value (RFC 7396 §2): members of objects are replaced one by one and removed by
    /// null, anything else is replaced whole, an array too.
    func merging(_ patch: JSON) -> JSON {
        guard let members = patch.objectValue?.members else { return patch }
        var object = objectValue ?? JSONObject()
        for (name, value) in members {
            object[name] = value == .null ? nil : (object[name] ?? .null).merging(value)
        }
        return .object(object)
    }
}
