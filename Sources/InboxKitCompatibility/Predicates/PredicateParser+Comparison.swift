import Foundation

/// A side of a comparison, with its place.
private enum PredicateOperand {
    case keyPath(String, Int)
    case value(PredicateValue, Int)

    var place: Int {
        switch self {
        case .keyPath(_, let place), .value(_, let place): place
        }
    }
}

// A comparison is `[ANY | SOME | ALL | NONE] operand operator[options] operand`. An operand is a key path, a text in
// quotes of either kind, a number, YES, NO, NIL, a list in braces, an argument, or a date as `CAST(seconds, "NSDate")`,
// which is how `NSPredicate` writes one.
extension PredicateParser {
    /// Reads a comparison.
    mutating func comparison() throws(INPredicateError) -> PredicateComparison {
        let modifier = try modifier()
        let left = try operand()
        let place = token.place
        let operation = try operation()
        let options = try options()
        let right = try operand()
        var comparison: PredicateComparison
        switch (left, right) {
        case (.keyPath(let keyPath, let place), .value(let value, _)):
            comparison = PredicateComparison(keyPath, operation, value, modifier: modifier, offset: place)
        case (.value(let value, _), .keyPath(let keyPath, let keyPathPlace)):
            guard modifier == .direct, let operation = operation.mirrored else {
                throw INPredicateError(
                    .unsupported,
                    at: place,
                    "the property has to be on the left of \(operation.name)"
                )
            }
            comparison = PredicateComparison(keyPath, operation, value, offset: keyPathPlace)
        case (.keyPath, .keyPath):
            throw INPredicateError(
                .unsupported,
                at: right.place,
                "a property can't be compared with another one; a text needs quotes"
            )
        case (.value, .value):
            throw INPredicateError(.unsupported, at: left.place, "the comparison has no property")
        }
        (comparison.ignoresCase, comparison.ignoresAccents) = options
        return comparison
    }

