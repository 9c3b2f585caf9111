import Foundation
import Groundwork
import InboxModel

/// How values of other systems are read: whatever can be understood is, and what can't counts as absent.
extension JSON {
    /// A text, or a number or a boolean as text.
    var lenientText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The same, and what is nested as its JSON text; nil for null.
    var anyText: String? {
        switch self {
        case .null: nil
        case .array, .object: description
        default: lenientText
        }
    }

    /// Whether it says yes: `true`, 1, or the texts "true" and "1" in any case. All else is no.
    var saysYes: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let number): number.doubleValue == 1
        case .string(let text): text == "1" || text.lowercased() == "true"
        case .null, .array, .object: false
        }
    }

    /// What an event's data may have; what is nested becomes its JSON text. Nil for null, and for a number past every
    /// double.
    var eventValue: EventValue? {
        switch self {
        case .null: nil
        case .bool(let bool): .bool(bool)
        case .number(let number): number.doubleValue.map(EventValue.number)
        case .string(let text): .string(text)
        case .array, .object: .string(description)
        }
    }
}

extension JSONObject {
    /// The values by name, as an event's data has them.
    var eventData: [String: EventValue] {
        members.reduce(into: [:]) { data, member in data[member.name] = member.value.eventValue }
    }
}

extension JSONReader {
    /// The member's text that isn't empty.
    func text(_ name: String) -> String? {
        member(name)?.value.lenientText.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A point in time as a number since 1970, also one written as text; nil where it is absent or an empty text.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - unit: How many of them make a second.
    ///   - unitName: What they are called.
    /// - Throws: ``AdapterError`` `wrongDate`.
    func time(_ name: String, per unit: Double, _ unitName: String) throws(AdapterError) -> Date? {
        guard let member = member(name), member.value != .string("") else { return nil }
        let number: Double? =
            switch member.value {
            case .number(let number): number.doubleValue
            case .string(let text): Double(text)
            default: nil
            }
        // The years 1 to 9999, which is what a date of ours can say.
        guard let number, (-62_135_596_800..<253_402_300_800).contains(number / unit) else {
            throw AdapterError(.wrongDate, at: member.pointer, "has to be a number of \(unitName) since 1970")
        }
        return Date(milliseconds: Int((number / unit * 1_000).rounded()))
    }

    /// Makes sure that this is an object.
    ///
    /// - Throws: ``AdapterError`` `notAnObject`.
    func members() throws(AdapterError) -> JSONObject {
        guard let object = value.objectValue else {
            throw AdapterError(.notAnObject, at: pointer, "has to be an object")
        }
        return object
    }

    /// The member of that name, of a part that can't be done without.
    ///
    /// - Throws: ``AdapterError`` `missing` where it is absent or null.
    func needed(_ name: String) throws(AdapterError) -> JSONReader {
        guard let member = member(name) else { throw AdapterError(.missing, at: pointer / name, "is required") }
        return member
    }

    /// The failure of a value of another type.
    func wrongType(_ expected: String) -> AdapterError {
        AdapterError(.wrongType, at: pointer, "has to be \(expected)")
    }

    /// A text, even an empty one.
    ///
    /// - Throws: ``AdapterError`` `wrongType`.
    func neededText() throws(AdapterError) -> String {
        guard let text = value.stringValue else { throw wrongType("a string") }
        return text
    }

    /// Reads a message's JSON text.
    ///
    /// - Throws: ``AdapterError`` `notAnObject`.
    init(parsing data: Data) throws(AdapterError) {
        do {
            self.init(try JSON(parsing: data))
        } catch {
            throw AdapterError(.notAnObject, at: JSONPointer(), "isn't JSON: \(error.description)")
        }
    }
}
