/// Which part of which inbox a list shows: what its address says.
package struct ListView: Hashable, Sendable {
    /// The surface; nil for the usual one.
    package var surface: String?
    /// After which message it begins, as the server has written it; nil for the newest.
    package var before: String?
    /// How many messages it has at most; nil for as many as is usual.
    package var limit: Int?

    package init(surface: String? = nil, before: String? = nil, limit: Int? = nil) {
        (self.surface, self.before, self.limit) = (surface, before, limit)
    }

    /// The names of the parameters.
    package enum Name {
        package static let surface = "surface"
        package static let before = "before"
        package static let limit = "limit"
        /// The message that was just sent away or archived.
        package static let undo = "undo"
        /// The button that was pressed.
        package static let action = "action"
        /// What shows that the link was on the person's own page.
        package static let code = "code"
    }

    /// The parameters, with others that follow: `?surface=…&limit=…`; empty for none.
    func query(_ others: (name: String, value: String)...) -> String { query(others) }

    func query(_ others: [(name: String, value: String)]) -> String {
        let own = [
            (name: Name.surface, value: surface), (Name.before, before), (Name.limit, limit.map { String($0) }),
        ].compactMap { pair in pair.value.map { (name: pair.name, value: $0) } }
        let parts = (own + others).map { "\($0.name)=\(Self.escaped($0.value))" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// Escapes all but the unreserved characters of RFC 3986 §2.3.
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
