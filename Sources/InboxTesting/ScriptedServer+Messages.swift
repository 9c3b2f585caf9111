import Foundation
import Groundwork
import InboxModel
import JMAP
import ReplicaTesting

extension ScriptedRecords.Rules {
    /// The rules of messages.
    static var messages: ScriptedRecords.Rules {
        var rules = ScriptedRecords.Rules()
        rules.defaults = [
            MessageField.surface.rawValue: .string(Message.defaultSurface), MessageField.title.rawValue: "",
            MessageField.body.rawValue: "", MessageField.priority.rawValue: 0, MessageField.pinned.rawValue: false,
        ]
        rules.personal = MessageField.personal.map(\.rawValue)
        rules.annotations = [MessageCapability.consent]
        rules.order = MessageField.deliverAt.rawValue
        rules.bulk = ScriptedRecords.Bulk(
            argument: MarkAllRead.argument,
            result: MarkAllRead.result,
            properties: [MessageField.readAt.rawValue, MessageField.seenAt.rawValue],
            scope: MessageField.surface.rawValue,
            annotation: statedConsent,
            reaches: { json, time in
                guard let message = try? Message(json: json) else { return false }
                return message.readAt == nil && message.deletedAt == nil && message.archivedAt == nil
                    && message.snoozedUntil.map { $0 <= time } ?? true
            }
        )
        return rules
    }

    /// The consent that `markAllRead` states for a message with a consent category.
    private static func statedConsent(_ json: JSON, _ write: JSON) -> String? {
        guard let consent = write[MessageCapability.consent].flatMap({ try? ConsentState(checking: JSONReader($0)) }),
            let message = try? Message(json: json)
        else { return nil }
        let (category, granted) = (message.consentCategory, message.grantedConsentCategory)
        guard category != nil || granted != nil else { return nil }
        return "\(consent.allows(consentCategory: category, grantedConsentCategory: granted))"
    }
}

extension ScriptedServer.State {
    /// Answers `InboxMessage/counts`.
    func counts() throws(MethodError) -> JSON {
        try messages.counts(
            buckets: [MessageField.surface.rawValue, MessageField.category.rawValue],
            counters: ["total", "unread", "unseen", "snoozed", "archived"]
        ) { json in
            guard let message = try? Message(json: json), message.deletedAt == nil else { return nil }
            if message.archivedAt != nil { return [0, 0, 0, 0, 1] }
            if message.snoozedUntil != nil { return [0, 0, 0, 1, 0] }
            return [1, message.readAt == nil ? 1 : 0, message.seenAt == nil ? 1 : 0, 0, 0]
        }
    }
}