    private mutating func modifier() throws(INPredicateError) -> PredicateComparison.Modifier {
        let modifier: PredicateComparison.Modifier
        switch token.keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE": modifier = .none
        default: return .direct
        }
        try advance()
        return modifier
    }

    private mutating func operation() throws(INPredicateError) -> PredicateComparison.Operation {
        let operations: [String: PredicateComparison.Operation] = [
            "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
            "CONTAINS": .contains, "BEGINSWITH": .begins, "ENDSWITH": .ends, "LIKE": .like, "IN": .isIn,
            "BETWEEN": .isBetween,
        ]
        let name: String
        if case .symbol(let symbol) = token.kind { name = symbol } else { name = token.keyword ?? "" }
        if let operation = operations[name] {
            try advance()
            return operation
        }
        switch name {
        case "MATCHES": throw error(.unsupported, "regular expressions aren't supported; use LIKE, with * and ?")
        case "UTI": throw error(.unsupported, "types aren't compared by UTI")
        case "+", "-", "*", "/", "^", "**": throw error(.unsupported, "arithmetic isn't supported; compute it before")
        default:
            if case .brackets = token.kind { throw error(.unsupported, "an index isn't supported; use ANY") }
            throw error(.syntax, "an operator is expected here")
        }
    }

    private mutating func options() throws(INPredicateError) -> (ignoresCase: Bool, ignoresAccents: Bool) {
        guard case .brackets(let text) = token.kind else { return (false, false) }
        let letters = text.filter { !$0.isWhitespace }
        guard !letters.isEmpty, letters.allSatisfy({ $0 == "c" || $0 == "d" }) else {
            throw error(.unsupported, "an operator's options are [c], [d] and [cd]")
        }
        try advance()
        return (letters.contains("c"), letters.contains("d"))
    }

    // MARK: - Operands

    private mutating func operand() throws(INPredicateError) -> PredicateOperand {
        let place = token.place
        switch token.kind {
        case .text(let text):
            try advance()
            return .value(.text(text), place)
        case .number(let number):
            try advance()
            return .value(.number(number), place)
        case .name(let name):
            try advance()
            return .keyPath(name, place)
        case .argument(let letter): return try argument(letter)
        case .symbol("{"): return .value(try list(), place)
        case .symbol("$"): throw error(.unsupported, "variables aren't supported; use an argument")
        case .symbol("("): throw error(.unsupported, "parentheses around a value aren't supported; a list needs braces")
        case .word(let word): return try wordOperand(word)
        case .symbol, .brackets, .end: throw error(.syntax, "a property or a value is expected here")
        }
    }

    private mutating func wordOperand(_ word: String) throws(INPredicateError) -> PredicateOperand {
        let place = token.place
        switch token.keyword {
        case "YES", "TRUE":
            try advance()
            return .value(.bool(true), place)
        case "NO", "FALSE":
            try advance()
            return .value(.bool(false), place)
        case "NIL", "NULL":
            try advance()
            return .value(.null, place)
        case "CAST": return .value(try cast(), place)
        case "FUNCTION", "SUBQUERY", "TERNARY", "NOW":
            throw error(.unsupported, "functions aren't supported; compute the value before")
        case "SELF": throw error(.unsupported, "SELF needs a property after it")
        case "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "ANY",
            "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE":
            throw error(.syntax, "a property or a value is expected here; a property of this name needs #")
        default: break
        }
        guard !word.contains("@") else { throw error(.unsupported, "operators on collections aren't supported") }
        var path = word
        if path.prefix(5).uppercased() == "SELF." { path.removeFirst(5) }
        guard !path.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) else {
            throw error(.syntax, "a key path has names on both sides of a dot")
        }
        try advance()
        if token.isSymbol("(") { throw error(.unsupported, "functions aren't supported; compute the value before") }
        return .keyPath(path, place)
    }

    private mutating func argument(_ letter: Character) throws(INPredicateError) -> PredicateOperand {
        let place = token.place
        let value = try argument()
        switch letter {
        case "@": break
        case "K":
            guard let path = value.text else { throw error(.argument, "%K stands for the name of a property") }
            try advance()
            return .keyPath(path, place)
        default:
            guard case .number = value else {
                throw error(.argument, "%\(letter) stands for a number; use %@ for other values")
            }
        }
        try advance()
        return .value(value, place)
    }

    private mutating func list() throws(INPredicateError) -> PredicateValue {
        try advance()
        var elements: [PredicateValue] = []
        if !token.isSymbol("}") {
            while true {
                let place = token.place
                if token.isSymbol("{") { throw error(.unsupported, "a list in a list isn't supported") }
                guard case .value(let value, _) = try operand(), value.list == nil else {
                    throw INPredicateError(.syntax, at: place, "a list has texts, numbers and dates only")
                }
                try count(1)
                elements.append(value)
                if token.isSymbol("}") { break }
                guard token.isSymbol(",") else { throw error(.syntax, "a comma or the end of the list is expected") }
                try advance()
            }
        }
        try advance()
        return .list(elements)
    }

    /// Reads `CAST(seconds, "NSDate")`, with the seconds since 2001.
    private mutating func cast() throws(INPredicateError) -> PredicateValue {
        let place = token.place
        try advance()
        var parts: [PredicateToken.Kind] = []
        while parts.count < 5, token.kind != .end {
            parts.append(token.kind)
            try advance()
        }
        guard parts.count == 5, parts[0] == .symbol("("), case .number(let seconds) = parts[1],
            parts[2] == .symbol(","), parts[3] == .text("NSDate"), parts[4] == .symbol(")")
        else {
            throw INPredicateError(
                .unsupported,
                at: place,
                "CAST is supported for dates alone: CAST(seconds since 2001, \"NSDate\")"
            )
        }
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
}

extension PredicateComparison {
    /// The comparison of at least one element.
    var any: PredicateComparison {
        var comparison = self
        comparison.modifier = .any
        return comparison
    }
}
