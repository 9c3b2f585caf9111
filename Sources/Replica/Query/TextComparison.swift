package import Foundation
import Groundwork

/// A comparison of two texts that can ignore case and accents, as `contains[cd]` in the format of a predicate does.
///
/// Neither SQL nor a server's filter has it: it is decided in memory. Texts are in NFC, and compared by their bytes.
package struct TextComparison: Hashable, Codable, Sendable {
    /// The relation in which the text has to be to the other one.
    package enum Operation: String, Hashable, Codable, Sendable {
        case equals, contains, begins, ends
        /// The other one is a pattern: `*` stands for any characters, `?` for one, and a backslash takes the meaning of
        /// the character after it.
        case matchesPattern
    }

    package var operation: Operation
    package var ignoresCase: Bool
    package var ignoresAccents: Bool

    package init(_ operation: Operation, ignoresCase: Bool = false, ignoresAccents: Bool = false) {
        (self.operation, self.ignoresCase, self.ignoresAccents) = (operation, ignoresCase, ignoresAccents)
    }

    /// Returns whether the comparison holds, in time that is proportional to the length of the one times that of the
    /// other.
    package func holds(_ text: String, _ other: String) -> Bool {
        let (text, other) = (folded(text), folded(other))
        return switch operation {
        case .equals: text.utf8.elementsEqual(other.utf8)
        case .contains: SearchText.contains(text, other)
        case .begins: text.utf8.starts(with: other.utf8)
        case .ends: text.utf8.reversed().starts(with: other.utf8.reversed())
        case .matchesPattern: Self.matches(Array(text), TextPattern(other).parts)
        }
    }

    private func folded(_ text: String) -> String {
        var options: String.CompareOptions = []
        if ignoresCase { options.insert(.caseInsensitive) }
        if ignoresAccents { options.insert(.diacriticInsensitive) }
        if options.isEmpty { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Matches without recursion: after a failure only the latest `*` takes one character more.
    private static func matches(_ text: [Character], _ pattern: [TextPattern.Part]) -> Bool {
        var (place, part) = (0, 0)
        var retry: (place: Int, part: Int)?
        while place < text.count {
            if part < pattern.count {
                switch pattern[part] {
                case .anything:
                    retry = (place, part + 1)
                    part += 1
                    continue
                case .one, .character(text[place]):
                    (place, part) = (place + 1, part + 1)
                    continue
                case .character: break
                }
            }
            guard let (start, next) = retry else { return false }
            retry = (start + 1, next)
            (place, part) = (start + 1, next)
        }
        return pattern[part...].allSatisfy { $0 == .anything }
    }
}

/// A pattern with `*` and `?`.
private struct TextPattern {
    enum Part: Hashable {
        case character(Character), one, anything
    }

    private(set) var parts: [Part] = []

    init(_ text: String) {
        var isEscaped = false
        for character in text {
            switch character {
            case _ where isEscaped:
                parts.append(.character(character))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": parts.append(.anything)
            case "?": parts.append(.one)
            default: parts.append(.character(character))
            }
        }
        if isEscaped { parts.append(.character("\\")) }
    }
}

/// The part of a predicate that compares a text with a constant by a ``TextComparison``. It is false for a text that is
/// nil.
///
/// `Root` is an expression of a `String` or of an optional one.
package struct ComparedText<Root: PredicateExpression>: PredicateExpression {
    package typealias Output = Bool

    let root: Root
    let comparison: TextComparison
    let text: String

    package init(_ root: Root, _ comparison: TextComparison, _ text: String) {
        (self.root, self.comparison, self.text) = (root, comparison, text)
    }

    package func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        guard let value = try root.evaluate(bindings) as? String else { return false }
        return comparison.holds(value.normalized, text.normalized)
    }
}

extension ComparedText: StandardPredicateExpression where Root: StandardPredicateExpression {}
extension ComparedText: Sendable where Root: Sendable {}
extension ComparedText: Codable where Root: Codable {}

extension ComparedText: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .text(.comparison(comparison), try reader.read(root), .constant(QueryValue(text: text)))
    }
}
