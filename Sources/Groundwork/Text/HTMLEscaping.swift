/// Detection of characters that HTML text and attribute values must escape.
package enum HTMLEscaping {
    /// Copies bytes up to the first that must be escaped or is a control character, such as a line break.
    ///
    /// - Parameters:
    ///   - source: The text, in UTF-8.
    ///   - start: The offset of the first byte to copy.
    ///   - destination: Memory with room for all bytes from `start` on.
    /// - Returns: The number of copied bytes.
    package static func copyUnescaped(
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

    @inline(__always)
    private static func marks(_ bytes: EightBytes) -> EightBytes.Marks {
        // & and ' differ in one bit, as do < and >.
        bytes.marks(below: 0x20) | bytes.marks(UInt8(ascii: "\"")) | bytes.marks(UInt8(ascii: "&"), ignoring: 1)
            | bytes.marks(UInt8(ascii: "<"), ignoring: 2) | bytes.marks(0x7F)
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        default: byte < 0x20
        }
    }
}
