extension Tokenizer {
    /// Reads in the script data states (sections 13.2.5.4 and 13.2.5.15 to 13.2.5.31).
    mutating func nextInScript() -> TokenKind? {
        let start = position
        while true {
            let byte = base[position]
            switch byte {
            case UInt8(ascii: "<"):
                if script.escapes < 2, isAppropriateEndTag(at: position) {
                    if let kind = characters(from: start) { return kind }
                    script = ScriptState()
                    return readTag(at: position + 2, isEnd: true)
                }
                readLessThanInScript()
            case UInt8(ascii: "-"):
                script.dashes = min(2, script.dashes + 1)
                position += 1
            case UInt8(ascii: ">"):
                if script.escapes > 0, script.dashes == 2 { script.escapes = 0 }
                script.dashes = 0
                position += 1
            case 0:
                if let kind = characters(from: start) { return kind }
                if position == end, script.escapes > 0 { record(.eofInScriptHTMLCommentLikeText, at: end) }
                script.dashes = 0
                return replacedNull()
            default:
                script.dashes = 0
                position += 1
            }
        }
    }

    /// Reads `<` and what decides the state after it.
    private mutating func readLessThanInScript() {
        script.dashes = 0
        switch script.escapes {
        case 0:
            if hasPrefix("<!--", at: position) {
                script = ScriptState(escapes: 1, dashes: 2)
                position += 4
            } else {
                position += 1
            }
        case 1:
            position += 1
            if classes.contains(base[position], ByteClass.letter), readScriptName() { script.escapes = 2 }
        default:
            position += 1
            if base[position] == UInt8(ascii: "/") {
                position += 1
                if readScriptName() { script.escapes = 1 }
            }
        }
    }

    /// Reads letters and the byte that ends a tag name after them. Returns whether the letters are `script`.
    private mutating func readScriptName() -> Bool {
        let start = position
        while classes.contains(base[position], ByteClass.letter) { position += 1 }
        let byte = base[position]
        guard classes.contains(byte, ByteClass.space) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") else {
            return false
        }
        let isScript = position - start == 6 && hasPrefix("script", at: start)
        position += 1
        return isScript
    }
}
