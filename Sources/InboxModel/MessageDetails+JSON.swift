import Groundwork

// The parser of a message's details, alone or with the rest (`ParsedMessage`). It reads JSON text in one pass, without
// building a tree, because it runs each time a card is drawn.

extension MessageDetails {
    /// A member of the details in a message's JSON object. Those that a card shows come first.
    private enum Member: Int, CaseIterable {
        case media, actions, templateID, link, dismissButton
        case html, consentCategory, additionalData, campaignID

        var name: StaticString {
            switch self {
            case .media: "media"
            case .actions: "actions"
            case .templateID: "templateId"
            case .link: "link"
            case .dismissButton: "dismissButton"
            case .html: "html"
            case .consentCategory: "consentCategory"
            case .additionalData: "additionalData"
            case .campaignID: "campaignId"
            }
        }
    }

    /// The names of all members. ``cardNames`` come first.
    static let names: [StaticString] = Member.allCases.map { $0.name }

    /// The names of the members that a card shows.
    static let cardNames: [StaticString] = Array(names.prefix(Member.html.rawValue))

    /// Reads the details from a message's JSON text.
    ///
    /// Members that are missing or of another type get their defaults, and so do all members if the text isn't JSON.
    /// The first of repeated members counts.
    ///
    /// - Parameter names: The members to read: ``names`` or ``cardNames``.
    init(text: UnsafeBufferPointer<UInt8>, names: [StaticString] = Self.names) {
        var scanner = JSONScanner(text)
        do {
            var members = JSONMembers(names)
            while let index = try members.next(&scanner) { try readMember(index, &scanner) }
        } catch {
            self = MessageDetails()
        }
    }

    /// Reads the value of a member.
    ///
    /// - Parameter index: The member's index in ``names``.
    mutating func readMember(_ index: Int, _ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        switch Member(rawValue: index) {
        case .media: media = try Media(reading: &scanner)
        case .actions: actions = try MessageAction.all(reading: &scanner)
        case .templateID: templateID = try scanner.stringValue()
        case .link: link = try scanner.stringValue()
        case .dismissButton: dismissButton = try scanner.stringValue().map(DismissButton.init(rawValue:))
        case .html: html = try scanner.stringValue()
        case .consentCategory: consentCategory = try scanner.stringValue()
        case .additionalData:
            let pairs = try JSON(reading: &scanner).objectValue?.members ?? []
            additionalData = pairs.reduce(into: [:]) { data, pair in data[pair.name] = pair.value.stringValue }
        case .campaignID: campaignID = try scanner.stringValue()
        case nil: _ = try scanner.skipValue()
        }
    }
}

/// An iterator over an object's members with given names. Other members, and repeated ones, are skipped.
struct JSONMembers {
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
    private static let names: [StaticString] = [
        "url", "darkUrl", "bundle", "darkBundle", "icon", "alt", "width", "height",
    ]

    /// Reads the next value. Returns nil if neither URL, image nor symbol is set.
    init?(reading scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard try scanner.peek() == .object else {
            _ = try scanner.skipValue()
            return nil
        }
        var (url, darkURL, bundle, darkBundle): (String?, String?, String?, String?)
        var (icon, alt): (String?, String?)
        var (width, height): (Int?, Int?)
        var members = JSONMembers(Self.names)
        while let index = try members.next(&scanner) {
            if index >= 6 {
                let size = try scanner.pixels()
                if index == 6 { width = size } else { height = size }
                continue
            }
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
        (self.width, self.height) = (width, height)
        if isEmpty { return nil }
    }

    /// Reads a server's object. Returns nil if neither URL, image nor symbol is set.
    init?(json: JSON) {
        let media = json.utf8.withUnsafeBufferPointer { text in
            var scanner = JSONScanner(text)
            return try? Media(reading: &scanner)
        }
        guard let media else { return nil }
        self = media
    }
}

extension MessageAction {
    private static let names: [StaticString] = ["id", "text", "type", "value", "link", "actionType"]

    /// Reads the next value, an array of actions.
    static func all(reading scanner: inout JSONScanner) throws(JSONSyntaxError) -> [MessageAction] {
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

    /// Reads the next value. Members that are missing or of another type are empty.
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

extension JSONScanner {
    /// Reads the next value as a number of pixels. Returns nil if it isn't one.
    fileprivate mutating func pixels() throws(JSONSyntaxError) -> Int? {
        let range = try skipValue()
        guard let number = Double(String(decoding: bytes[range], as: UTF8.self)), let pixels = Int(exactly: number),
            MessageLimits.pixels.contains(pixels)
        else { return nil }
        return pixels
    }
}
