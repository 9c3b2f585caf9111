package import Foundation
package import Groundwork

/// A sender's validated message: all fields except the id and the person's dates.
package struct MessageContent: Sendable {
    /// The content as a JSON object, with `surface` and the ids of actions filled in. It lacks the two dates, which the
    /// server stores separately.
    package let json: JSONObject
    package let surface: String
    /// The time of delivery, or nil for immediate delivery.
    package let deliverAt: Date?
    package let expiresAt: Date?

    /// Validates a sender's message strictly.
    ///
    /// Unknown fields, wrong types and values beyond ``MessageLimits`` are rejected. Searchable texts
    /// (``MessageField/isNormalized``) are converted to Unicode normalization form C.
    ///
    /// - Parameters:
    ///   - reader: The message object with its location in the request.
    ///   - now: The time of the request. A message that has expired by then is rejected.
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        try reader.only(MessageField.sendableNames)
        var object = JSONObject()
        func add(_ field: MessageField, _ check: (JSONReader) throws(JSONValueError) -> JSON) throws(JSONValueError) {
            guard let member = reader.member(field.rawValue) else { return }
            // The stored form is checked: a text has another size in another normalization form.
            object.add(field.rawValue, try check(field.isNormalized ? member.normalized : member))
        }
        func text(_ limit: Int) -> (JSONReader) throws(JSONValueError) -> JSON {
            { (member) throws(JSONValueError) in .string(try member.string(maxBytes: limit)) }
        }

        surface = try reader.member(MessageField.surface.rawValue)?.normalized.surfaceName() ?? Message.defaultSurface
        object.add(MessageField.surface.rawValue, .string(surface))
        try add(.title, text(MessageLimits.title))
        try add(.body, text(MessageLimits.body))
        try add(.html, text(MessageLimits.html))
        try add(.media) { (member) throws(JSONValueError) in try member.media().json }
        try add(.actions) { (member) throws(JSONValueError) in try member.checkedActions() }
        for field in [MessageField.templateId, .category, .groupKey, .consentCategory, .campaignId] {
            try add(field) { (member) throws(JSONValueError) in .string(try member.name()) }
        }
        try add(.link) { (member) throws(JSONValueError) in .string(try member.actionLink()) }
        try add(.dismissButton) { (member) throws(JSONValueError) in .string(try member.dismissButton().rawValue) }
        try add(.priority) { (member) throws(JSONValueError) in JSON(try member.int(in: MessageLimits.priority)) }
        try add(.pinned) { (member) throws(JSONValueError) in .bool(try member.bool()) }
        try add(.additionalData) { (member) throws(JSONValueError) in try member.checkedPairs() }
        deliverAt = try reader.member(MessageField.deliverAt.rawValue)?.date()
        let expiry = reader.member(MessageField.expiresAt.rawValue)
        expiresAt = try expiry?.date()
        if let expiry, let expiresAt, expiresAt <= max(now, deliverAt ?? now) {
            throw expiry.failure("has to be later than now and deliverAt")
        }
        let shown: [MessageField] = [.title, .body, .html, .media]
        guard shown.contains(where: { object[$0.rawValue] != nil && object[$0.rawValue] != .string("") }) else {
            throw reader.failure("needs at least one of title, body, html, media")
        }
        json = object
    }
}

extension MessageAction {
    /// Whether a sender's message may have the action.
    package var isAcceptable: Bool { (try? JSONReader(.array([json])).checkedActions()) != nil }

    /// Returns whether an action of a sender's message may have the link.
    package static func accepts(link: String) -> Bool {
        (try? JSONReader(.string(link)).actionLink()) != nil
    }
}

extension Media {
    /// Returns whether the image of a sender's message may have a text as one of its members.
    package static func accepts(_ text: String, as member: String) -> Bool {
        var object = JSONObject([("icon", "x")])
        object[member] = .string(text)
        return (try? JSONReader(.object(object)).media()) != nil
    }
}

extension DefaultStringInterpolation {
    /// Appends the beginning of a name that is too long for an error.
    mutating func appendInterpolation(longName name: String) {
        var beginning = String.UnicodeScalarView()
        beginning.append(contentsOf: name.unicodeScalars.prefix(32))
        appendLiteral("the name \"\(String(beginning))…\"")
    }
}

extension JSONReader {
    /// The same location, with strings in normalization form C.
    fileprivate var normalized: JSONReader { JSONReader(value.normalized, at: pointer) }

    /// Returns a short name, which isn't empty, within ``MessageLimits/name``, and can be stored in a column.
    fileprivate func name() throws(JSONValueError) -> String {
        let name = try columnText(maxBytes: MessageLimits.name)
        guard !name.isEmpty else { throw failure("has to be a string that isn't empty") }
        return name
    }

