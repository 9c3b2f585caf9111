package import Foundation
import Groundwork

/// A value in a query: of a field, or one that a field is compared with.
///
/// Text is in NFC, so that equal texts have equal bytes (Unicode Standard Annex #15). Dates are milliseconds since
/// 1970.
package enum QueryValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case date(Double)
    case text(String)
    /// The elements of a list that the predicate captured.
    case list([QueryValue])
    /// Any other value: a list, a dictionary or a value of the record, whose members are read by key path.
    case object(Opaque)

    /// A value of a type that queries don't interpret.
    ///
    /// Unchecked, because `Any` isn't `Sendable`. The value is a part of a record or was captured by a predicate, and
    /// both are `Sendable`.
    package struct Opaque: @unchecked Sendable {
        let value: Any
    }

    /// Converts any value of a record or a predicate.
    package init(_ value: Any) {
        switch value {
        case let value as any OptionalValue:
            if let wrapped = value.wrapped { self.init(wrapped) } else { self = .null }
        case let bool as Bool: self = .bool(bool)
        case let text as String: self.init(text: text)
        case let text as Substring: self.init(text: String(text))
        case let date as Date: self = .date((date.timeIntervalSince1970 * 1_000 * 1_000).rounded() / 1_000)
        case let number as any BinaryInteger:
            self = Int(exactly: number).map { .integer($0) } ?? .number(Double(number))
        case let number as Double: self = .number(number)
        case let number as Float: self = .number(Double(number))
        default: self = .object(Opaque(value: value))
        }
    }

    package init(text: String) {
        self = .text(text.normalized)
    }

    /// Creates the value of a date column, in whole milliseconds.
    package init(_ date: Date?) {
        self = date.map { .date(($0.timeIntervalSince1970 * 1_000).rounded()) } ?? .null
    }

    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether the value is the Boolean true.
    var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }

    /// The elements of a list or set; nil for anything else.
    var elements: [QueryValue]? {
        switch self {
        case .list(let elements): return elements
        case .object(let object):
            func open(_ sequence: some Sequence) -> [QueryValue] { sequence.map { QueryValue($0) } }
            return (object.value as? any Sequence).map { open($0) }
        default: return nil
        }
    }

    /// Returns the value at a key path.
    func member(_ keyPath: AnyKeyPath) -> QueryValue {
        let root: Any
        switch self {
        case .null: return .null
        case .bool(let bool): root = bool
        case .integer(let integer): root = integer
        case .number(let number): root = number
        case .date(let date): root = Date(timeIntervalSince1970: date / 1_000)
        case .text(let text): root = text
        case .list: return .null
        case .object(let object): root = object.value
        }
        return root[keyPath: keyPath].map { QueryValue($0) } ?? .null
    }

    /// Returns the value of a dictionary for a key.
    func value(for key: QueryValue) -> QueryValue {
        guard case .object(let object) = self, case .text(let key) = key,
            let pairs = object.value as? [String: String]
        else { return .null }
        return pairs[key].map { QueryValue(text: $0) } ?? .null
    }

    /// Returns whether both are the same value. Null equals null.
    func isEqual(to other: QueryValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let one), .bool(let other)): return one == other
        case (.text(let one), .text(let other)): return one.utf8.elementsEqual(other.utf8)
        case (.object(let one), .object(let other)):
            guard let one = one.value as? AnyHashable, let other = other.value as? AnyHashable else { return false }
            return one == other
        default: return order(to: other) == 0
        }
    }

    /// Compares two values: less than zero if this one is less, zero if they are equal; nil if they can't be compared.
    /// Text is compared by its bytes, which is the order of its Unicode scalars.
    func order(to other: QueryValue) -> Int? {
        func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Int { one < other ? -1 : one == other ? 0 : 1 }
        switch (self, other) {
        case (.integer(let one), .integer(let other)): return compare(one, other)
        case (.integer(let one), .number(let other)): return compare(Double(one), other)
        case (.number(let one), .integer(let other)): return compare(one, Double(other))
        case (.number(let one), .number(let other)): return compare(one, other)
        case (.date(let one), .date(let other)): return compare(one, other)
        case (.bool(let one), .bool(let other)): return compare(one ? 1 : 0, other ? 1 : 0)
        case (.text(let one), .text(let other)):
            if one.utf8.elementsEqual(other.utf8) { return 0 }
            return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        default: return nil
        }
    }
}

/// A type-erased optional.
package protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    package var wrapped: Any? { map { $0 as Any } }
}
