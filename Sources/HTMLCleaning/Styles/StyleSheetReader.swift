/// Reads the rules of a style sheet that are for a medium, one after the other (CSS Syntax 3, section 5.4).
struct StyleSheetReader {
    private var tokenizer: CSSTokenizer
    private let medium: HTMLMedium
    /// The number of `@media` that are open.
    private var depth = 0
    /// The number of `@import` rules that were read. Nothing is imported.
    private(set) var importCount = 0

    init(_ text: String, medium: HTMLMedium) {
        tokenizer = CSSTokenizer(text)
        self.medium = medium
    }

    /// The tokens of the next rule's selectors and of its declarations, or nil at the end.
    mutating func next() -> (selectors: [CSSToken], declarations: [CSSToken])? {
        while true {
            guard let prelude = prelude() else { return nil }
            guard case .atKeyword(let name)? = prelude.tokens.first else {
                if prelude.hasBlock { return (prelude.tokens, block()) }
                continue
            }
            if name == "import" { importCount += 1 }
            guard prelude.hasBlock else { continue }
            if name == "media", MediaQuery.applies(prelude.tokens.dropFirst(), to: medium) {
                depth += 1
            } else {
                skipBlock()
            }
        }
    }

    /// Reads up to the block of a rule, or up to the end of an at-rule that has none.
    private mutating func prelude() -> (tokens: [CSSToken], hasBlock: Bool)? {
        var tokens: [CSSToken] = []
        var closers: [UInt8] = []
        while let token = tokenizer.next() {
            switch token {
            case .markupComment where depth == 0 && tokens.isEmpty: continue
            case .whitespace where tokens.isEmpty: continue
            case .delimiter(UInt8(ascii: "}")) where tokens.isEmpty && depth > 0:
                depth -= 1
                continue
            case .delimiter(UInt8(ascii: "{")) where closers.isEmpty: return (tokens, true)
            case .delimiter(UInt8(ascii: ";")) where closers.isEmpty:
                if case .atKeyword? = tokens.first { return (tokens, false) }
            default: break
            }
            StyleAttribute.track(token, &closers)
            tokens.append(token)
        }
        // The end of a style sheet ends an at-rule.
        if case .atKeyword? = tokens.first { return (tokens, false) }
        return nil
    }

    /// Reads up to the end of a block.
    private mutating func block() -> [CSSToken] {
        var tokens: [CSSToken] = []
        var closers: [UInt8] = []
        while let token = tokenizer.next() {
            if closers.isEmpty, token == .delimiter(UInt8(ascii: "}")) { break }
            StyleAttribute.track(token, &closers)
            tokens.append(token)
        }
        return tokens
    }

    private mutating func skipBlock() {
        var closers: [UInt8] = []
        while let token = tokenizer.next() {
            if closers.isEmpty, token == .delimiter(UInt8(ascii: "}")) { break }
            StyleAttribute.track(token, &closers)
        }
    }
}
