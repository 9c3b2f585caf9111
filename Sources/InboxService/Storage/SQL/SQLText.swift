import Groundwork

/// The text of a statement, for SQLite and for PostgreSQL.
///
/// Most texts are the same for both. Where they differ, both are written by hand. Parameters are written as in SQLite:
/// `?1` has a number, and `?` has the one after the greatest before it. For PostgreSQL, ``postgres`` writes them as
/// `$1`, and leaves out what only directs SQLite's planner: `INDEXED BY` with its name, and the `CROSS` of a join.
struct SQLText: Sendable {
    let sqlite: String
    /// The text for PostgreSQL before its parameters are numbered. Nil if it is the same.
    private let other: String?

    /// Creates a text that is the same for both.
    init(_ text: String) {
        (sqlite, other) = (text, nil)
    }

    /// Creates a text that differs.
    init(sqlite: String, postgres: String) {
        (self.sqlite, other) = (sqlite, postgres)
    }

    /// The text for PostgreSQL before its parameters are numbered.
    var source: String { other ?? sqlite }
}

extension SQLText: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) {
        self.init(text)
    }

    init(stringInterpolation parts: StringInterpolation) {
        (sqlite, other) = (parts.sqlite, parts.other)
    }

    /// Text that may contain parts that differ between the databases. What isn't an ``SQLText`` is inserted as it is,
    /// so it must never come from outside.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sqlite = ""
        /// The other text, once a part has differed.
        fileprivate var other: String?

        init(literalCapacity: Int, interpolationCount: Int) {
            sqlite.reserveCapacity(literalCapacity * 2)
        }

        mutating func appendLiteral(_ text: String) {
            sqlite += text
            other? += text
        }

        mutating func appendInterpolation(_ text: String) {
            appendLiteral(text)
        }

        mutating func appendInterpolation(_ number: Int) {
            appendLiteral(String(number))
        }

        mutating func appendInterpolation(_ part: SQLText) {
            if part.other != nil, other == nil { other = sqlite }
            sqlite += part.sqlite
            other? += part.source
        }
    }

    /// Returns the texts one after the other.
    static func joined(_ parts: [SQLText], separator: String = "") -> SQLText {
        let sqlite = parts.map(\.sqlite).joined(separator: separator)
        guard parts.contains(where: { $0.other != nil }) else { return SQLText(sqlite) }
        return SQLText(sqlite: sqlite, postgres: parts.map(\.source).joined(separator: separator))
    }
}

extension SQLText {
    /// The text for PostgreSQL. It is derived once, and kept if `isKept`.
    func postgres(isKept: Bool) -> String {
        let source = source
        if isKept, let known = Self.derived.withLock({ $0[source] }) { return known }
        let text = Self.derive(source)
        if isKept { Self.derived.withLock { $0[source] = text } }
        return text
    }

    // By the text before. Accessed only in `withLock`. Its texts are those of the source code, so they are few.
    private static let derived = Locked<[String: String]>([:])

    /// Returns a text with PostgreSQL's parameters and without SQLite's directives.
    static func derive(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var rest = text[...]
        var greatest = 0
        while let character = rest.first {
            switch character {
            case "'", "\"":
                // To the end of the text or name in quotes. A doubled quote ends it and begins the next.
                let end = rest.dropFirst().firstIndex(of: character).map(rest.index(after:)) ?? rest.endIndex
                result += rest[..<end]
                rest = rest[end...]
            case "?":
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                let number = Int(digits) ?? greatest + 1
                greatest = max(greatest, number)
                result += "$\(number)"
                rest = rest[digits.endIndex...]
            // A lateral one is PostgreSQL's own.
            case "C" where rest.hasPrefix("CROSS JOIN ") && !rest.hasPrefix("CROSS JOIN LATERAL "):
                rest = rest.dropFirst("CROSS ".count)
            case "I" where rest.hasPrefix("INDEXED BY "):
                rest = rest.dropFirst("INDEXED BY ".count).drop { $0.isLetter || $0.isNumber || $0 == "_" }
            default:
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
