/// A media type as in a Content-Type header (RFC 9110, section 8.3.1), validated byte by byte.
struct MediaType: Hashable, Sendable {
    /// The unchanged text.
    let text: String
    /// The text with lower-case names and a single space before each parameter.
    let normalized: String

    /// The type of bytes that were uploaded without one.
    static let octets = "application/octet-stream"

    /// The maximum size, in bytes.
    private static let limit = 255

    /// Parses a media type. Returns nil if the text isn't one, or could be taken for more than one header.
    init?(_ text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        var scanner = Scanner(rest: text.utf8[...])
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token() else { return nil }
        var normalized = "\(type)/\(subtype)".lowercased()
        scanner.skipSpaces()
        while scanner.skip(";") {
            scanner.skipSpaces()
            // A semicolon may end the list.
            guard let name = scanner.token() else { continue }
            guard scanner.skip("="), let value = scanner.token() ?? scanner.quoted() else { return nil }
            normalized += "; \(name.lowercased())=\(value)"
            scanner.skipSpaces()
        }
        guard scanner.rest.isEmpty else { return nil }
        self.text = text
        self.normalized = normalized
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: mark) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func skipSpaces() {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        }

        /// Reads a token (RFC 9110, section 5.6.2).
        mutating func token() -> String? {
            let token = rest.prefix { $0.isTokenCharacter }
            guard !token.isEmpty else { return nil }
            rest.removeFirst(token.count)
            return String(token)
        }

        /// Reads a quoted string (RFC 9110, section 5.6.4) of visible ASCII, and returns it with its quotes.
        mutating func quoted() -> String? {
            let start = rest
            guard skip("\"") else { return nil }
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(start.prefix(start.count - rest.count))
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst(), (0x20...0x7E).contains(escaped) else { return nil }
                case 0x20...0x7E: break
                default: return nil
                }
            }
            return nil
        }
    }
}

extension UInt8 {
    /// Whether a token may contain this byte (RFC 9110, section 5.6.2).
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
