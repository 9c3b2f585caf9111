package import Foundation
package import Groundwork
import InboxModel

/// A request to edit a message, validated as far as possible without the stored message.
package struct MessageEdit: Sendable {
    let content: MessageContent
    /// The location of the message in the request.
    private let pointer: JSONPointer

    /// Reads and validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        try reader.only(["message"])
        try self.init(message: try reader.required("message"), now: now)
    }

    /// Reads and validates the new content of the message.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    init(message reader: JSONReader, now: Date) throws(JSONValueError) {
        content = try MessageContent(checking: reader, now: now)
        pointer = reader.pointer
    }

    /// Returns the delivery date of the edited message, in milliseconds. It is unchanged if the edit doesn't contain
    /// one.
    ///
    /// - Throws: ``JSONValueError`` if the message was already delivered at another time.
    func deliverAt(of message: StoredMessage, now: Date) throws(JSONValueError) -> Int {
        guard let requested = content.deliverAt?.milliseconds, requested != message.deliverAt else {
            return message.deliverAt
        }
        guard message.stage == .waiting else {
            throw JSONValueError(
                pointer: pointer / MessageField.deliverAt.rawValue,
                problem: "has to be omitted or equal to the delivery date, since the message was delivered"
            )
        }
        return max(requested, now.milliseconds)
    }

    /// Returns the expiry of the edited message, in milliseconds, by the same rule as for a new message.
    ///
    /// - Throws: ``JSONValueError`` if it isn't later than now and the delivery.
    func expiresAt(of message: StoredMessage, deliverAt: Int, now: Date) throws(JSONValueError) -> Int? {
        let isBroadcast = message.recipients == nil
        let lifetime = WriteTransaction.broadcastLifetime
        let defaultExpiry = isBroadcast ? Date(milliseconds: deliverAt).addingTimeInterval(lifetime) : nil
        guard let expiresAt = (content.expiresAt ?? defaultExpiry)?.milliseconds else { return nil }
        guard expiresAt > max(deliverAt, now.milliseconds) else {
            throw JSONValueError(
                pointer: pointer / MessageField.expiresAt.rawValue,
                problem: content.expiresAt == nil
                    ? "is required, since the default of \(Int(lifetime / 86_400)) days after the delivery is past"
                    : "has to be later than now and deliverAt"
            )
        }
        return expiresAt
    }
}
