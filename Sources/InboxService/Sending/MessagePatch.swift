import Foundation
package import Groundwork
import InboxModel

/// A request to change a part of a message's content: a JSON merge patch (RFC 7396). The result is validated as
/// strictly as an edit that replaces the whole content.
package struct MessagePatch: Sendable {
    /// The patch with its location in the request.
    private let message: JSONReader

    /// Reads the body of a request and validates it as far as possible without the stored message.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part. An unknown name is invalid even if its value is null.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(["message"])
        message = try reader.required("message")
        try message.only(Set(MessageField.sendable.map(\.rawValue)))
    }

    /// Returns the edit that replaces the message's content by the result of the patch.
    ///
    /// - Throws: ``JSONValueError`` if the result isn't a valid message.
    func edit(of stored: StoredMessage, now: Date) throws -> MessageEdit {
        let patched = try stored.senderContent.merging(message.value)
        return try MessageEdit(message: JSONReader(patched, at: message.pointer), now: now)
    }
}

extension JSON {
    /// Returns the result of a merge patch on this value (RFC 7396 §2). Members of objects are replaced one by one and
    /// removed by null. Every other value, including an array, is replaced as a whole.
    func merging(_ patch: JSON) -> JSON {
        guard let members = patch.objectValue?.members else { return patch }
        var object = objectValue ?? JSONObject()
        for (name, value) in members {
            object[name] = value == .null ? nil : (object[name] ?? .null).merging(value)
        }
        return .object(object)
    }
}
