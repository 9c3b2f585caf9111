import Foundation

/// The meaning of a record's key paths in queries.
///
/// Unchecked, because a dictionary can't declare that its key paths are `Sendable`. They are literals in the code, and
/// capture nothing.
package struct QueryFields<Record: Sendable>: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    private let fields: [PartialKeyPath<Record>: QueryExpression<Record>]
    /// The names of computed properties, for errors. Swift provides only those of stored properties.
    var names: [PartialKeyPath<Record>: String] = [:]

    package init(dictionaryLiteral fields: (PartialKeyPath<Record>, QueryExpression<Record>)...) {
        self.fields = Dictionary(fields) { first, _ in first }
    }

    subscript(_ keyPath: PartialKeyPath<Record>) -> QueryExpression<Record>? { fields[keyPath] }

    /// Returns a key path as it was written, without its root: `title.count`.
    ///
    /// Known properties are looked up. In a longer path they are recognized by their descriptions if these are the same
    /// in each module: an optimized build has an address there. A part without a name is described by its type.
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

    /// The descriptions and names of members of values that queries may use by mistake.
    private static var members: [(part: String, name: String)] {
        [
            (withoutRoot("\(\String.count)"), "count"), (withoutRoot("\(\String.isEmpty)"), "isEmpty"),
            (withoutRoot("\(\Date.timeIntervalSince1970)"), "timeIntervalSince1970"),
            (
                withoutRoot("\(\Date.timeIntervalSinceReferenceDate)"), "timeIntervalSinceReferenceDate"
            ),
        ]
    }

    /// `\Note.title` → `title`
    private static func withoutRoot(_ path: String) -> String {
        path.firstIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
