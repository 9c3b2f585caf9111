/// A parser of the format strings of `NSPredicate`: a machine without recursion, in linear time.
///
/// It reads AND, OR and NOT (also `&&`, `||`, `!`), parentheses, TRUEPREDICATE and FALSEPREDICATE, and comparisons, as
/// `PredicateParser+Comparison.swift` has them. Keywords may be in any case. NOT binds more closely than AND, and AND
/// more closely than OR.
struct PredicateParser {
    /// An open group: the whole, or a pair of parentheses.
    private struct Group {
        /// The place of the group, for an error.
        let place: Int
        /// The parts of OR that are complete.
        var alternatives: [PredicateForm] = []
        /// The parts of AND.
        var conditions: [PredicateForm] = []
        /// Whether the next condition is negated.
        var negates = false

        mutating func add(_ form: PredicateForm) {
            conditions.append(negates ? form.negated : form)
            negates = false
        }

        mutating func endAlternative() {
            alternatives.append(conditions.count == 1 ? conditions[0] : .all(conditions))
            conditions = []
        }

        /// The whole of it.
        var form: PredicateForm {
            var group = self
            group.endAlternative()
            return group.alternatives.count == 1 ? group.alternatives[0] : .any(group.alternatives)
        }
    }

    private var lexer: PredicateLexer
    private let arguments: [PredicateValue?]
    private var usedArguments = 0
    private var comparisons = 0
    private var values = 0
    private(set) var token: PredicateToken

    /// Returns the form of a predicate.
    ///
    /// - Parameters:
    ///   - format: A format of `NSPredicate`.
    ///   - arguments: The values for `%@` and the like, in their order; nil for one of a type that isn't supported.
    /// - Throws: ``INPredicateError``, with the place.
    static func read(_ format: String, _ arguments: [PredicateValue?]) throws(INPredicateError) -> PredicateForm {
        guard format.utf8.count <= INPredicateLimits.formatLength else {
            throw INPredicateError(
                .limit,
                at: nil,
                "the format has more than \(INPredicateLimits.formatLength) bytes; hand in values as arguments"
            )
        }
        var parser = try PredicateParser(format, arguments)
        return try parser.read()
    }

    private init(_ format: String, _ arguments: [PredicateValue?]) throws(INPredicateError) {
        lexer = PredicateLexer(format)
        self.arguments = arguments
        token = try lexer.next()
    }

    private mutating func read() throws(INPredicateError) -> PredicateForm {
        var groups = [Group(place: 0)]
        while true {
            guard try readCondition(&groups) else { continue }
            try closeGroups(&groups)
            guard try readConnective(&groups) else { return try end(groups) }
        }
    }

    /// Reads a condition, or what stands before one: a negation, or an opening parenthesis.
    ///
    /// - Returns: Whether it was a condition.
    private mutating func readCondition(_ groups: inout [Group]) throws(INPredicateError) -> Bool {
        switch token.keyword {
        case "NOT":
            groups[groups.count - 1].negates.toggle()
            try advance()
            return false
        case "TRUEPREDICATE", "FALSEPREDICATE":
            groups[groups.count - 1].add(.always(token.keyword == "TRUEPREDICATE"))
            try advance()
            return true
        default: break
        }
        if token.isSymbol("!") {
            groups[groups.count - 1].negates.toggle()
            try advance()
            return false
        }
        if token.isSymbol("(") {
            guard groups.count <= INPredicateLimits.depth else {
                throw error(.limit, "there are more than \(INPredicateLimits.depth) levels of parentheses")
            }
            groups.append(Group(place: token.place))
            try advance()
            return false
        }
        comparisons += 1
        guard comparisons <= INPredicateLimits.comparisons else {
            throw error(.limit, "there are more than \(INPredicateLimits.comparisons) comparisons; use IN")
        }
        let comparison = try self.comparison()
        groups[groups.count - 1].add(
            comparison.modifier == .none
                ? .not(.comparison(comparison.any))
                : .comparison(comparison)
        )
        return true
    }

    /// Reads the closing parentheses after a condition.
    private mutating func closeGroups(_ groups: inout [Group]) throws(INPredicateError) {
        while token.isSymbol(")") {
            guard groups.count > 1, let group = groups.popLast() else {
                throw error(.syntax, "this parenthesis closes nothing")
            }
            groups[groups.count - 1].add(group.form)
            try advance()
        }
    }

    /// Reads what joins a condition to the next one.
    ///
    /// - Returns: False at the end of the format.
    private mutating func readConnective(_ groups: inout [Group]) throws(INPredicateError) -> Bool {
        switch token.keyword {
        case "AND": try advance()
        case "OR":
            groups[groups.count - 1].endAlternative()
            try advance()
        default:
            if token.isSymbol("&&") {
                try advance()
            } else if token.isSymbol("||") {
                groups[groups.count - 1].endAlternative()
                try advance()
            } else if token.kind == .end {
                return false
            } else {
                throw error(.syntax, "AND, OR or the end is expected here")
            }
        }
        return true
    }

    private func end(_ groups: [Group]) throws(INPredicateError) -> PredicateForm {
        guard groups.count == 1 else {
            throw INPredicateError(.syntax, at: groups[groups.count - 1].place, "this parenthesis isn't closed")
        }
        guard usedArguments == arguments.count else {
            throw error(.argument, "the format uses \(usedArguments) of the \(arguments.count) arguments")
        }
        return groups[0].form
    }

    // MARK: - For comparisons

    /// Goes to the next token.
    mutating func advance() throws(INPredicateError) { token = try lexer.next() }

    func error(_ reason: INPredicateError.Reason, _ message: String) -> INPredicateError {
        INPredicateError(reason, at: token.place, message)
    }

    /// Returns the next argument.
    mutating func argument() throws(INPredicateError) -> PredicateValue {
        guard usedArguments < arguments.count else { throw error(.argument, "there is no argument for this") }
        guard let value = arguments[usedArguments] else {
            throw error(
                .argument,
                "the argument is neither a text, a number, a Boolean, a date nor a list of these"
            )
        }
        usedArguments += 1
        try count(value.count)
        return value
    }

    /// Counts values of lists.
    mutating func count(_ number: Int) throws(INPredicateError) {
        values += number
        guard values <= INPredicateLimits.values else {
            throw error(.limit, "there are more than \(INPredicateLimits.values) values")
        }
    }
}

extension PredicateForm {
    /// The negation. Two of them are none, so that a long row of NOT isn't deep.
    var negated: PredicateForm {
        switch self {
        case .not(let form): form
        case .always(let always): .always(!always)
        default: .not(self)
        }
    }
}
