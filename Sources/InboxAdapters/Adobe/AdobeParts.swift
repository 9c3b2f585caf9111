import Groundwork
import InboxModel

/// The parts that Adobe's cards and settings share. An invalid part is nil.
extension JSONReader {
    /// The `content` of a text, which must not be empty unless `mayBeEmpty` is true.
    func adobeText(mayBeEmpty: Bool = false) -> String? {
        guard let text = value["content"]?.stringValue, mayBeEmpty || !text.isEmpty else { return nil }
        return text
    }

    /// An image, which requires one of `url`, `bundle` and `icon`. A member that a message can't have, such as a URL
    /// that is neither `http` nor `https`, counts as absent.
    var adobeImage: Media? {
        func text(_ name: String) -> String? {
            value[name]?.stringValue.flatMap { $0.isEmpty || !Media.accepts($0, as: name) ? nil : $0 }
        }
        let media = Media(
            url: text("url") ?? "",
            darkURL: text("darkUrl"),
            bundle: text("bundle"),
            darkBundle: text("darkBundle"),
            icon: text("icon"),
            alt: text("alt")
        )
        return media.isEmpty ? nil : media
    }

    /// A button, which requires a `text` that can be seen and an `interactId`.
    private var adobeButton: MessageAction? {
        guard let text = member("text")?.adobeText(), text.hasVisibleCharacters,
            let id = value["interactId"]?.stringValue, !id.isEmpty
        else {
            return nil
        }
        return MessageAction(id: id, text: text, link: value["actionUrl"]?.stringValue ?? "")
    }

    /// The buttons that a message can have, as many as it can have. An id that a button before has is numbered.
    var adobeButtons: [MessageAction] {
        var buttons: [MessageAction] = []
        for element in value.arrayValue ?? [] where buttons.count < MessageLimits.actions {
            guard var button = JSONReader(element).adobeButton else { continue }
            let id = button.id
            var number = 1
            while buttons.contains(where: { $0.id == button.id }) {
                number += 1
                button.id = "\(id).\(number)"
            }
            if button.isAcceptable { buttons.append(button) }
        }
        return buttons
    }
}

extension JSON {
    /// Creates a text in Adobe's format.
    init(adobeText text: String) {
        self = ["content": .string(text)]
    }

    /// Creates a button in Adobe's format.
    init(adobeButton action: MessageAction) {
        var object = JSONObject([
            ("text", JSON(adobeText: action.text)), ("interactId", .string(action.id)),
        ])
        object["actionUrl"] = action.link.isEmpty ? nil : .string(action.link)
        self = .object(object)
    }
}

/// The members of an object that this package's types don't represent.
extension JSONObject {
    /// Returns the members that another object lacks, recursively. Arrays that differ are included as a whole.
    func rest(beyond other: JSONObject) -> JSONObject {
        JSONObject(
            members.compactMap { member in
                guard let known = other[member.name] else { return member }
                switch (member.value, known) {
                case (.object(let inner), .object(let known)):
                    let rest = inner.rest(beyond: known)
                    return rest.isEmpty ? nil : (member.name, .object(rest))
                case (.array, .array): return member.value == known ? nil : member
                default: return nil
                }
            }
        )
    }

    /// Returns the object with the result of ``rest(beyond:)`` merged in. Existing members take precedence.
    func adding(_ rest: JSONObject) -> JSONObject {
        var whole = self
        for member in rest.members {
            if case .object(let inner)? = whole[member.name], case .object(let more) = member.value {
                whole[member.name] = .object(inner.adding(more))
            } else {
                whole.add(member.name, member.value)
            }
        }
        return whole
    }
}