    /// Returns the name of a surface, which can be a part of an address.
    fileprivate func surfaceName() throws(JSONValueError) -> String {
        let name = try name()
        guard !name.hasControlCharacters else { throw failure("must not have control characters") }
        return name
    }

    /// Returns a validated image or video.
    func media() throws(JSONValueError) -> Media {
        try only(["url", "darkUrl", "bundle", "darkBundle", "icon", "alt", "width", "height"])
        let media = Media(
            url: try member("url")?.webAddress() ?? "",
            darkURL: try member("darkUrl")?.webAddress(),
            bundle: try member("bundle")?.name(),
            darkBundle: try member("darkBundle")?.name(),
            icon: try member("icon")?.name(),
            alt: try member("alt")?.string(maxBytes: MessageLimits.alternativeText),
            width: try member("width")?.int(in: MessageLimits.pixels),
            height: try member("height")?.int(in: MessageLimits.pixels)
        )
        guard !media.isEmpty else { throw failure("needs at least one of url, bundle, icon") }
        return media
    }

    fileprivate func dismissButton() throws(JSONValueError) -> DismissButton {
        let button = DismissButton(rawValue: try string())
        if case .other = button {
            throw failure("has to be one of \(DismissButton.known.map(\.rawValue).joined(separator: ", "))")
        }
        return button
    }

    fileprivate func checkedActions() throws(JSONValueError) -> JSON {
        let readers = try elements()
        guard readers.count <= MessageLimits.actions else {
            throw failure("has more than \(MessageLimits.actions) actions")
        }
        let given = Set(readers.compactMap { $0.value["id"]?.stringValue })
        var ids: Set<String> = []
        var actions: [JSON] = []
        for (index, reader) in readers.enumerated() {
            try reader.only(["id", "text", "type", "value", "link", "actionType"])
            // The action's number, or the next one that no other action uses.
            func generatedID() -> String {
                var number = index + 1
                while given.contains(String(number)) || ids.contains(String(number)) { number += 1 }
                return String(number)
            }
            let action = MessageAction(
                id: try reader.member("id")?.name() ?? generatedID(),
                text: try reader.required("text").actionLabel(),
                type: try reader.member("type")?.string(maxBytes: MessageLimits.name) ?? "",
                value: try reader.member("value")?.string(maxBytes: MessageLimits.actionValue) ?? "",
                link: try reader.member("link")?.actionLink() ?? "",
                actionType: .init(rawValue: try reader.member("actionType")?.string(maxBytes: MessageLimits.name) ?? "")
            )
            guard ids.insert(action.id).inserted else {
                throw JSONValueError(pointer: reader.pointer / "id", problem: "is already the id of another action")
            }
            actions.append(action.json)
        }
        return .array(actions)
    }

    fileprivate func checkedPairs() throws(JSONValueError) -> JSON {
        let object = try object()
        guard object.count <= MessageLimits.additionalDataPairs else {
            throw failure("has more than \(MessageLimits.additionalDataPairs) pairs")
        }
        for member in object.members {
            let reader = JSONReader(member.value, at: pointer / member.name)
            guard member.name.utf8.count <= MessageLimits.additionalDataKey else {
                throw failure("has \(longName: member.name) of more than \(MessageLimits.additionalDataKey) bytes")
            }
            _ =
                member.name == Message.grantedConsentKey
                ? try reader.columnText(maxBytes: MessageLimits.additionalDataValue)
                : try reader.string(maxBytes: MessageLimits.additionalDataValue)
        }
        return .object(object)
    }

    /// Returns an `http` or `https` URL.
    private func webAddress() throws(JSONValueError) -> String {
        let text = try string(maxBytes: MessageLimits.url)
        guard let scheme = LinkScheme(of: text), scheme.isWeb else { throw failure("has to be an http or https URL") }
        return text
    }

    /// Returns the label of a button, which can be seen.
    fileprivate func actionLabel() throws(JSONValueError) -> String {
        let text = try string(maxBytes: MessageLimits.actionText)
        guard text.hasVisibleCharacters else { throw failure("has to have a visible character") }
        return text
    }

    /// Returns a web address or a deep link, or an empty string if there is none.
    fileprivate func actionLink() throws(JSONValueError) -> String {
        let text = try string(maxBytes: MessageLimits.url)
        guard !text.isEmpty else { return text }
        guard let scheme = LinkScheme(of: text) else { throw failure("has to be a URL with a scheme") }
        guard !scheme.isForbidden else { throw failure("must not use the scheme \(scheme.name):") }
        return text
    }
}

extension JSON {
    /// A string, or the strings in an object, in normalization form C. Names of members and other values are unchanged.
    fileprivate var normalized: JSON {
        switch self {
        case .string(let text): .string(text.normalized)
        case .object(let object): .object(JSONObject(object.members.map { ($0.name, $0.value.normalized) }))
        default: self
        }
    }
}
