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
    /// Known properties are looked up. In a longer path they are recognized by their descriptions where these are the
    /// same in each module: an optimized build has an address there. The type stands for a part without a name.
    func name(of keyPath: PartialKeyPath<Record>) -> String {
        if let name = names[keyPath] { return name }
        var path = Self.withoutRoot("\(keyPath)")
        for (known, name) in names {
            let part = Self.withoutRoot("\(known)")
            if path == part || path.hasPrefix(part + ".") || path.hasPrefix(part + "?") {
                path = name + path.dropFirst(part.count)
                break
            }
        }
        for (part, name) in Self.members { path = path.replacingOccurrences(of: part, with: name) }
        return path.replacingOccurrences(
            of: "<computed 0x[0-9a-f]+ \\((.*?)\\)>",
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
