import Groundwork
import InboxModel

/// The parts that Adobe's cards and settings have in common. What makes no sense is nil.
extension JSONReader {
    /// A text's `content`, which only some may leave empty.
    func adobeText(mayBeEmpty: Bool = false) -> String? {
        guard let text = value["content"]?.stringValue, mayBeEmpty || !text.isEmpty else { return nil }
        return text
    }

    /// A picture: it needs one of `url`, `bundle` and `icon`.
    var adobeImage: Media? {
        func text(_ name: String) -> String? { value[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        let media = Media(
            url: text("url") ?? "",
            darkUrl: text("darkUrl"),
            bundle: text("bundle"),
            darkBundle: text("darkBundle"),
            icon: text("icon"),
            alt: text("alt")
        )
        return media.isEmpty ? nil : media
    }

    /// A button: it needs a `text` and an `interactId`.
    var adobeButton: MessageAction? {
        guard let text = member("text")?.adobeText(), let id = value["interactId"]?.stringValue, !id.isEmpty else {
            return nil
        }
        return MessageAction(id: id, text: text, link: value["actionUrl"]?.stringValue ?? "")
    }

    /// The buttons that make sense, each with its place.
    var adobeButtons: [(place: JSONPointer, action: MessageAction)] {
        (value.arrayValue ?? []).enumerated().compactMap { index, element in
            let reader = JSONReader(element, at: pointer / index)
            return reader.adobeButton.map { (reader.pointer, $0) }
        }
    }
}

extension JSON {
    /// A text as Adobe writes it.
    init(adobeText text: String) {
        self = ["content": .string(text)]
    }

    /// A button as Adobe writes it.
    init(adobeButton action: MessageAction) {
        var object = JSONObject([
            ("text", JSON(adobeText: action.text)), ("interactId", .string(action.id)),
        ])
        object["actionUrl"] = action.link.isEmpty ? nil : .string(action.link)
        self = .object(object)
    }
}

/// What of an object a value of ours has no place for.
extension JSONObject {
    /// The members that aren't in another object, and so of objects within; arrays that differ are whole.
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

    /// The object with a ``rest(beyond:)`` put back: what is here already stays.
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
