package import Foundation
package import InboxModel
import Groundwork

/// A vendor's message in this package's model: validated, with the person's state.
package struct AdaptedMessage: Sendable {
    /// The vendor's id for the message.
    package let externalID: String
    /// The content without its dates.
    package let content: MessageContent
    /// The time of delivery at the vendor, or nil if it is unknown.
    package let deliveredAt: Date?
    /// The time before which the message mustn't be delivered, or nil if there is none.
    package var notBefore: Date?
    package let expiresAt: Date?
    /// The person's state of the message at the vendor.
    package let status: MessageStatus

    /// Checks that an id can identify a message: it is neither empty nor longer than a name, and has no control
    /// characters.
    ///
    /// - Throws: ``AdapterError`` with `noID` or `notAcceptable`.
    static func check(_ id: String, at location: JSONPointer) throws(AdapterError) {
        guard !id.isEmpty else { throw AdapterError(.noID, at: location, "is required") }
        guard isValid(id) else {
            throw AdapterError(
                .notAcceptable,
                at: location,
                "has to be 1 to \(MessageLimits.name) bytes without control characters"
            )
        }
    }

    /// Returns whether an id can identify a message, as ``check(_:at:)`` does.
    package static func isValid(_ id: String) -> Bool {
        (1...MessageLimits.name).contains(id.utf8.count) && !id.hasControlCharacters
    }
}

/// A message under construction, with the source location of each part for errors.
struct MessageDraft {
    private var object = JSONObject()
    private var pairs = JSONObject()
    private var actions: [MessageAction] = []
    /// The key under which the vendor's id is preserved.
    private var idKey: String?
    /// The vendor's location of each part.
    private var locations: [JSONPointer: JSONPointer] = [:]

    /// - Parameter location: The location of errors that concern the whole message.
    init(at location: JSONPointer) {
        locations[JSONPointer()] = location
    }

    /// Sets a field, or omits it if the value is nil.
    mutating func set(_ field: MessageField, _ value: JSON?, from location: JSONPointer) {
        object[field.rawValue] = value
        locations[JSONPointer([field.rawValue])] = location
    }

    /// Sets the image from an address. One that a message can't have is left out.
    ///
    /// - Returns: Whether there is nothing left to preserve: no address, or one that was set.
    mutating func setImage(_ address: String?, from location: JSONPointer) -> Bool {
        guard let address else { return true }
        guard Media.accepts(address, as: "url") else { return false }
        set(.media, ["url": .string(address)], from: location)
        return true
    }

    /// Adds an action. One without a label gets the label of its link. One with neither is left out, since nothing
    /// could name its button, and so is one that a message can't have: of too many, or with an address without a
    /// scheme.
    ///
    /// - Returns: Whether the action was added.
    @discardableResult
    mutating func add(_ action: MessageAction) -> Bool {
        var action = action
        if !action.text.hasVisibleCharacters {
            guard let label = MessageAction.label(of: action.link) else { return false }
            action.text = label
        }
        guard actions.count < MessageLimits.actions, action.isAcceptable else { return false }
        actions.append(action)
        return true
    }

    /// Adds the actions of a list, each with its number in the list as its id. Elements that aren't objects are left
    /// out.
    ///
    /// - Parameters:
    ///   - list: The list. Any value but an array has no actions.
    ///   - members: The vendor's names of an action's members.
    ///   - read: Reads an object with the given id.
    /// - Returns: The parts that the actions don't represent, by the number of the action: members with other names or
    ///   of another type, and elements that are left out.
    mutating func addActions(
        of list: JSONReader,
        members: Set<String>,
        _ read: (_ object: JSONReader, _ id: String) -> MessageAction
    ) -> JSONObject {
        var rest = JSONObject()
        for (index, element) in (list.value.arrayValue ?? []).enumerated() {
            let number = String(index + 1)
            if let object = element.objectValue {
                let isAdded = add(read(JSONReader(element, at: list.pointer / index), number))
                let unused = isAdded ? object.unrepresented(members) : object
                if !unused.isEmpty { rest.add(number, .object(unused)) }
            } else if element != .null {
                rest.add(number, element)
            }
        }
        return rest
    }

    /// Preserves a value without a corresponding field as text in the additional data, under its name. If the name has
    /// another value already, a number is appended to it, as in `name.2`. Null is ignored.
    ///
    /// - Returns: The key of the value.
    @discardableResult
    mutating func preserve(_ name: String, _ value: JSON, from location: JSONPointer) -> String {
        guard let text = value.anyText else { return name }
        var (key, number) = (name, 1)
        while let known = pairs[key] {
            guard known != .string(text) else { return key }
            number += 1
            key = "\(name).\(number)"
        }
        pairs.add(key, .string(text))
        locations[JSONPointer([MessageField.additionalData.rawValue, key])] = location
        return key
    }

    /// Preserves the vendor's id, by which a compatibility layer finds the message. It is left out where it would be
    /// one pair too many.
    mutating func preserveID(_ name: String, _ id: String, from location: JSONPointer) {
        idKey = preserve(name, .string(id), from: location)
    }

    /// Validates the message like a sender's message.
    ///
    /// - Throws: ``AdapterError`` with `notAcceptable` and the location in the vendor's message.
    func checked() throws(AdapterError) -> MessageContent {
        var (whole, pairs) = (object, self.pairs)
        if let idKey, pairs.count > MessageLimits.additionalDataPairs { pairs[idKey] = nil }
        if !actions.isEmpty { whole.add(MessageField.actions.rawValue, .array(actions.map(\.json))) }
        if !pairs.isEmpty { whole.add(MessageField.additionalData.rawValue, .object(pairs)) }
        do {
            // The message has no dates, so the current time is irrelevant.
            return try MessageContent(checking: JSONReader(.object(whole)), now: .distantPast)
        } catch {
            let problem =
                switch error.pointer.tokens {
                case []: "has nothing to show: it needs a title, a text or a picture"
                // Its pairs come from several places.
                case [MessageField.additionalData.rawValue]: "\(error.problem) in additionalData"
                default: error.problem
                }
            throw AdapterError(.notAcceptable, at: sourceLocation(of: error.pointer), problem)
        }
    }

    private func sourceLocation(of location: JSONPointer) -> JSONPointer {
        var location = location
        while !location.tokens.isEmpty, locations[location] == nil { location.tokens.removeLast() }
        return locations[location] ?? JSONPointer()
    }
}
