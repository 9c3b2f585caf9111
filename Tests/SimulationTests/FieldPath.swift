import Groundwork

/// A field of a message that only the person's actions change.
struct FieldPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    let id: String
    let field: String

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.id, lhs.field) < (rhs.id, rhs.field) }

    var description: String { "\(id) \(field)" }
}

/// A write of a value to a field.
struct FieldWrite: Hashable, Sendable {
    let path: FieldPath
    let value: FieldValue
}

/// The value of such a field: a date in milliseconds, or null.
struct FieldValue: Hashable, Sendable, CustomStringConvertible {
    let milliseconds: Int?

    static let null = FieldValue(milliseconds: nil)

    init(milliseconds: Int?) { self.milliseconds = milliseconds }

    init(json: JSON) { milliseconds = json.stringValue.flatMap { RFC3339.date(from: $0) }?.milliseconds }

    var description: String { milliseconds.map { String($0 / 1000 - 1_777_593_600) } ?? "null" }
}
