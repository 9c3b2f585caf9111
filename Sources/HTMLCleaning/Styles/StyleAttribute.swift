/// A declaration that the cleaner writes.
package struct CSSDeclaration: Equatable, Sendable {
    /// The property's name, in lowercase.
    package let name: String
    /// The value, in the one spelling that reads back as the same declaration.
    package let value: String
}

/// The declarations of a `style` attribute (CSS Style Attributes, section 3) that are allowed, written again from their
/// parsed values.
package struct StyleAttribute {
    /// The allowed declarations in their order, without those that were `!important`.
    private(set) var normal: [CSSDeclaration] = []
    /// The allowed declarations that were `!important`, without the mark.
    private(set) var important: [CSSDeclaration] = []

    /// The allowed declarations in their order. Those that were `!important` are the last ones.
    package var declarations: [CSSDeclaration] { normal + important }

    /// Reads declarations.
    ///
    /// - Parameters:
    ///   - text: The attribute's value.
    ///   - picture: Returns the URL to write for the URL of a background, or nil to drop it.
    package init(_ text: String, picture: (String) -> String?) {
        var tokenizer = CSSTokenizer(text)
        Self.read({ tokenizer.next() }) { tokens in
            guard let (declaration, isImportant) = Self.declaration(tokens, picture: picture) else { return }
            if isImportant { important.append(declaration) } else { normal.append(declaration) }
        }
    }

    /// Calls a function with the tokens of each declaration.
    static func read(_ next: () -> CSSToken?, _ body: (ArraySlice<CSSToken>) -> Void) {
        var tokens: [CSSToken] = []
        var closers: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            let token = next()
            isAtEnd = token == nil
            if let token, token != .delimiter(UInt8(ascii: ";")) || !closers.isEmpty {
                track(token, &closers)
                tokens.append(token)
                continue
            }
            body(tokens[...])
            tokens.removeAll(keepingCapacity: true)
        }
    }

    /// The attribute's value, or nil if no declaration is allowed.
    static func text(_ declarations: [CSSDeclaration]) -> String? {
        declarations.isEmpty ? nil : declarations.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }

    /// Keeps the closing brackets that are waited for.
    static func track(_ token: CSSToken, _ closers: inout [UInt8]) {
        switch token {
        case .function, .delimiter(UInt8(ascii: "(")): closers.append(UInt8(ascii: ")"))
        case .delimiter(UInt8(ascii: "[")): closers.append(UInt8(ascii: "]"))
        case .delimiter(UInt8(ascii: "{")): closers.append(UInt8(ascii: "}"))
        case .delimiter(let byte): if closers.last == byte { closers.removeLast() }
        default: break
        }
    }

    /// Reads one declaration, or returns nil if it isn't allowed.
    static func declaration(
        _ tokens: ArraySlice<CSSToken>,
        picture: (String) -> String?
    ) -> (CSSDeclaration, isImportant: Bool)? {
        var rest = tokens.drop { $0 == .whitespace }
        guard case .ident(let written)? = rest.popFirst() else { return nil }
        let name = written.lowercased()
        guard let property = CSSProperty.all[name] else { return nil }
        rest = rest.drop { $0 == .whitespace }
        guard rest.popFirst() == .delimiter(UInt8(ascii: ":")) else { return nil }
        var isImportant = false
        while rest.last == .whitespace { rest.removeLast() }
        if case .ident(let word)? = rest.last, word.lowercased() == "important" {
            var before = rest.dropLast()
            while before.last == .whitespace { before.removeLast() }
            if before.popLast() == .delimiter(UInt8(ascii: "!")) {
                isImportant = true
                rest = before
            }
        }
        var reader = CSSValueReader(rest, property: property)
        guard let value = reader.value(picture: picture) else { return nil }
        return (CSSDeclaration(name: name, value: value), isImportant)
    }
}
