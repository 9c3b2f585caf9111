/// Eight bytes of text that are examined at once, to skip long runs of ordinary characters quickly.
///
/// ``Marks`` can be combined with `|`.
@frozen package struct EightBytes {
    @usableFromInline let word: UInt64

    /// One mark per byte. The first mark is exact; bytes after it may be marked wrongly.
    package typealias Marks = UInt64

    /// - Precondition: At least eight bytes follow `offset`.
    @inlinable
    @inline(__always)
    package init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        word = UInt64(
            littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    /// Marks the bytes equal to `byte`, which is below 0x80.
    @inlinable
    @inline(__always)
    package func marks(_ byte: UInt8) -> Marks { marks(byte, ignoring: 0) }

    /// Marks the bytes equal to `byte`, which is below 0x80, without comparing `bits`.
    @inlinable
    @inline(__always)
    package func marks(_ byte: UInt8, ignoring bits: UInt8) -> Marks {
        let differences = word & ~Self.each(bits) ^ Self.each(byte)
        return (differences &- Self.each(1)) & ~differences & Self.each(0x80)
    }

    /// Marks the bytes below `byte`, which is at most 0x80.
    @inlinable
    @inline(__always)
    package func marks(below byte: UInt8) -> Marks {
        (word &- Self.each(byte)) & ~word & Self.each(0x80)
    }

    /// Returns the index of the first marked byte, or 8 if no byte is marked.
    @inlinable
    @inline(__always)
    package static func first(_ marks: Marks) -> Int { marks.trailingZeroBitCount >> 3 }

    @inlinable
    @inline(__always)
    package static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Whether `bytes` contains `byte`, which is below 0x80.
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
