/// Eight bytes of a text, looked at together, so that long runs of usual characters are passed over quickly.
///
/// ``Marks`` of several kinds are put together with `|`.
@frozen package struct EightBytes {
    @usableFromInline let word: UInt64

    /// A mark for each byte. Above the first that is marked, more may be marked than ought to be.
    package typealias Marks = UInt64

    /// - Precondition: From `offset` on there are eight bytes.
    @inlinable
    @inline(__always)
    package init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        word = UInt64(
            littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    /// Marks the bytes that are this one, which is below 0x80.
    @inlinable
    @inline(__always)
    package func marks(_ byte: UInt8) -> Marks { marks(byte, ignoring: 0) }

    /// Marks the bytes that are this one, which is below 0x80, but for some bits of it.
    @inlinable
    @inline(__always)
    package func marks(_ byte: UInt8, ignoring bits: UInt8) -> Marks {
        let differences = word & ~Self.each(bits) ^ Self.each(byte)
        return (differences &- Self.each(1)) & ~differences & Self.each(0x80)
    }

    /// Marks the bytes below one that is at most 0x80.
    @inlinable
    @inline(__always)
    package func marks(below byte: UInt8) -> Marks {
        (word &- Self.each(byte)) & ~word & Self.each(0x80)
    }

    /// The place of the first byte that is marked; 8 where none is.
    @inlinable
    @inline(__always)
    package static func first(_ marks: Marks) -> Int { marks.trailingZeroBitCount >> 3 }

    @inlinable
    @inline(__always)
    package static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Whether a byte below 0x80 is among others.
    @inlinable
    package static func contain(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            if EightBytes(bytes, at: index).marks(byte) != 0 { return true }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] == byte { return true }
            index += 1
        }
        return false
    }
}
