import Foundation
package import Groundwork
import InboxModel

/// Lenient reading of vendors' values. Values that can't be interpreted count as absent.
extension JSON {
    /// A text, or a number or a Boolean value as text.
    package var lenientText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The ``lenientText``, or the JSON text of an array or an object. Nil for null.
    var anyText: String? {
        switch self {
        case .null: nil
        case .array, .object: description
        default: lenientText
        }
    }

    /// A number, or the one that a text is in decimal notation. Nil out of a double's range.
    var lenientNumber: Double? {
        switch self {
        case .number(let number): number.doubleValue
        // `Double` reads hexadecimal digits too.
        case .string(let text) where text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }: Double(text)
        default: nil
        }
    }

    /// A Boolean value: true for `true`, 1, and the texts "true" and "1" in any case. All other values are false.
    package var lenientBool: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let number): number.doubleValue == 1
        case .string(let text): text == "1" || text.lowercased() == "true"
        case .null, .array, .object: false
        }
    }

    /// The value for an event's data. Arrays and objects become their JSON text. Nil for null and for numbers out of a
    /// double's range.
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
    /// Returns the members that lenient reading of texts doesn't use: those with other names, and those that are no
    /// text. Null counts as absent.
    ///
    /// - Parameter names: The names of the members that are read.
    func unrepresented(_ names: Set<String>) -> JSONObject {
        JSONObject(
            members.filter { member in
                member.value != .null && !(names.contains(member.name) && member.value.lenientText != nil)
            }
        )
    }

    /// The members as an event's data.
    var eventData: [String: EventValue] {
        members.reduce(into: [:]) { data, member in data[member.name] = member.value.eventValue }
    }
}

extension JSONReader {
    /// Returns a member's text if it isn't empty.
    func text(_ name: String) -> String? {
        member(name)?.value.lenientText.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a time, given as a number since 1970 or as its text. Returns nil if the member is absent, an empty text
    /// or 0, which vendors write for none.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - unit: The number of units per second.
    ///   - unitName: The name of the unit, for errors.
    /// - Throws: ``AdapterError`` with `wrongDate`.
    func time(_ name: String, per unit: Double, _ unitName: String) throws(AdapterError) -> Date? {
        guard let member = member(name), member.value != .string("") else { return nil }
        // The years 1 to 9999, the range of dates in this package.
        guard let number = member.value.lenientNumber,
            (-62_135_596_800..<253_402_300_800).contains(number / unit)
        else {
            throw AdapterError(.wrongDate, at: member.pointer, "has to be a number of \(unitName) since 1970")
        }
        return number == 0 ? nil : Date(milliseconds: Int((number / unit * 1_000).rounded()))
    }

    /// Returns the members of an object.
    ///
    /// - Throws: ``AdapterError`` with `notAnObject` if this isn't an object.
    func members() throws(AdapterError) -> JSONObject {
        guard let object = value.objectValue else {
            throw AdapterError(.notAnObject, at: pointer, "has to be an object")
        }
        return object
    }

    /// Returns a required member.
    ///
    /// - Throws: ``AdapterError`` with `missing` if the member is absent or null.
    func requiredMember(_ name: String) throws(AdapterError) -> JSONReader {
        guard let member = member(name) else { throw AdapterError(.missing, at: pointer / name, "is required") }
        return member
    }

    /// Returns the error of a value that has the wrong type.
    func wrongType(_ expected: String) -> AdapterError {
        AdapterError(.wrongType, at: pointer, "has to be \(expected)")
    }

    /// Returns a text, which may be empty.
    ///
    /// - Throws: ``AdapterError`` with `wrongType` if this isn't a text.
    func requiredText() throws(AdapterError) -> String {
        guard let text = value.stringValue else { throw wrongType("a string") }
        return text
    }

    /// Parses a message's JSON.
    ///
    /// - Throws: ``AdapterError`` with `notAnObject`.
    init(parsing data: Data) throws(AdapterError) {
        do {
            self.init(try JSON(parsing: data))
        } catch {
            throw AdapterError(.notAnObject, at: JSONPointer(), "isn't JSON: \(error.description)")
        }
    }
}
