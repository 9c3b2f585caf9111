extension Tokenizer {
    /// Reads `<` and what follows in the data state (sections 13.2.5.6 and 13.2.5.7).
    mutating func openTag() -> TokenKind? {
        let start = position
        let byte = base[start + 1]
        if classes.contains(byte, ByteClass.letter) { return readTag(at: start + 1, isEnd: false) }
        switch byte {
        case UInt8(ascii: "/"):
            return openEndTag()
        case UInt8(ascii: "!"):
            position += 2
            return openDeclaration()
        case UInt8(ascii: "?"):
            record(.unexpectedQuestionMark, at: start + 1)
            return bogusComment(from: start + 1)
        default:
            record(start + 1 == end ? .eofBeforeTagName : .invalidFirstCharacterOfTagName, at: start + 1)
            position += 1
            return characters(from: start)
        }
    }

    private mutating func openEndTag() -> TokenKind? {
        let start = position
        let byte = base[start + 2]
        if classes.contains(byte, ByteClass.letter) { return readTag(at: start + 2, isEnd: true) }
        if byte == UInt8(ascii: ">") {
            record(.missingEndTagName, at: start + 2)
            position += 3
            return nil
        }
        if start + 2 == end {
            record(.eofBeforeTagName, at: end)
            position = end
            return characters(from: start)
        }
        record(.invalidFirstCharacterOfTagName, at: start + 2)
        return bogusComment(from: start + 2)
    }

    /// Reads a tag from its name on (section 13.2.5.8). Returns nil if the input ends in it.
    mutating func readTag(at start: Int, isEnd: Bool) -> TokenKind? {
        position = start
        state = .data
        tag.isSelfClosing = false
        tag.name = readName(endingAtEquals: false)
        tag.tag =
            tag.name < UInt32(Tag.other.rawValue)
            ? Tag(rawValue: UInt8(truncatingIfNeeded: tag.name)) ?? .other : .other
        attributes.removeAll(keepingCapacity: true)
        if base[position] == UInt8(ascii: ">") {
            position += 1
        } else {
            guard readAttributes() else {
                record(.eofInTag, at: end)
                return nil
            }
        }
        if isEnd {
            if recordsErrors { recordErrorsOfEndTag() }
            return .endTag
        }
        lastStartTag = tag.name
        return .startTag
    }

    private mutating func recordErrorsOfEndTag() {
        if !attributes.isEmpty { record(.endTagWithAttributes, at: position - 1) }
        if tag.isSelfClosing { record(.endTagWithTrailingSolidus, at: position - 1) }
    }

    /// Reads the name of a tag or of an attribute in lowercase and returns its id.
    mutating func readName(endingAtEquals: Bool) -> UInt32 {
        let start = position
        // The first character of an attribute's name may be `=`.
        var index = endingAtEquals && base[start] == UInt8(ascii: "=") ? start + 1 : start
        let stops = ByteClass.nameEnd | ByteClass.upper | (endingAtEquals ? ByteClass.quote : 0)
        while !classes.contains(base[index], stops) { index += 1 }
        let byte = base[index]
        if classes.contains(byte, ByteClass.nameEnd), byte != 0 || index >= end,
            endingAtEquals || byte != UInt8(ascii: "=")
        {
            position = index
            return names.intern(UnsafeBufferPointer(start: base + start, count: index - start))
        }
        return readUnusualName(from: start, at: index, endingAtEquals: endingAtEquals)
    }

    /// Reads the rest of a name that isn't in the input as it is compared.
    private mutating func readUnusualName(from start: Int, at index: Int, endingAtEquals: Bool) -> UInt32 {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: UnsafeBufferPointer(start: base + start, count: index - start))
        var index = index
        while true {
            let byte = base[index]
            if classes.contains(byte, ByteClass.upper) {
                scratch.append(byte | 0x20)
            } else if byte == 0 {
                guard index < end else { break }
                record(.unexpectedNullCharacter, at: index)
                scratch.append(contentsOf: [0xEF, 0xBF, 0xBD])
            } else if classes.contains(byte, ByteClass.nameEnd), endingAtEquals || byte != UInt8(ascii: "=") {
                break
            } else {
                if endingAtEquals, classes.contains(byte, ByteClass.quote) {
                    record(.unexpectedCharacterInAttributeName, at: index)
                }
                scratch.append(byte)
            }
            index += 1
        }
        position = index
        return scratch.withUnsafeBufferPointer { names.intern($0) }
    }
}
