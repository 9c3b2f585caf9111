package import Foundation
package import InboxModel
import Groundwork

/// A message of another system as ours: checked, and with what the person did with it there.
package struct AdaptedMessage: Sendable {
    /// The other system's id of it.
    package let externalID: String
    /// What it says, without its dates.
    package let content: MessageContent
    /// When it was delivered there; nil where nothing says so.
    package let deliveredAt: Date?
    package let expiresAt: Date?
    /// What the person did with it there.
    package let status: MessageStatus

    /// Makes sure that an id can name a message: neither empty nor longer than a name, and without control characters.
    ///
    /// - Throws: ``AdapterError`` `noID` or `notAcceptable`.
    static func check(_ id: String, at place: JSONPointer) throws(AdapterError) {
        guard !id.isEmpty else { throw AdapterError(.noID, at: place, "is required") }
        let isPlain = id.unicodeScalars.allSatisfy { $0.value > 0x1F && !(0x7F...0x9F).contains($0.value) }
        guard isPlain, id.utf8.count <= MessageLimits.name else {
            throw AdapterError(
                .notAcceptable,
                at: place,
                "has to be 1 to \(MessageLimits.name) bytes without control characters"
            )
        }
    }
}

/// A message of ours in the making, which remembers where each part came from, so that what is wrong is shown there.
struct MessageDraft {
    private var object = JSONObject()
    private var pairs = JSONObject()
    private var actions: [MessageAction] = []
    /// Theirs by ours.
    private var places: [JSONPointer: JSONPointer] = [:]

    /// - Parameter place: What is as a whole wrong, is wrong there.
    init(at place: JSONPointer) {
        places[JSONPointer()] = place
    }

    /// Sets a field; a nil value leaves it out.
    mutating func set(_ field: MessageField, _ value: JSON?, from place: JSONPointer) {
        object[field.rawValue] = value
        places[JSONPointer([field.rawValue])] = place
    }

    /// Adds an action.
    ///
    /// - Parameter names: Their names of its parts, by ours.
    mutating func add(_ action: MessageAction, from place: JSONPointer, names: [String: String] = [:]) {
        let own = JSONPointer([MessageField.actions.rawValue]) / actions.count
        places[own] = place
        for name in ["text", "type", "value", "link", "actionType"] {
            places[own / name] = place / (names[name] ?? name)
        }
        actions.append(action)
    }

    /// Where the array of actions is, for what is wrong with it as a whole.
    mutating func setActionsPlace(_ place: JSONPointer) {
        places[JSONPointer([MessageField.actions.rawValue])] = place
    }

    /// Keeps as text what a message of ours has no field for; null, and a name that is there already, is left out.
    mutating func keep(_ name: String, _ value: JSON, from place: JSONPointer) {
        guard let text = value.anyText, pairs.add(name, .string(text)) else { return }
        places[JSONPointer([MessageField.additionalData.rawValue, name])] = place
    }

    /// Checks it as a sender's message is checked.
    ///
    /// - Throws: ``AdapterError`` `notAcceptable`, with the place in their message.
    func checked() throws(AdapterError) -> MessageContent {
        var whole = object
        if !actions.isEmpty { whole.add(MessageField.actions.rawValue, .array(actions.map(\.json))) }
        if !pairs.isEmpty { whole.add(MessageField.additionalData.rawValue, .object(pairs)) }
        do {
            // It has no dates, so it makes no difference when it is checked.
            return try MessageContent(checking: JSONReader(.object(whole)), now: .distantPast)
        } catch {
            let isEmpty = error.pointer.tokens.isEmpty
            throw AdapterError(
                .notAcceptable,
                at: theirs(of: error.pointer),
                isEmpty ? "has nothing to show: it needs a title, a text or a picture" : error.problem
            )
        }
    }

    private func theirs(of place: JSONPointer) -> JSONPointer {
        var place = place
        while !place.tokens.isEmpty, places[place] == nil { place.tokens.removeLast() }
        return places[place] ?? JSONPointer()
    }
}
