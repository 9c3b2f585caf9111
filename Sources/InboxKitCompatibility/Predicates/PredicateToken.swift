/// A part of a predicate's format.
struct PredicateToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A key path or a keyword: the text as it was written, with dots.
        case word(String)
        /// A key path that can't be a keyword, after `#`.
        case name(String)
        case text(String)
        case number(Double)
        /// An argument, by its letter: `@`, `K`, or one of a number.
        case argument(Character)
        /// `=`, `<`, `&&`, `(` and others.
        case symbol(String)
        /// The text between brackets: the options of an operator, or an index.
        case brackets(String)
        case end
    }

    let kind: Kind
    /// The place of its first character, in Unicode scalars.
    let place: Int

    /// The keyword in upper case; nil for other tokens.
    var keyword: String? {
        if case .word(let word) = kind, word.utf8.allSatisfy({ $0 < 0x80 }) { word.uppercased() } else { nil }
    }

    /// Whether it is this symbol.
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
}
