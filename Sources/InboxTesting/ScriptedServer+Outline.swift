import Foundation
import Groundwork
import InboxModel
import JMAP

/// Methods for messages that a device doesn't hold: their counts, their outline, and the write that marks all of them
/// as read.
extension ScriptedServer.State {
    private static let counted = ["total", "unread", "unseen", "snoozed", "archived"]

    /// Returns the current messages that were created up to a state, in the order of their ids.
    private func messages(upTo state: Int) -> [(id: String, message: Message)] {
        records.filter { $0.value.created <= state }.sorted { $0.key < $1.key }
            .compactMap { record in (try? Message(json: .object(record.value.json))).map { (record.key, $0) } }
    }

    func counts() -> JSON {
        var counts: [[String]: [Int]] = [:]
        for (_, message) in messages(upTo: .max) where message.deletedAt == nil {
            var numbers = counts[[message.surface, message.category ?? ""]] ?? Self.counted.map { _ in 0 }
            if message.archivedAt != nil {
                numbers[4] += 1
            } else if message.snoozedUntil != nil {
                numbers[3] += 1
            } else {
                numbers[0] += 1
                if message.readAt == nil { numbers[1] += 1 }
                if message.seenAt == nil { numbers[2] += 1 }
            }
            counts[[message.surface, message.category ?? ""]] = numbers
        }
        let list = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { bucket, numbers in
            var object = JSONObject([
                ("surface", .string(bucket[0])), ("category", bucket[1].isEmpty ? .null : .string(bucket[1])),
            ])
            for (name, number) in zip(Self.counted, numbers) { object.add(name, JSON(number)) }
            return JSON.object(object)
        }
        return ["state": .string(String(state)), "list": .array(list)]
    }

    func outline(_ arguments: JSON) throws(MethodError) -> JSON {
        guard let upTo = arguments["upToState"]?.stringValue.flatMap({ Int($0) }), upTo <= state, upTo >= oldest
        else { throw .cannotCalculateChanges }
        let names = (arguments["properties"]?.arrayValue ?? []).compactMap(\.stringValue)
        let after = arguments["after"]?.stringValue ?? ""
        let rest = messages(upTo: upTo).filter { $0.id > after }
        let page = rest.prefix(arguments["limit"]?.intValue ?? .max)
        let rows = page.map { id, message in
            JSON.array(names.map { Self.value($0, records[id]?.json ?? JSONObject(), message) })
        }
        return [
            "state": .string(String(state)), "list": .array(rows),
            "after": page.count < rest.count ? .string(page.last?.id ?? "") : .null,
        ]
    }

    /// Returns a message's property as in a row of an outline: dates are milliseconds.
    private static func value(_ name: String, _ json: JSONObject, _ message: Message) -> JSON {
        switch name {
        case MessageField.pinned.rawValue: JSON(message.isPinned ? 1 : 0)
        case MessageField.surface.rawValue: .string(message.surface)
        default:
            if let text = json[name]?.stringValue, let date = RFC3339.date(from: text) {
                JSON(date.milliseconds)
            } else {
                json[name] ?? .null
            }
        }
    }

    mutating func markAllRead(_ write: JSON) throws(MethodError) -> JSON {
        guard let upTo = write["upToState"]?.stringValue.flatMap({ Int($0) }), let at = write["at"],
            let time = at.stringValue.flatMap({ RFC3339.date(from: $0) })
        else {
            throw .invalidArguments(MarkAllRead.argument)
        }
        let surface = write["surface"]?.stringValue
        let consent = write[MessageCapability.consent].flatMap { try? ConsentState(checking: JSONReader($0)) }
        var count = 0
        for (id, message) in messages(upTo: upTo) {
            guard message.readAt == nil, message.deletedAt == nil, message.archivedAt == nil,
                surface.map({ $0 == message.surface }) ?? true,
                message.snoozedUntil.map({ $0 <= time }) ?? true, var record = records[id]
            else { continue }
            for field in [MessageField.readAt, .seenAt] where record.json[field.rawValue] ?? .null == .null {
                record.json[field.rawValue] = at
                appliedWrites.append("\(id)/\(field.rawValue)=\(at)")
            }
            let (category, granted) = (message.consentCategory, message.grantedConsentCategory)
            if let consent, category != nil || granted != nil {
                let holds = consent.allows(consentCategory: category, grantedConsentCategory: granted)
                statedConsent.append("\(id)=\(holds)")
            }
            state += 1
            record.changed = state
            records[id] = record
            count += 1
        }
        return ["count": JSON(count), "after": .null]
    }
}
