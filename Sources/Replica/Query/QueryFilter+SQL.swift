import GRDB

extension QueryFilter {
    /// A condition for `WHERE`, with its arguments added; nil where it leaves everything open. It may be null where it
    /// doesn't hold.
    ///
    /// Columns only: what lies in a record's JSON isn't in NFC, and is left to the reading in memory.
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
                    // One that may hold for any record: so may all of them.
                    arguments = before
                    return nil
                }
                texts.append("(\(text))")
            }
            return "(\(texts.joined(separator: " OR ")))"
        }
    }

    /// What ``sql(_:)`` decides.
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
        /// The negation of what is null for a field that is.
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

    /// A list of more than four values with its last one repeated up to the next power of two, so that lists of all
    /// lengths are but a few statements, each of which is kept. (`json_each` would make them one, but SQLite then looks
    /// no short list up in an index.)
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
