extension TreeBuilder {
    /// The text mode (HTML, section 13.2.6.4.8).
    mutating func inText(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            insertText(tokenizer.text)
            return .done
        case .endOfFile:
            pop()
            mode = originalMode
            return .again
        default:
            pop()
            mode = originalMode
            return .done
        }
    }

    /// Inserts an element whose content is text, and reads that text next (section 13.2.6.2).
    mutating func insertTextElement(_ state: Tokenizer.State) {
        insertElement()
        tokenizer.state = state
        tokenizer.script = Tokenizer.ScriptState()
        originalMode = mode
        mode = .text
    }

    /// Splits leading white space from the token's characters.
    ///
    /// - Returns: The white space. The token is then what follows, which may be nothing.
    mutating func splitLeadingSpace() -> Range<Int> {
        let text = tokenizer.text
        let count = tokenizer.withBytes(text) { bytes in
            bytes.firstIndex { !tokenizer.classes.contains($0, ByteClass.space) } ?? bytes.count
        }
        tokenizer.text = text.dropFirst(count)
        return text.prefix(count)
    }

    /// Whether the characters of a range are white space.
    func isSpace(_ range: Range<Int>) -> Bool {
        tokenizer.withBytes(range) { bytes in
            bytes.allSatisfy { tokenizer.classes.contains($0, ByteClass.space) }
        }
    }

    /// Inserts the white space among the token's characters and drops the others.
    mutating func insertSpaceOnly() {
        let text = tokenizer.text
        var index = 0
        while index < text.count {
            let start = index
            let isSpace = tokenizer.withBytes(text) { bytes in
                let isSpace = tokenizer.classes.contains(bytes[index], ByteClass.space)
                while index < bytes.count, tokenizer.classes.contains(bytes[index], ByteClass.space) == isSpace {
                    index += 1
                }
                return isSpace
            }
            if isSpace { insertText((text.lowerBound + start)..<(text.lowerBound + index)) }
        }
    }
}
