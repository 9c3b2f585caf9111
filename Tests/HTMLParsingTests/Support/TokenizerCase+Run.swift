@testable import HTMLParsing

extension TokenizerCase {
    /// Runs the case and returns the difference, or nil if there is none.
    func difference() -> (test: Int, text: String)? {
        let (found, errors) = Self.tokenize(input, state: state, lastStartTag: lastStartTag)
        let tokens = isXML ? found.map(Self.coerced) : found
        if tokens != self.tokens {
            return (test, "\(name)\n  expected \(self.tokens)\n  found    \(tokens)")
        }
        if let expected = self.errors, expected.sorted() != errors.sorted() {
            return (test, "\(name)\n  expected errors \(expected)\n  found    errors \(errors)")
        }
        return nil
    }

    static func tokenize(
        _ input: [UInt8],
        state: Tokenizer.State,
        lastStartTag: String?
    ) -> ([WrittenToken], [WrittenError]) {
        let normalized = normalized(input)
        return normalized.withUnsafeBufferPointer { buffer in
            var tokenizer = Tokenizer(buffer, recordsErrors: true)
            tokenizer.state = state
            if let lastStartTag {
                Array(lastStartTag.utf8).withUnsafeBufferPointer {
                    tokenizer.lastStartTag = tokenizer.names.intern($0)
                }
            }
            var tokens: [WrittenToken] = []
            var kind = tokenizer.next()
            while kind != .endOfFile {
                tokens.append(Self.written(kind, tokenizer))
                kind = tokenizer.next()
            }
            let places = Places(normalized.dropLast(InputDecoder.padding))
            return (merged(tokens), tokenizer.errors.map { places.written($0) })
        }
    }

    /// The input as the decoder returns it, except that lone surrogates stay. UTF-8 can't have them.
    private static func normalized(_ input: [UInt8]) -> [UInt8] {
        let hasSurrogates = zip(input, input.dropFirst()).contains { $0 == 0xED && $1 >= 0xA0 }
        if hasSurrogates { return input + [UInt8](repeating: 0, count: InputDecoder.padding) }
        return input.withUnsafeBufferPointer { InputDecoder($0, limit: .max, removesMark: false).bytes }
    }

    private static func written(_ kind: TokenKind, _ tokenizer: Tokenizer) -> WrittenToken {
        let tag = tokenizer.tag
        func bytes(_ range: Range<Int>) -> [UInt8] { tokenizer.withBytes(range) { Array($0) } }
        func name(_ id: UInt32) -> [UInt8] { tokenizer.names.withBytes(of: id) { Array($0) } }
        switch kind {
        case .startTag:
            let attributes = tokenizer.attributes.map { (name($0.name), bytes($0.value)) }
            return .startTag(
                name(tag.name),
                Dictionary(uniqueKeysWithValues: attributes),
                isSelfClosing: tag.isSelfClosing
            )
        case .endTag: return .endTag(name(tag.name))
        case .characters: return .characters(bytes(tokenizer.text))
        case .null, .endOfFile: return .characters([0])
        case .comment: return .comment(bytes(tokenizer.text))
        case .doctype:
            let doctype = tokenizer.doctype
            return .doctype(
                name: doctype.name,
                publicID: doctype.publicID,
                systemID: doctype.systemID,
                isCorrect: !doctype.forcesQuirks
            )
        }
    }

    /// Replaces what XML can't express (html5lib's coercion to an infoset).
    private static func coerced(_ token: WrittenToken) -> WrittenToken {
        switch token {
        case .characters(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            return .characters(
                Array(text.replacingScalars(["\u{FFFF}": "\u{FFFD}", "\u{0C}": " "]).utf8)
            )
        case .comment(let bytes):
            var output: [UInt8] = []
            for byte in bytes {
                if byte == 0x2D, output.last == 0x2D { output.append(0x20) }
                output.append(byte)
            }
            return .comment(output)
        default: return token
        }
    }
}

extension String {
    fileprivate func replacingScalars(_ replacements: [Unicode.Scalar: Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(unicodeScalars.map { replacements[$0] ?? $0 }))
    }
}

/// Lines and columns of offsets, as the corpus counts them.
struct Places {
    private let input: ArraySlice<UInt8>

    init(_ input: ArraySlice<UInt8>) {
        self.input = input
    }

    func written(_ error: ParseError) -> WrittenError {
        let before = input[input.startIndex..<min(input.endIndex, error.offset)]
        let line = before.count { $0 == 0x0A } + 1
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        // Columns count code units of UTF-16.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + before[lineStart...].count { $0 >= 0xF0 } + 1
        return WrittenError(code: error.code.rawValue, line: line, column: column)
    }
}
