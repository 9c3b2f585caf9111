/// Detection of characters that HTML text and attribute values must escape.
enum HTMLEscaping {
    /// Copies bytes up to the first that must be escaped or is a control character, such as a line break.
    ///
    /// - Parameters:
    ///   - source: The text, in UTF-8.
    ///   - start: The offset of the first byte to copy.
    ///   - destination: Memory with room for all bytes from `start` on.
    /// - Returns: The number of copied bytes.
    static func copyUnescaped(
        _ source: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to destination: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let target = UnsafeMutableRawPointer(destination)
        var index = start
        while index + 8 <= source.count {
            let eight = EightBytes(source, at: index)
            // Bytes beyond the counted ones are overwritten later, or lie past the end.
            target.storeBytes(of: eight.word.littleEndian, toByteOffset: index - start, as: UInt64.self)
            let plain = EightBytes.first(marks(eight))
            index += plain
            if plain < 8 { return index - start }
        }
        while index < source.count, !needsEscape(source[index]) {
            destination[index - start] = source[index]
            index += 1
        }
        return index - start
    }

    private static func marks(_ bytes: EightBytes) -> EightBytes.Marks {
        // & and ' differ in one bit, as do < and >.
        bytes.marks(below: 0x20) | bytes.marks(UInt8(ascii: "\"")) | bytes.marks(UInt8(ascii: "&"), ignoring: 1)
            | bytes.marks(UInt8(ascii: "<"), ignoring: 2) | bytes.marks(0x7F)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        default: byte < 0x20
        }
    }
}

/// Eight bytes of text that are examined at once, to skip long runs of ordinary characters quickly. "What is fast on
/// purpose" in Documentation/Decisions.md has the figure.
///
/// ``Marks`` can be combined with `|`.
private struct EightBytes {
    let word: UInt64

    /// One mark per byte. The first mark is exact; bytes after it may be marked wrongly.
    typealias Marks = UInt64

    /// Reads the eight bytes that begin at an offset.
    ///
    /// - Precondition: The text has as many.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        word = UInt64(
            littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    /// Marks the bytes equal to `byte`, which is below 0x80, without comparing `bits`.
    func marks(_ byte: UInt8, ignoring bits: UInt8 = 0) -> Marks {
        let differences = word & ~Self.each(bits) ^ Self.each(byte)
        return (differences &- Self.each(1)) & ~differences & Self.each(0x80)
    }

    /// Marks the bytes below `byte`, which is at most 0x80.
    func marks(below byte: UInt8) -> Marks {
        (word &- Self.each(byte)) & ~word & Self.each(0x80)
    }

    /// Returns the index of the first marked byte, or 8 if no byte is marked.
    static func first(_ marks: Marks) -> Int { marks.trailingZeroBitCount >> 3 }

    static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
