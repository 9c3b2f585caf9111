package import InboxModel

/// The part of an inbox that a list shows, as encoded in its URL.
package struct ListView: Hashable, Sendable {
    /// The surface, or nil for the default one.
    package var surface: String?
    /// The tab.
    package var tab: InboxTab
    /// The text that is searched for, or nil for none.
    package var search: String?
    /// The server's token for the message after which the list begins. Nil to begin with the newest message.
    package var before: String?
    /// The maximum number of messages, or nil for the default.
    package var limit: Int?

    package init(
        surface: String? = nil,
        tab: InboxTab = .inbox,
        search: String? = nil,
        before: String? = nil,
        limit: Int? = nil
    ) {
        (self.surface, self.tab, self.search, self.before, self.limit) = (surface, tab, search, before, limit)
    }

    /// The list from its newest message, at its usual length.
    var start: ListView { ListView(surface: surface, tab: tab, search: search) }

    /// The names of the query parameters.
    package enum Name {
        package static let surface = "surface"
        package static let tab = "tab"
        package static let search = "q"
        package static let before = "before"
        package static let limit = "limit"
        /// The token of the action that was just done and can be undone.
        package static let undo = "undo"
        /// The notice about the last action: a ``ListNotice/Outcome``.
        package static let notice = "notice"
        /// The button that was clicked.
        package static let action = "action"
        /// The place of the link in the message's HTML that was clicked.
        package static let link = "link"
        /// The width for which a message's HTML is cleaned: `narrow`, or absent for wide views.
        package static let width = "width"
        /// The page of a button or form: `message`, or absent for the list.
        package static let page = "page"
        /// A local time that was typed for a snooze.
        package static let local = "at"
        /// The code that proves that the link was on the person's own page.
        package static let code = "code"
    }

    /// Returns the query with additional parameters: `?surface=…&limit=…`. It is empty if there are no parameters.
    func query(_ others: (name: String, value: String)...) -> String { query(others) }

    func query(_ others: [(name: String, value: String)]) -> String {
        let own = [
            (name: Name.surface, value: surface), (Name.tab, tab == .inbox ? nil : tab.rawValue),
            (Name.search, search), (Name.before, before), (Name.limit, limit.map { String($0) }),
        ].compactMap { pair in pair.value.map { (name: pair.name, value: $0) } }
        let parts = (own + others).map { "\($0.name)=\(Self.escaped($0.value))" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// Percent-encodes all bytes except the unreserved characters of RFC 3986, section 2.3.
    static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var escaped = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
