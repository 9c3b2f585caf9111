/// Text as HTML has it: what ends a text or the value of an attribute can't stand there as it is.
package enum HTMLEscaping {
    /// Copies bytes up to the first that can't stand there as it is, or that is a control character such as a line
    /// break.
    ///
    /// - Parameters:
    ///   - source: UTF-8.
    ///   - start: From where on.
    ///   - destination: Has room for all that follow.
    /// - Returns: How many were copied.
    package static func copyUsual(
        _ source: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to destination: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let target = UnsafeMutableRawPointer(destination)
        var index = start
        while index + 8 <= source.count {
            let eight = EightBytes(source, at: index)
            // What isn't usual is written over, or past the end of what counts.
            target.storeBytes(of: eight.word.littleEndian, toByteOffset: index - start, as: UInt64.self)
            let usual = EightBytes.first(marks(eight))
            index += usual
            if usual < 8 { return index - start }
        }
        while index < source.count, !isUnusual(source[index]) {
            destination[index - start] = source[index]
            index += 1
        }
        return index - start
    }

    @inline(__always)
    private static func marks(_ bytes: EightBytes) -> EightBytes.Marks {
        // & and ' differ in one bit, and so do < and >.
        bytes.marks(below: 0x20) | bytes.marks(UInt8(ascii: "\"")) | bytes.marks(UInt8(ascii: "&"), ignoring: 1)
            | bytes.marks(UInt8(ascii: "<"), ignoring: 2) | bytes.marks(0x7F)
    }

    @inline(__always)
    private static func isUnusual(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        default: byte < 0x20
        }
    }
}
