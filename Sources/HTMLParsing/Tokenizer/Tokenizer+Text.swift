extension Tokenizer {
    /// Reads in the data state (section 13.2.5.1).
    mutating func nextInData() -> TokenKind? {
        let start = position
        skipText(untilAmpersand: true)
        if position > start { return characters(from: start) }
        switch base[position] {
        case UInt8(ascii: "<"):
            return openTag()
        case UInt8(ascii: "&"):
            return referenceInText()
        default:
            guard position < end else { return .endOfFile }
            record(.unexpectedNullCharacter, at: position)
            position += 1
            return .null
        }
    }

    /// Reads in the RCDATA state (section 13.2.5.2).
    mutating func nextInRCDATA() -> TokenKind? {
        let start = position
        while true {
            skipText(untilAmpersand: true)
            switch base[position] {
            case UInt8(ascii: "<"):
                guard !isAppropriateEndTag(at: position) else {
                    return characters(from: start) ?? readTag(at: position + 2, isEnd: true)
                }
                position += 1
            case UInt8(ascii: "&"):
                return characters(from: start) ?? referenceInText()
            default:
                return characters(from: start) ?? replacedNull()
            }
        }
    }

    /// Reads in the RAWTEXT state (section 13.2.5.3).
    mutating func nextInRawText() -> TokenKind? {
        let start = position
        while true {
            skipText(untilAmpersand: false)
            guard base[position] == UInt8(ascii: "<") else { return characters(from: start) ?? replacedNull() }
            if isAppropriateEndTag(at: position) {
                return characters(from: start) ?? readTag(at: position + 2, isEnd: true)
            }
            position += 1
        }
    }

    /// Reads in the PLAINTEXT state (section 13.2.5.5).
    mutating func nextInPlaintext() -> TokenKind? {
        let start = position
        while base[position] != 0 { position += 1 }
        return characters(from: start) ?? replacedNull()
    }

    /// Reads in the CDATA section state (section 13.2.5.69).
    mutating func nextInCDATA() -> TokenKind? {
        let start = position
        while true {
            switch base[position] {
            case UInt8(ascii: "]") where hasPrefix("]]>", at: position):
                if let kind = characters(from: start) { return kind }
                position += 3
                state = .data
                return nil
            case 0:
                if let kind = characters(from: start) { return kind }
                guard position < end else {
                    record(.eofInCDATA, at: end)
                    return .endOfFile
                }
                position += 1
                return .null
            default:
                position += 1
            }
        }
    }

    /// Moves to the next `<`, U+0000, and `&` if asked for.
    mutating func skipText(untilAmpersand: Bool) {
        while true {
            switch base[position] {
            case 0, UInt8(ascii: "<"): return
            case UInt8(ascii: "&") where untilAmpersand: return
            default: position += 1
            }
        }
    }

    /// Reads U+0000 as U+FFFD, or the end.
    mutating func replacedNull() -> TokenKind? {
        guard position < end else { return .endOfFile }
        record(.unexpectedNullCharacter, at: position)
        position += 1
        let index = added.count
        appendReplacement()
        text = addedRange(from: index)
        return .characters
    }

    /// Whether an end tag with the name of the last start tag begins at an offset.
    func isAppropriateEndTag(at offset: Int) -> Bool {
        guard base[offset + 1] == UInt8(ascii: "/"), lastStartTag != .max else { return false }
        let start = offset + 2
        return names.withBytes(of: lastStartTag) { name in
            guard start + name.count < end else { return false }
            for index in 0..<name.count {
                let byte = base[start + index]
                let lower = classes.contains(byte, ByteClass.upper) ? byte | 0x20 : byte
                if lower != name[index] { return false }
            }
            let next = base[start + name.count]
            return classes.contains(next, ByteClass.space) || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
        }
    }
}
