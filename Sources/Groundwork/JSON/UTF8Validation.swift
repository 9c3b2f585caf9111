/// Validation of UTF-8 (RFC 3629).
package enum UTF8Validation {
    /// Returns the offset of the first byte that isn't well-formed UTF-8, or nil if all bytes are valid.
    package static func firstError(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        let count = bytes.count
        while index < count {
            let lead = bytes[index]
            let length: Int
            let second: ClosedRange<UInt8>
            switch lead {
            case 0x00...0x7F: (length, second) = (1, 0x80...0xBF)
            case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return index
            }
            guard index + length <= count else { return index }
            if length > 1 {
                guard second.contains(bytes[index + 1]) else { return index }
                for follower in bytes[(index + 2)..<max(index + 2, index + length)] where follower & 0xC0 != 0x80 {
                    return index
                }
            }
            index += length
        }
        return nil
    }
}

extension Collection<UInt8> {
    /// The bytes without the byte order mark of UTF-8 at their beginning, which some editors and spreadsheets write.
    package var withoutByteOrderMark: SubSequence {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return starts(with: mark) ? dropFirst(mark.count) : dropFirst(0)
    }
}
