package import Foundation
package import Groundwork
import InboxModel

/// A request to edit a message, checked as far as it can be without looking at the message.
package struct MessageEdit: Sendable {
    let content: MessageContent
    /// Where the message is in the request.
    private let pointer: JSONPointer

    /// Checks the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first part that isn't right.
    package init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        try reader.only(["message"])
        try self.init(message: try reader.required("message"), now: now)
    }

    /// Checks what the message is to be.
    ///
    /// - Throws: ``JSONValueError`` for the first part that isn't right.
    init(message reader: JSONReader, now: Date) throws(JSONValueError) {
        content = try MessageContent(checking: reader, now: now)
        pointer = reader.pointer
    }

    /// When the edited message is delivered, in milliseconds: as before where the edit doesn't say.
    ///
    /// - Throws: ``JSONValueError`` where the message was delivered at another time.
    func deliverAt(of message: StoredMessage, now: Date) throws(JSONValueError) -> Int {
        guard let asked = content.deliverAt?.milliseconds, asked != message.deliverAt else { return message.deliverAt }
        guard message.stage == .waiting else {
            throw JSONValueError(
                pointer: pointer / MessageField.deliverAt.rawValue,
                problem: "has to be left out or the date of the delivery, since the message was delivered"
            )
        }
        return max(asked, now.milliseconds)
    }

    /// When the edited message expires, in milliseconds, by the same rule as one that is sent.
    ///
    /// - Throws: ``JSONValueError`` where that isn't after now and the delivery.
    func expiresAt(of message: StoredMessage, deliverAt: Int, now: Date) throws(JSONValueError) -> Int? {
        let isBroadcast = message.recipients == nil
        let lifetime = WriteTransaction.broadcastLifetime
        let usual = isBroadcast ? Date(milliseconds: deliverAt).addingTimeInterval(lifetime) : nil
        guard let expiresAt = (content.expiresAt ?? usual)?.milliseconds else { return nil }
        guard expiresAt > max(deliverAt, now.milliseconds) else {
            throw JSONValueError(
                pointer: pointer / MessageField.expiresAt.rawValue,
                problem: content.expiresAt == nil
                    ? "is required, since \(Int(lifetime / 86_400)) days after the delivery are past"
                    : "has to be later than now and than deliverAt"
            )
        }
        return expiresAt
    }
}
