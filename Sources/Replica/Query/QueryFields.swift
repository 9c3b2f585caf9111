import Foundation

/// What the key paths of a record mean to queries.
///
/// Unchecked, since a dictionary can't say that its key paths are `Sendable`: they are written out in the code, and
/// capture nothing.
package struct QueryFields<Record: Sendable>: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    private let fields: [PartialKeyPath<Record>: QueryExpression<Record>]
    /// The names of computed properties, by which errors name them: Swift knows those of stored ones alone.
    var names: [PartialKeyPath<Record>: String] = [:]

    package init(dictionaryLiteral fields: (PartialKeyPath<Record>, QueryExpression<Record>)...) {
        self.fields = Dictionary(fields) { first, _ in first }
    }

    subscript(_ keyPath: PartialKeyPath<Record>) -> QueryExpression<Record>? { fields[keyPath] }

    /// A key path as it was written, without its root: `title.count`.
    ///
    /// The description of a key path has a computed property as `<computed 0x… (Int)>`, with an address that is the
    /// same wherever the property is used. So the description of a known one shows which it is, also where it is the
    /// beginning of a longer path.
    func name(of keyPath: PartialKeyPath<Record>) -> String {
        var path = Self.withoutRoot("\(keyPath)")
        for (known, name) in names {
            let part = Self.withoutRoot("\(known)")
            if path == part || path.hasPrefix(part + ".") || path.hasPrefix(part + "?") {
                path = name + path.dropFirst(part.count)
                break
            }
        }
        for (part, name) in Self.members { path = path.replacingOccurrences(of: part, with: name) }
        // What can't be named is told by its type.
        return path.replacingOccurrences(
            of: "<computed [^(>]*\\(([^>]*)\\)>",
            with: "(a computed $1)",
            options: .regularExpression
        )
    }

    /// Members of values that a query may be asked for by mistake.
    private static var members: [(part: String, name: String)] {
        [
            (withoutRoot("\(\String.count)"), "count"), (withoutRoot("\(\String.isEmpty)"), "isEmpty"),
            (withoutRoot("\(\Date.timeIntervalSince1970)"), "timeIntervalSince1970"),
            (
                withoutRoot("\(\Date.timeIntervalSinceReferenceDate)"), "timeIntervalSinceReferenceDate"
            ),
        ]
    }

    /// `\Message.title` → `title`
    private static func withoutRoot(_ path: String) -> String {
        path.firstIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
