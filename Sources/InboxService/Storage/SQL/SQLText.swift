/// The text of a statement, for SQLite and for PostgreSQL.
///
/// Most texts are the same for both. Where they differ, both are written by hand. Parameters are written as in SQLite:
/// `?1` has a number, and `?` has the one after the greatest before it. For PostgreSQL, ``postgres`` writes them as
/// `$1`, and leaves out the hints for SQLite's planner: `INDEXED BY` with its name, and the `CROSS` of a join.
///
/// A text with ``deliveryOfPerson`` has a form for each partition of the table. One that reads messages has a form for
/// reads of one person, who may read views of `message` alone.
struct SQLText: Sendable {
    let sqlite: String
    /// The text for PostgreSQL before its parameters are numbered. Nil if it is the same.
    private let other: String?
    /// The text for PostgreSQL where only one person's rows are read. Nil if it is the same as elsewhere.
    private let personal: String?

    /// Creates a text that is the same for both.
    init(_ text: String) {
        (sqlite, other, personal) = (text, nil, nil)
    }

    /// Creates a text that differs.
    ///
    /// - Parameter personal: The text for PostgreSQL where only one person's rows are read. Nil if it is `postgres`.
    init(sqlite: String, postgres: String, personal: String? = nil) {
        (self.sqlite, other, self.personal) = (sqlite, postgres, personal)
    }

    /// The table `delivery`, for statements of one person. Where a person's rows are read, PostgreSQL receives the name
    /// of the person's partition, which it plans faster.
    ///
    /// Each connection prepares such a statement once for each partition. So the few that nearly each device runs have
    /// it, and ``partitionedStatements`` counts them.
    static let deliveryOfPerson = SQLText(sqlite: "delivery", postgres: "delivery\(partitionMark)")

    /// The number of statements of reads that are prepared for each partition: the ids of the newest messages that
    /// weren't deleted, with the messages and without, messages by their ids, and the state of an inbox.
    static let partitionedStatements = 4

    /// The table `person`, for statements of one person that nearly each read or write runs. For the table itself, each
    /// of them would lock all partitions.
    static let ofPerson = SQLText(sqlite: "person", postgres: "person\(partitionMark)")

    /// The number of statements of writes that are prepared for each partition: a lock of the person's row, with the
    /// expected sequence and without, and an update of the sequence.
    static let partitionedWrites = 3

    /// The mark after a table's name for the number of the partition.
    static let partitionMark = "@person"

    /// The suffix of a partition's name, after its table's.
    static func partitionSuffix(_ number: Int) -> String { number < 10 ? "_0\(number)" : "_\(number)" }

    /// The text for PostgreSQL before its parameters are numbered.
    var source: String { other ?? sqlite }

    /// The text for PostgreSQL where only one person's rows are read.
    var personalSource: String { personal ?? source }
}

extension SQLText: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) {
        self.init(text)
    }

    init(stringInterpolation parts: StringInterpolation) {
        (sqlite, other, personal) = (parts.sqlite, parts.other, parts.personal)
    }

    /// Text that may contain parts that differ between the databases. Any other value than an ``SQLText`` is inserted
    /// unchanged, so it must never come from outside.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sqlite = ""
        /// The other text, once a part has differed.
        fileprivate var other: String?
        /// The text where only one person's rows are read, once a part has differed there.
        fileprivate var personal: String?

        init(literalCapacity: Int, interpolationCount: Int) {
            sqlite.reserveCapacity(literalCapacity * 2)
        }

        mutating func appendLiteral(_ text: String) {
            sqlite += text
            other? += text
            personal? += text
        }

        mutating func appendInterpolation(_ text: String) {
            appendLiteral(text)
        }

        mutating func appendInterpolation(_ number: Int) {
            appendLiteral(String(number))
        }

        mutating func appendInterpolation(_ part: SQLText) {
            if part.personal != nil, personal == nil { personal = other ?? sqlite }
            if part.other != nil, other == nil { other = sqlite }
            sqlite += part.sqlite
            other? += part.source
            personal? += part.personalSource
        }
    }

    /// Returns the texts one after the other.
    static func joined(_ parts: [SQLText], separator: String = "") -> SQLText {
        let sqlite = parts.map(\.sqlite).joined(separator: separator)
        guard parts.contains(where: { $0.other != nil || $0.personal != nil }) else { return SQLText(sqlite) }
        return SQLText(
            sqlite: sqlite,
            postgres: parts.map(\.source).joined(separator: separator),
            personal: parts.map(\.personalSource).joined(separator: separator)
        )
    }
}

extension SQLText {
    /// Returns the text for PostgreSQL.
    ///
    /// - Parameters:
    ///   - partition: The number of the partition whose name a table has. Nil for the table's own name.
    ///   - isPersonal: Whether only one person's rows are read.
    func postgres(partition: Int? = nil, isPersonal: Bool = false) -> String {
        Self.derive(isPersonal ? personalSource : source, partition: partition)
    }

    /// Returns a text with PostgreSQL's parameters and without SQLite's directives. It is derived for each statement
    /// that is sent, so it is read as bytes: what is replaced is ASCII.
    ///
    /// - Parameter partition: The number of the partition that replaces each mark of one. Nil for none.
    static func derive(_ text: String, partition: Int? = nil) -> String {
        let suffix = partition.map(partitionSuffix) ?? ""
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var rest = Array(text.utf8)[...]
        var greatest = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                // To the end of the text or name in quotes. A doubled quote ends it and begins the next.
                let end = rest.dropFirst().firstIndex(of: byte).map { $0 + 1 } ?? rest.endIndex
                result += rest[..<end]
                rest = rest[end...]
            case UInt8(ascii: "?"):
                let digits = rest.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? greatest + 1
                greatest = max(greatest, number)
                result += "$\(number)".utf8
                rest = rest[digits.endIndex...]
            // A lateral one is PostgreSQL's own.
            case UInt8(ascii: "C")
            where rest.starts(with: "CROSS JOIN ".utf8) && !rest.starts(with: "CROSS JOIN LATERAL ".utf8):
                rest = rest.dropFirst("CROSS ".utf8.count)
            case UInt8(ascii: "I") where rest.starts(with: "INDEXED BY ".utf8):
                rest = rest.dropFirst("INDEXED BY ".utf8.count).drop { byte in
                    let character = Character(Unicode.Scalar(byte))
                    return character.isLetter || character.isNumber || character == "_"
                }
            case UInt8(ascii: "@") where rest.starts(with: partitionMark.utf8):
                result += suffix.utf8
                rest = rest.dropFirst(partitionMark.utf8.count)
            default:
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
