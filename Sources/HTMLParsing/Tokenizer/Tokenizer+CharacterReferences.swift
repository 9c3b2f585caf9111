extension Tokenizer {
    /// Reads `&` and what it stands for, in text (section 13.2.5.72).
    mutating func referenceInText() -> TokenKind? {
        let index = added.count
        let start = position
        if appendReference(inAttribute: false) {
            text = addedRange(from: index)
            return .characters
        }
        added.removeLast(added.count - index)
        return characters(from: start)
    }

    /// Reads `&` and appends what it stands for, or the ampersand itself.
    ///
    /// - Returns: Whether it was a reference.
    @discardableResult
    mutating func appendReference(inAttribute: Bool) -> Bool {
        let start = position
        position += 1
        let byte = base[position]
        if byte == UInt8(ascii: "#") { return appendNumericReference(from: start) }
        if classes.contains(byte, ByteClass.letter | ByteClass.digit) {
            return appendNamedReference(from: start, inAttribute: inAttribute)
        }
        added.append(UInt8(ascii: "&"))
        return false
    }

    /// Reads a name (sections 13.2.5.73 and 13.2.5.74).
    private mutating func appendNamedReference(from start: Int, inAttribute: Bool) -> Bool {
        guard let match = references.longestMatch(base + position) else {
            if recordsErrors { recordUnknownReference() }
            added.append(UInt8(ascii: "&"))
            return false
        }
        let end = position + match.length
        if base[end - 1] != UInt8(ascii: ";") {
            let next = base[end]
            if inAttribute, next == UInt8(ascii: "=") || classes.contains(next, ByteClass.letter | ByteClass.digit) {
                append(start..<end)
                position = end
                return false
            }
            record(.missingSemicolonAfterCharacterReference, at: end)
        }
        added.append(contentsOf: match.value)
        position = end
        return true
    }

    private mutating func recordUnknownReference() {
        var index = position
        while classes.contains(base[index], ByteClass.letter | ByteClass.digit) { index += 1 }
        if base[index] == UInt8(ascii: ";") { record(.unknownNamedCharacterReference, at: index) }
    }

    /// Reads a number (sections 13.2.5.75 to 13.2.5.80).
    private mutating func appendNumericReference(from start: Int) -> Bool {
        position += 1
        let isHex = base[position] | 0x20 == UInt8(ascii: "x")
        if isHex { position += 1 }
        let digits = position
        var number: UInt32 = 0
        while let digit = digit(base[position], isHex: isHex) {
            number = min(number * (isHex ? 16 : 10) + digit, 0x110000)
            position += 1
        }
        guard position > digits else {
            record(.absenceOfDigits, at: position)
            append(start..<position)
            return false
        }
        if base[position] == UInt8(ascii: ";") {
            position += 1
        } else {
            record(.missingSemicolonAfterCharacterReference, at: position)
        }
        append(scalar: checked(number))
        return true
    }

    private func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
        if classes.contains(byte, ByteClass.digit) { return UInt32(byte - UInt8(ascii: "0")) }
        let lower = byte | 0x20
        guard isHex, UInt8(ascii: "a")...UInt8(ascii: "f") ~= lower else { return nil }
        return UInt32(lower - UInt8(ascii: "a") + 10)
    }

    /// Returns the character that a number stands for (section 13.2.5.80).
    private mutating func checked(_ number: UInt32) -> UInt32 {
        switch number {
        case 0:
            record(.nullCharacterReference, at: position)
            return 0xFFFD
        case 0x110000...:
            record(.characterReferenceOutsideUnicodeRange, at: position)
            return 0xFFFD
        case 0xD800...0xDFFF:
            record(.surrogateCharacterReference, at: position)
            return 0xFFFD
        case _ where Self.isNoncharacter(number):
            record(.noncharacterCharacterReference, at: position)
            return number
        case 1...8, 0x0B, 0x0D...0x1F, 0x7F...0x9F:
            record(.controlCharacterReference, at: position)
            return CharacterReferences.replacement(for: number) ?? number
        default:
            return number
        }
    }

    private mutating func append(scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return appendReplacement() }
        added.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
