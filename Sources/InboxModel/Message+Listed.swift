package import Foundation
import Groundwork

// What a list shows of a message, read from its JSON text in one pass, without a tree: a card needs it each time it is
// drawn.

extension MessageDetails {
    /// The members that a card has.
    fileprivate static let cardNames: [StaticString] = ["media", "actions", "templateId", "link", "dismissButton"]

    /// The details that a card has, read from a message's JSON text in one pass, without a tree; nothing else is read.
    ///
    /// As lenient as ``init(lenient:)``, also with text that isn't JSON. Of members with the same name the first
    /// counts.
    init(cardOf text: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(text)
        do {
            var members = JSONMembers(Self.cardNames)
            while let place = try members.next(&scanner) { try readMember(place, &scanner) }
        } catch {
            self = MessageDetails()
        }
    }

    /// - Parameter place: In ``cardNames``.
    fileprivate mutating func readMember(_ place: Int, _ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        switch place {
        case 0: media = try Media(reading: &scanner)
        case 1: actions = try MessageAction.all(reading: &scanner)
        case 2: templateId = try scanner.stringValue()
        case 3: link = try scanner.stringValue()
        default: dismissButton = try scanner.stringValue().map(DismissButton.init(rawValue:))
        }
    }
}

/// Goes through an object's members of some names; the others, and repeated ones, are passed over.
private struct JSONMembers {
    private let names: [StaticString]
    private var isFirst = true
    /// A bit for each name that was there.
    private var found: UInt = 0

    init(_ names: [StaticString]) {
        self.names = names
    }

    /// The place of the next member's name, whose value is to be read then; nil at the end of the object.
    mutating func next(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Int? {
        if isFirst { try scanner.beginObject() }
        while let name = try scanner.nextName(first: isFirst) {
            isFirst = false
            if let place = scanner.place(of: name, among: names), found & (1 << UInt(place)) == 0 {
                found |= 1 << UInt(place)
                return place
            }
            _ = try scanner.skipValue()
        }
        return nil
    }
}

extension Media {
    private static let names: [StaticString] = ["url", "darkUrl", "bundle", "darkBundle", "icon", "alt"]

    /// Reads the next value, as ``init(lenient:)`` does.
    fileprivate init?(reading scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard try scanner.peek() == .object else {
            _ = try scanner.skipValue()
            return nil
        }
        var (url, darkUrl, bundle, darkBundle): (String?, String?, String?, String?)
        var (icon, alt): (String?, String?)
        var members = JSONMembers(Self.names)
        while let place = try members.next(&scanner) {
            let text = try scanner.stringValue()
            let filled = text.flatMap { $0.isEmpty ? nil : $0 }
            switch place {
            case 0: url = filled
            case 1: darkUrl = filled
            case 2: bundle = filled
            case 3: darkBundle = filled
            case 4: icon = filled
            default: alt = text
            }
        }
        self.init(url: url ?? "", darkUrl: darkUrl, bundle: bundle, darkBundle: darkBundle, icon: icon, alt: alt)
        if isEmpty { return nil }
    }
}

extension MessageAction {
    private static let names: [StaticString] = ["id", "text", "type", "value", "link", "actionType"]

    /// Reads the next value, an array of actions.
    fileprivate static func all(reading scanner: inout JSONScanner) throws(JSONSyntaxError) -> [MessageAction] {
        guard try scanner.peek() == .array else {
            _ = try scanner.skipValue()
            return []
        }
        var actions: [MessageAction] = []
        try scanner.beginArray()
        while try scanner.nextElement(first: actions.isEmpty) {
            actions.append(try MessageAction(reading: &scanner))
        }
        return actions
    }

    /// Reads the next value, as ``init(lenient:)`` does.
    private init(reading scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard try scanner.peek() == .object else {
            _ = try scanner.skipValue()
            self.init(id: "", text: "")
            return
        }
        var (id, label, type, value, link, actionType) = ("", "", "", "", "", "")
        var members = JSONMembers(Self.names)
        while let place = try members.next(&scanner) {
            let text = try scanner.stringValue() ?? ""
            switch place {
            case 0: id = text
            case 1: label = text
            case 2: type = text
            case 3: value = text
            case 4: link = text
            default: actionType = text
            }
        }
        self.init(
            id: id,
            text: label,
            type: type,
            value: value,
            link: link,
            actionType: ActionType(rawValue: actionType)
        )
    }
}

extension Message {
    private static let listedNames: [StaticString] =
        MessageDetails.cardNames + ["title", "body", "category", "pinned", "surface", "groupKey", "priority"]

    /// A message that a list shows: what a card has is read at once, the rest when it is asked for. Of the dates it has
    /// the two that are given.
    ///
    /// - Parameter content: The sender's JSON object, in UTF-8; read as leniently as ``init(json:)`` does, and of
    ///   members with the same name the first counts.
    package init(id: String, deliverAt: Date, readAt: Date?, content: UnsafeRawBufferPointer) {
        let text = content.bindMemory(to: UInt8.self)
        var details = MessageDetails()
        var (title, body, surface): (String?, String?, String?)
        var (category, groupKey): (String?, String?)
        var (pinned, priority): (Bool?, Int?)
        var scanner = JSONScanner(text)
        var members = JSONMembers(Self.listedNames)
        do {
            while let place = try members.next(&scanner) {
                switch place - MessageDetails.cardNames.count {
                case 0: title = try scanner.stringValue()
                case 1: body = try scanner.stringValue()
                case 2: category = try scanner.stringValue()
                case 3: pinned = try JSON(reading: &scanner).boolValue
                case 4: surface = try scanner.stringValue()
                case 5: groupKey = try scanner.stringValue()
                case 6: priority = try JSON(reading: &scanner).intValue
                default: try details.readMember(place, &scanner)
                }
            }
        } catch {
            // What was sent has been checked. If it can be read no further, what was read is shown.
        }
        self.init(
            id: id,
            surface: surface ?? Message.defaultSurface,
            title: title ?? "",
            body: body ?? "",
            category: category,
            groupKey: groupKey,
            priority: priority ?? 0,
            pinned: pinned ?? false,
            deliverAt: deliverAt,
            expiresAt: nil,
            details: .listed(card: details, text: Array(text))
        )
        self.readAt = readAt
    }
}
