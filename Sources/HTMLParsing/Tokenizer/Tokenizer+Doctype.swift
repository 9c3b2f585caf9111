extension Tokenizer {
    /// Reads a document type after `<!doctype` (sections 13.2.5.53 to 13.2.5.68).
    mutating func readDoctype() -> TokenKind {
        doctype = DoctypeToken()
        if !classes.contains(base[position], ByteClass.space), position < end, base[position] != UInt8(ascii: ">") {
            record(.missingWhitespaceBeforeDoctypeName, at: position)
        }
        skipSpace()
        switch base[position] {
        case UInt8(ascii: ">"):
            record(.missingDoctypeName, at: position)
            return endDoctype(forcesQuirks: true)
        case 0 where position == end:
            return endDoctypeAtEnd()
        default:
            doctype.name = readDoctypeName()
        }
        skipSpace()
        if position == end { return endDoctypeAtEnd() }
        if base[position] == UInt8(ascii: ">") { return endDoctype() }
        if hasPrefix("public", at: position) {
            position += 6
            return readPublicID()
        }
        if hasPrefix("system", at: position) {
            position += 6
            checkSpaceAfterKeyword(.missingWhitespaceAfterDoctypeSystemKeyword)
            return readSystemID(missing: .missingDoctypeSystemIdentifier)
        }
        record(.invalidCharacterSequenceAfterDoctypeName, at: position)
        doctype.forcesQuirks = true
        return readBogusDoctype()
    }

    /// Reads the name in lowercase.
    private mutating func readDoctypeName() -> [UInt8] {
        var name: [UInt8] = []
        while position < end {
            let byte = base[position]
            if classes.contains(byte, ByteClass.space) || byte == UInt8(ascii: ">") { break }
            appendDoctypeByte(classes.contains(byte, ByteClass.upper) ? byte | 0x20 : byte, to: &name)
        }
        return name
    }

    /// Reads the public identifier and all after it.
    private mutating func readPublicID() -> TokenKind {
        checkSpaceAfterKeyword(.missingWhitespaceAfterDoctypePublicKeyword)
        skipSpace()
        switch base[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let (id, isClosed) = readIdentifier()
            doctype.publicID = id
            if !isClosed { return endUnclosedIdentifier(.abruptDoctypePublicIdentifier) }
        case UInt8(ascii: ">"):
            record(.missingDoctypePublicIdentifier, at: position)
            return endDoctype(forcesQuirks: true)
        default:
            if position == end { return endDoctypeAtEnd() }
            record(.missingQuoteBeforeDoctypePublicIdentifier, at: position)
            doctype.forcesQuirks = true
            return readBogusDoctype()
        }
        let byte = base[position]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            record(.missingWhitespaceBetweenDoctypeIdentifiers, at: position)
        }
        skipSpace()
        if base[position] == UInt8(ascii: ">") { return endDoctype() }
        return readSystemID(missing: nil)
    }

    /// Reads the system identifier and all after it.
    private mutating func readSystemID(missing: ParseError.Code?) -> TokenKind {
        skipSpace()
        switch base[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let (id, isClosed) = readIdentifier()
            doctype.systemID = id
            if !isClosed { return endUnclosedIdentifier(.abruptDoctypeSystemIdentifier) }
        case UInt8(ascii: ">"):
            if let missing { record(missing, at: position) }
            return endDoctype(forcesQuirks: true)
        default:
            if position == end { return endDoctypeAtEnd() }
            record(.missingQuoteBeforeDoctypeSystemIdentifier, at: position)
            doctype.forcesQuirks = true
            return readBogusDoctype()
        }
        skipSpace()
        if position == end { return endDoctypeAtEnd() }
        if base[position] == UInt8(ascii: ">") { return endDoctype() }
        record(.unexpectedCharacterAfterDoctypeSystemIdentifier, at: position)
        return readBogusDoctype()
    }

    private mutating func checkSpaceAfterKeyword(_ code: ParseError.Code) {
        let byte = base[position]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { record(code, at: position) }
    }

    /// Reads an identifier in quotes. It isn't closed if `>` or the end stops it.
    private mutating func readIdentifier() -> (id: [UInt8], isClosed: Bool) {
        let quote = base[position]
        var id: [UInt8] = []
        position += 1
        while position < end {
            let byte = base[position]
            if byte == quote {
                position += 1
                return (id, true)
            }
            if byte == UInt8(ascii: ">") { break }
            appendDoctypeByte(byte, to: &id)
        }
        return (id, false)
    }

    private mutating func appendDoctypeByte(_ byte: UInt8, to text: inout [UInt8]) {
        if byte == 0 {
            record(.unexpectedNullCharacter, at: position)
            text.append(contentsOf: [0xEF, 0xBF, 0xBD])
        } else {
            text.append(byte)
        }
        position += 1
    }

    private mutating func endUnclosedIdentifier(_ code: ParseError.Code) -> TokenKind {
        if position == end { return endDoctypeAtEnd() }
        record(code, at: position)
        return endDoctype(forcesQuirks: true)
    }

    private mutating func readBogusDoctype() -> TokenKind {
        while position < end, base[position] != UInt8(ascii: ">") {
            if base[position] == 0 { record(.unexpectedNullCharacter, at: position) }
            position += 1
        }
        if position < end { position += 1 }
        return .doctype
    }

    private mutating func endDoctype(forcesQuirks: Bool = false) -> TokenKind {
        if forcesQuirks { doctype.forcesQuirks = true }
        position += 1
        return .doctype
    }

    private mutating func endDoctypeAtEnd() -> TokenKind {
        record(.eofInDoctype, at: end)
        doctype.forcesQuirks = true
        return .doctype
    }
}
