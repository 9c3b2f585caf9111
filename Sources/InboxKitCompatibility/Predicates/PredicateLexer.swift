/// A reader of the tokens of a predicate's format, from left to right, in linear time.
struct PredicateLexer {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ format: String) {
        scalars = Array(format.unicodeScalars)
    }

    /// Returns the next token; at the end, `end`.
    mutating func next() throws(INPredicateError) -> PredicateToken {
        while let scalar = peek(), scalar.properties.isWhitespace { place += 1 }
        let start = place
        guard let scalar = peek() else { return PredicateToken(kind: .end, place: start) }
        let kind: PredicateToken.Kind =
            switch scalar {
            case "'", "\"": .text(try text(scalar))
            case "0"..."9": .number(try number())
            case "-" where isDigit(peek(1)), "." where isDigit(peek(1)): .number(try number())
            case "%": .argument(try argument())
            case "#": .name(try escapedName())
            case "[": .brackets(try brackets())
            case _ where Self.isNamePart(scalar) || scalar == "@": .word(word())
            default: .symbol(try symbol())
            }
        return PredicateToken(kind: kind, place: start)
    }

    // MARK: - Kinds of tokens

    private mutating func text(_ quote: Unicode.Scalar) throws(INPredicateError) -> String {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            place += 1
            if scalar == quote { return String(text) }
            text.append(scalar == "\\" ? try escaped() : scalar)
        }
        throw INPredicateError(.syntax, at: start, "a text has no closing quote")
    }

    /// Reads what follows a backslash.
    private mutating func escaped() throws(INPredicateError) -> Unicode.Scalar {
        let start = place - 1
        guard let scalar = peek() else { throw INPredicateError(.syntax, at: start, "nothing follows a backslash") }
        place += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            guard let first = hexadecimal() else { break }
            if let scalar = Unicode.Scalar(first) { return scalar }
            // A pair of surrogates.
            guard (0xD800..<0xDC00).contains(first), peek() == "\\", peek(1) == "u" else { break }
            place += 2
            guard let second = hexadecimal(), (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { break }
            return scalar
        default: return scalar
        }
        throw INPredicateError(.syntax, at: start, "\\u needs four hexadecimal digits of a character")
    }

    private mutating func hexadecimal() -> UInt32? {
        guard place + 4 <= scalars.count else { return nil }
        var value: UInt32 = 0
        for scalar in scalars[place..<(place + 4)] {
            guard let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
            value = value << 4 | UInt32(digit)
        }
        place += 4
        return value
    }

    private mutating func number() throws(INPredicateError) -> Double {
        let start = place
        place += 1
        while let scalar = peek() {
            let isExponent = scalar == "-" || scalar == "+"
            guard
                isDigit(scalar) || scalar == "." || Self.isNamePart(scalar)
                    || isExponent && (scalars[place - 1] == "e" || scalars[place - 1] == "E")
            else { break }
            place += 1
        }
        var written = String.UnicodeScalarView()
        written.append(contentsOf: scalars[start..<place])
        let text = String(written).lowercased()
        let radixes = ["0x": 16, "0o": 8, "0b": 2]
        if let radix = radixes[String(text.prefix(2))] {
            if let integer = Int(text.dropFirst(2), radix: radix), !text.contains("+"), !text.contains("-") {
                return Double(integer)
            }
        } else if text.allSatisfy({ $0.isASCII && ($0.isNumber || ".e+-".contains($0)) }), let value = Double(text),
            value.isFinite
        {
            return value
        }
        throw INPredicateError(.syntax, at: start, "this isn't a number")
    }

    private mutating func argument() throws(INPredicateError) -> Character {
        let start = place
        place += 1
        // %ld, %llu and others: the length doesn't matter.
        while let scalar = peek(), "lqhzjt".unicodeScalars.contains(scalar) { place += 1 }
        guard let scalar = peek(), "@KdDiuUxXoOfFeEgGaA".unicodeScalars.contains(scalar) else {
            throw INPredicateError(
                .unsupported,
                at: start,
                "% stands for an argument only in %@, %K and those of numbers"
            )
        }
        place += 1
        return Character(scalar)
    }

    private mutating func escapedName() throws(INPredicateError) -> String {
        let start = place
        place += 1
        let name = word()
        guard !name.isEmpty else {
            throw INPredicateError(.syntax, at: start, "# needs the name of a property after it")
        }
        return name
    }

    private mutating func brackets() throws(INPredicateError) -> String {
        let start = place
        guard let end = scalars[place...].prefix(64).firstIndex(of: "]") else {
            throw INPredicateError(.syntax, at: start, "a bracket isn't closed")
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[(start + 1)..<end])
        place = end + 1
        return String(text)
    }

    private mutating func word() -> String {
        let start = place
        while let scalar = peek() {
            guard Self.isNamePart(scalar) || scalar == "@" || scalar == "." && place > start else { break }
            place += 1
        }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<place])
        return String(word)
    }

    private mutating func symbol() throws(INPredicateError) -> String {
        let pair = [peek(), peek(1)].compactMap { $0.map { String($0) } }.joined()
        // Each pair has one name, whichever way it was written.
        let pairs = [
            "==": "=", "=>": ">=", ">=": ">=", "=<": "<=", "<=": "<=", "!=": "!=", "<>": "!=", "&&": "&&", "||": "||",
            ":=": ":=",
        ]
        if let name = pairs[pair] {
            place += 2
            return name
        }
        let single = String(scalars[place])
        guard "=<>!(){},$+-*/^:".contains(single) else {
            throw INPredicateError(.syntax, at: place, "this character has no meaning outside of quotes")
        }
        place += 1
        return single
    }

    // MARK: - Characters

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        place + distance < scalars.count ? scalars[place + distance] : nil
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || scalar.properties.generalCategory == .nonspacingMark
    }
}
