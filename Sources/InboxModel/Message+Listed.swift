package import Foundation
import Groundwork

// A second parser, which reads what a list shows of a message in one pass over its JSON text, without building a tree.
// It runs each time a card is drawn.

extension MessageDetails {
    /// The members that a card shows.
    fileprivate static let cardNames: [StaticString] = ["media", "actions", "templateId", "link", "dismissButton"]

    /// Reads the details that a card shows from a message's JSON text in one pass. Nothing else is decoded.
    ///
    /// It is as lenient as ``init(lenient:)``, even if the text isn't JSON. Of repeated members the first counts.
    init(cardOf text: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(text)
        do {
            var members = JSONMembers(Self.cardNames)
            while let index = try members.next(&scanner) { try readMember(index, &scanner) }
        } catch {
            self = MessageDetails()
        }
    }

    /// Reads the value of a member.
    ///
    /// - Parameter index: The member's index in ``cardNames``.
    fileprivate mutating func readMember(_ index: Int, _ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        switch index {
        case 0: media = try Media(reading: &scanner)
        case 1: actions = try MessageAction.all(reading: &scanner)
        case 2: templateID = try scanner.stringValue()
        case 3: link = try scanner.stringValue()
        default: dismissButton = try scanner.stringValue().map(DismissButton.init(rawValue:))
        }
    }
}

/// An iterator over an object's members with given names. Other members, and repeated ones, are skipped.
private struct JSONMembers {
    private let names: [StaticString]
    private var isFirst = true
    /// A bit for each name that was found.
    private var found: UInt = 0

    init(_ names: [StaticString]) {
        self.names = names
    }

    /// Returns the index of the next member's name, or nil at the end of the object. The caller reads the value next.
    mutating func next(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Int? {
        if isFirst { try scanner.beginObject() }
        while let name = try scanner.nextName(first: isFirst) {
            isFirst = false
            if let index = scanner.index(of: name, among: names), found & (1 << UInt(index)) == 0 {
                found |= 1 << UInt(index)
                return index
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
        var (url, darkURL, bundle, darkBundle): (String?, String?, String?, String?)
        var (icon, alt): (String?, String?)
        var members = JSONMembers(Self.names)
        while let index = try members.next(&scanner) {
            let text = try scanner.stringValue()
            let filled = text.flatMap { $0.isEmpty ? nil : $0 }
            switch index {
            case 0: url = filled
            case 1: darkURL = filled
            case 2: bundle = filled
            case 3: darkBundle = filled
            case 4: icon = filled
            default: alt = text
            }
        }
        self.init(url: url ?? "", darkURL: darkURL, bundle: bundle, darkBundle: darkBundle, icon: icon, alt: alt)
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
        while let index = try members.next(&scanner) {
            let text = try scanner.stringValue() ?? ""
            switch index {
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

    /// Creates a message for a list. What a card shows is decoded at once, the rest on access. The only dates are the
    /// two parameters.
    ///
    /// - Parameter content: The sender's JSON object, in UTF-8. It is read as leniently as by ``init(json:)``, and of
    ///   repeated members the first counts.
    package init(id: String, deliverAt: Date, readAt: Date?, content: UnsafeRawBufferPointer) {
        let text = content.bindMemory(to: UInt8.self)
        var details = MessageDetails()
        var (title, body, surface): (String?, String?, String?)
        var (category, groupKey): (String?, String?)
        var (pinned, priority): (Bool?, Int?)
        var scanner = JSONScanner(text)
        var members = JSONMembers(Self.listedNames)
        do {
            while let index = try members.next(&scanner) {
                switch index - MessageDetails.cardNames.count {
                case 0: title = try scanner.stringValue()
                case 1: body = try scanner.stringValue()
                case 2: category = try scanner.stringValue()
                case 3: pinned = try JSON(reading: &scanner).boolValue
                case 4: surface = try scanner.stringValue()
                case 5: groupKey = try scanner.stringValue()
                case 6: priority = try JSON(reading: &scanner).intValue
                default: try details.readMember(index, &scanner)
                }
            }
        } catch {
            // The content was validated when it was sent. If it can't be read further, the message has the members
            // before the error.
        }
        self.init(
            id: id,
            surface: surface ?? Message.defaultSurface,
            title: title ?? "",
            body: body ?? "",
            category: category,
            groupKey: groupKey,
            priority: priority ?? 0,
            isPinned: pinned ?? false,
            deliverAt: deliverAt,
            expiresAt: nil,
            details: .listed(card: details, text: Array(text))
        )
        self.readAt = readAt
    }
}
