/// A location in a JSON document (RFC 6901), such as `/message/actions/0/link`.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The unescaped steps from the root: member names and element indexes.
    package var tokens: [String]

    package init(_ tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Parses a pointer. Returns nil if the text is neither empty nor starts with `/`, or if an escape is malformed.
    package init?(parsing text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        // Compares scalars, since a combining mark after "/" or "~" would form another `Character`.
        guard text.unicodeScalars.first == "/" else { return nil }
        tokens = []
        for part in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            var token = String.UnicodeScalarView()
            var rest = part
            while let scalar = rest.popFirst() {
                guard scalar == "~" else {
                    token.append(scalar)
                    continue
                }
                switch rest.popFirst() {
                case "0": token.append("~")
                case "1": token.append("/")
                default: return nil
                }
            }
            tokens.append(String(token))
        }
    }

    package static func / (pointer: JSONPointer, token: String) -> JSONPointer {
        JSONPointer(pointer.tokens + [token])
    }

    package static func / (pointer: JSONPointer, index: Int) -> JSONPointer {
        JSONPointer(pointer.tokens + [String(index)])
    }

    package var description: String {
        tokens.map { "/" + Self.escape($0) }.joined()
    }

    private static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        var escaped = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
