import GRDB

extension QueryFilter {
    /// Returns a condition for `WHERE`, and adds its arguments; nil if everything is left open. The condition may be
    /// null instead of false.
    ///
    /// It uses only columns: values in a record's JSON aren't in NFC, and are matched in memory.
    func sql(_ arguments: inout StatementArguments) -> String? {
        switch self {
        case .open: return nil
        case .condition(let condition): return condition.sql(&arguments)
        case .all(let parts):
            let texts = parts.compactMap { $0.sql(&arguments) }
            return texts.isEmpty ? (parts.isEmpty ? "true" : nil) : texts.joined(separator: " AND ")
        case .any(let parts):
            guard !parts.isEmpty else { return "false" }
            let before = arguments
            var texts: [String] = []
            for part in parts {
                guard let text = part.sql(&arguments) else {
                    // A part that is left open may match any record, and so may the whole.
                    arguments = before
                    return nil
                }
                texts.append("(\(text))")
            }
            return "(\(texts.joined(separator: " OR ")))"
        }
    }

    /// The part of the filter that ``sql(_:)`` decides.
    package var inColumns: QueryFilter {
        keeping { field in if case .column = field { true } else { false } }
    }
}

extension QueryFilter.Condition {
    fileprivate func sql(_ arguments: inout StatementArguments) -> String? {
        guard case .column(let column) = field else { return nil }
        let name = "\"\(column.name)\""
        func bind(_ constant: QueryFilter.Constant) -> String {
            arguments += [constant.databaseValue]
            return "?"
        }
        func bind(_ text: String) -> String { bind(.text(text)) }
        /// Negates SQL if the condition is negated. The SQL is null for a null field, for which the negation is true.
        func negated(_ sql: String) -> String { isNegated ? "(\(name) IS NULL OR NOT (\(sql)))" : sql }
        switch comparison {
        case .equal(.null): return isNegated ? "\(name) IS NOT NULL" : "\(name) IS NULL"
        case .equal(let constant): return isNegated ? "\(name) IS NOT \(bind(constant))" : "\(name) = \(bind(constant))"
        case .less(let bound): return negated("\(name) < \(bind(bound))")
        case .lessOrEqual(let bound): return negated("\(name) <= \(bind(bound))")
        case .greater(let bound): return negated("\(name) > \(bind(bound))")
        case .greaterOrEqual(let bound): return negated("\(name) >= \(bind(bound))")
        case .contains(let part): return negated("instr(\(name), \(bind(part))) > 0")
        case .hasMember(let member): return negated("instr(\(name), \(bind("\"\(member)\""))) > 0")
        case .startsWith(let part): return negated("substr(\(name), 1, length(\(bind(part)))) = \(bind(part))")
        case .isIn(let constants):
            let values = constants.filter { $0 != .null }
            let hasNull = values.count < constants.count
            let list = Self.padded(values).map { bind($0) }.joined(separator: ", ")
            let isIn = values.isEmpty ? "false" : "(\(name) IS NOT NULL AND \(name) IN (\(list)))"
            let positive = hasNull ? "(\(name) IS NULL OR \(isIn))" : isIn
            return isNegated ? "NOT \(positive)" : positive
        }
    }

    /// Returns a list of more than four values padded to the next power of two with its last value, so that lists of
    /// all lengths share a few cached statements. (With `json_each`, one statement would suffice, but SQLite then
    /// doesn't use an index for a short list.)
    private static func padded(_ values: [QueryFilter.Constant]) -> [QueryFilter.Constant] {
        guard values.count > 4, let last = values.last else { return values }
        var count = 8
        while count < values.count { count *= 2 }
        return values + Array(repeating: last, count: count - values.count)
    }
}

extension QueryFilter.Constant {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .bool(let bool): bool.databaseValue
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}
