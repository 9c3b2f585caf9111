import Foundation
package import Groundwork

/// The names of the fields of an event's JSON object, in their only list.
package enum EventField: String, CaseIterable, Sendable {
    case uid, message, type, action, at, data, reads, consent
    /// The server's id, and the time at which the server received the event.
    case id, receivedAt

    /// The fields that a device may set.
    package static let sendable: [EventField] = [
        .uid, .message, .type, .action, .at, .data, .reads, .consent,
    ]
}

extension MessageEvent {
    /// Validates a device's event strictly. Unknown fields, wrong types and values beyond ``EventLimits`` are rejected.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(Set(EventField.sendable.map(\.rawValue)))
        func required(_ field: EventField) throws(JSONValueError) -> JSONReader { try reader.required(field.rawValue) }
        func member(_ field: EventField) -> JSONReader? { reader.member(field.rawValue) }
        self.init(
            uid: try required(.uid).eventUID(),
            message: try required(.message).string(maxBytes: 255),
            type: try required(.type).eventType(),
            action: try member(.action)?.actionName(),
            at: try member(.at)?.date(),
            data: try member(.data)?.eventData() ?? [:],
            reads: try member(.reads)?.bool() ?? true,
            consent: try member(.consent)?.bool()
        )
    }

    /// Returns the uid of a device's event, whatever else it contains. Nil if it isn't valid.
    package static func uid(in json: JSON) -> String? {
        try? JSONReader(json).member(EventField.uid.rawValue)?.eventUID()
    }

    /// Reads a server's event leniently. Unknown fields are ignored, and values of another type are dropped. Only the
    /// uid, the message and the type are required.
    ///
    /// - Throws: ``JSONValueError`` with the location of the invalid part.
    package init(json: JSON) throws(JSONValueError) {
        let reader = JSONReader(json)
        self.init(
            uid: try reader.required(EventField.uid.rawValue).string(),
            message: try reader.required(EventField.message.rawValue).string(),
            type: EventType(rawValue: try reader.required(EventField.type.rawValue).string()),
            action: json[EventField.action.rawValue]?.stringValue,
            at: json[EventField.at.rawValue]?.stringValue.flatMap { RFC3339.date(from: $0) },
            data: (json[EventField.data.rawValue]?.objectValue?.members ?? []).reduce(into: [:]) { data, member in
                data[member.name] = EventValue(member.value)
            },
            reads: json[EventField.reads.rawValue]?.boolValue ?? true,
            consent: json[EventField.consent.rawValue]?.boolValue
        )
    }

    /// The event as a JSON object, as a device sends it.
    package var json: JSON {
        var object = JSONObject()
        func set(_ field: EventField, _ value: JSON?) { object[field.rawValue] = value }
        set(.uid, .string(uid))
        set(.message, .string(message))
        set(.type, .string(type.rawValue))
        set(.action, action.map(JSON.string))
        set(.at, at.map { JSON($0) })
        set(.data, data.isEmpty ? nil : dataJSON)
        set(.reads, reads ? nil : false)
        set(.consent, consent.map(JSON.bool))
        return .object(object)
    }

    /// The data as a JSON object.
    package var dataJSON: JSON {
        .object(
            JSONObject(data.sorted { $0.key < $1.key }.compactMap { pair in pair.value.json.map { (pair.key, $0) } })
        )
    }
}

extension EventValue {
    /// - Returns: Nil for null, an array or an object.
    fileprivate init?(_ json: JSON) {
        switch json {
        case .string(let text): self = .string(text)
        case .number(let number):
            guard let value = number.doubleValue else { return nil }
            self = .number(value)
        case .bool(let bool): self = .bool(bool)
        case .null, .array, .object: return nil
        }
    }

    /// The value as JSON, or nil for a number that JSON can't represent.
    fileprivate var json: JSON? {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): JSONNumber(number).map(JSON.number)
        case .bool(let bool): .bool(bool)
        }
    }
}

extension JSONReader {
    fileprivate func eventUID() throws(JSONValueError) -> String {
        let uid = try string()
        let isAllowed = uid.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2D, 0x5F].contains($0)
        }
        guard isAllowed, (1...EventLimits.uid).contains(uid.utf8.count) else {
            throw failure("has to be 1 to \(EventLimits.uid) of A-Z a-z 0-9 - _")
        }
        return uid
    }

    fileprivate func eventType() throws(JSONValueError) -> EventType {
        let name = try string()
        guard EventType.isValid(name) else {
            throw failure("has to be a letter and up to \(EventLimits.type - 1) of A-Z a-z 0-9 _ . -")
        }
        return EventType(rawValue: name)
    }

    fileprivate func actionName() throws(JSONValueError) -> String {
        let name = try columnText(maxBytes: EventLimits.action)
        guard !name.isEmpty else { throw failure("has to be a string that isn't empty") }
        return name
    }

    fileprivate func eventData() throws(JSONValueError) -> [String: EventValue] {
        let object = try object()
        // The marker of a forced event doesn't count toward the limit.
        let isForced = object[MessageEvent.forcedKey] == true
        guard object.count - (isForced ? 1 : 0) <= EventLimits.dataPairs else {
            throw failure("has more than \(EventLimits.dataPairs) pairs")
        }
        let note = isForced ? MessageEvent.forcedMarker.utf8.count : 0
        guard value.utf8.count - note <= EventLimits.data else {
            throw failure("has more than \(EventLimits.data) bytes of JSON")
        }
        var data: [String: EventValue] = [:]
        for member in object.members where member.value != .null {
            guard member.name.utf8.count <= EventLimits.dataKey else {
                throw failure("has \(longName: member.name) of more than \(EventLimits.dataKey) bytes")
            }
            guard let value = EventValue(member.value) else {
                throw JSONValueError(
                    pointer: pointer / member.name,
                    problem: "has to be a string, a number or true or false"
                )
            }
            // The names of a dictionary are equal in each form of Unicode, those of JSON only in the same.
            guard data.updateValue(value, forKey: member.name) == nil else {
                throw JSONValueError(
                    pointer: pointer / member.name,
                    problem: "is also the name of another pair, in another form of Unicode"
                )
            }
        }
        return data
    }
}
