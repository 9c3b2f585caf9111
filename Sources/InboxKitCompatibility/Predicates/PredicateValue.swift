import Foundation

/// A value in a predicate.
enum PredicateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case date(Date)
    case list([PredicateValue])

    /// Converts an argument or a constant: a text, a Boolean, a number, a date, or a list or set of them.
    ///
    /// - Returns: Nil for any other value, and for a list in a list.
    init?(_ value: Any?) {
        self.init(value, isElement: false)
    }

    private init?(_ value: Any?, isElement: Bool) {
        switch value {
        case nil, is NSNull: self = .null
        case let text as String: self = .text(text)
        case let text as Substring: self = .text(String(text))
        case let date as Date: self = .date(date)
        case let list as any Collection where !isElement:
            func elements(_ list: some Collection) -> [PredicateValue]? {
                var values: [PredicateValue] = []
                for element in list {
                    guard let value = PredicateValue(element, isElement: true) else { return nil }
                    values.append(value)
                }
                return values
            }
            guard let values = elements(list) else { return nil }
            self = .list(values)
        case let bool as Bool: self = .bool(bool)
        case let integer as any BinaryInteger: self = .number(Double(integer))
        case let float as any BinaryFloatingPoint: self = .number(Double(float))
        case let number as NSNumber: self = .number(number.doubleValue)
        default: return nil
        }
    }

    /// The text; nil for another type.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The date; nil for another type.
    var date: Date? { if case .date(let date) = self { date } else { nil } }

    /// The Boolean, also as the number 0 or 1, which is how `NSPredicate` writes it; nil for another value.
    var bool: Bool? {
        switch self {
        case .bool(let bool): bool
        case .number(0): false
        case .number(1): true
        default: nil
        }
    }

    /// The elements; nil if it isn't a list.
    var list: [PredicateValue]? { if case .list(let list) = self { list } else { nil } }

    /// The number of values.
    var count: Int { list?.count ?? 1 }

    /// The texts of a list; nil if it isn't one, or has an element that isn't a text.
    var texts: [String]? {
        guard let list else { return nil }
        let texts = list.compactMap(\.text)
        return texts.count == list.count ? texts : nil
    }

    /// The dates of a list; nil if it isn't one, or has an element that isn't a date.
    var dates: [Date]? {
        guard let list else { return nil }
        let dates = list.compactMap(\.date)
        return dates.count == list.count ? dates : nil
    }
}
