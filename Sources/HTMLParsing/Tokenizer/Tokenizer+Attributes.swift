extension Tokenizer {
    /// Reads attributes and the end of their tag (sections 13.2.5.32 to 13.2.5.40).
    ///
    /// - Returns: Whether the tag ends before the input does.
    mutating func readAttributes() -> Bool {
        tagCount &+= 1
        while true {
            // The state before an attribute's name.
            skipSpace()
            switch base[position] {
            case UInt8(ascii: "/"):
                position += 1
                if base[position] == UInt8(ascii: ">") {
                    tag.isSelfClosing = true
                    position += 1
                    return true
                }
                if position == end { return false }
                record(.unexpectedSolidusInTag, at: position)
                continue
            case UInt8(ascii: ">"):
                position += 1
                return true
            case 0 where position == end:
                return false
            case UInt8(ascii: "="):
                record(.unexpectedEqualsSignBeforeAttributeName, at: position)
            default:
                break
            }
            let name = readName(endingAtEquals: true)
            let isNew = isNewAttribute(name)
            skipSpace()
            var value = 0..<0
            if base[position] == UInt8(ascii: "=") {
                position += 1
                skipSpace()
                switch base[position] {
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    guard let quoted = readQuotedValue() else { return false }
                    value = quoted
                case UInt8(ascii: ">"):
                    record(.missingAttributeValue, at: position)
                default:
                    guard let unquoted = readUnquotedValue() else { return false }
                    value = unquoted
                }
            }
            guard isNew else { continue }
            if attributes.count < attributeLimit {
                attributes.append(Attribute(name: name, value: value))
            } else {
                hasCutAttributes = true
            }
        }
    }

    mutating func skipSpace() {
        while classes.contains(base[position], ByteClass.space) { position += 1 }
    }

    /// Whether the tag has no attribute of this name yet.
    private mutating func isNewAttribute(_ name: UInt32) -> Bool {
        let index = Int(name)
        if index >= lastTagWithName.count {
            lastTagWithName.append(contentsOf: repeatElement(0, count: names.count - lastTagWithName.count))
        }
        guard lastTagWithName[index] != tagCount else {
            record(.duplicateAttribute, at: position)
            return false
        }
        lastTagWithName[index] = tagCount
        return true
    }

    /// Reads a value in quotes (sections 13.2.5.36 and 13.2.5.37). Returns nil if the input ends in it.
    private mutating func readQuotedValue() -> Range<Int>? {
        let quote = base[position]
        position += 1
        let start = position
        skipQuoted(quote)
        if base[position] == quote {
            let value = start..<position
            position += 1
            endQuotedValue()
            return value
        }
        return readUnusualQuotedValue(from: start, quote: quote)
    }

    /// Moves to the next quote, `&` or U+0000.
    private mutating func skipQuoted(_ quote: UInt8) {
        while true {
            switch base[position] {
            case 0, quote, UInt8(ascii: "&"): return
            default: position += 1
            }
        }
    }

    /// Reads the rest of a value that has references or U+0000.
    private mutating func readUnusualQuotedValue(from start: Int, quote: UInt8) -> Range<Int>? {
        let index = beginAdded(from: start, to: position)
        while true {
            let run = position
            skipQuoted(quote)
            append(run..<position)
            switch base[position] {
            case quote:
                position += 1
                endQuotedValue()
                return addedRange(from: index)
            case UInt8(ascii: "&"):
                appendReference(inAttribute: true)
            default:
                guard position < end else { return nil }
                record(.unexpectedNullCharacter, at: position)
                appendReplacement()
                position += 1
            }
        }
    }

    /// Checks the character after a quoted value (section 13.2.5.39).
    private mutating func endQuotedValue() {
        let byte = base[position]
        if recordsErrors, position < end, !classes.contains(byte, ByteClass.space), byte != UInt8(ascii: "/"),
            byte != UInt8(ascii: ">")
        {
            record(.missingWhitespaceBetweenAttributes, at: position)
        }
    }

    /// Reads a value without quotes (section 13.2.5.38). Returns nil if the input ends in it.
    private mutating func readUnquotedValue() -> Range<Int>? {
        let start = position
        var index: Int?
        while true {
            let run = position
            while !classes.contains(base[position], ByteClass.unquotedEnd) { position += 1 }
            if index != nil { append(run..<position) }
            let byte = base[position]
            if byte == UInt8(ascii: ">") || classes.contains(byte, ByteClass.space) {
                return index.map { addedRange(from: $0) } ?? start..<position
            }
            if byte == UInt8(ascii: "&") {
                index = index ?? beginAdded(from: start, to: position)
                appendReference(inAttribute: true)
            } else if byte == 0 {
                guard position < end else { return nil }
                record(.unexpectedNullCharacter, at: position)
                index = index ?? beginAdded(from: start, to: position)
                appendReplacement()
                position += 1
            } else {
                record(.unexpectedCharacterInUnquotedAttributeValue, at: position)
                if index != nil { added.append(byte) }
                position += 1
            }
        }
    }
}
