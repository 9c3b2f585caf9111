import Foundation

/// Unicode normalization form C, in which texts that look the same have the same bytes.
package enum NormalForm {
    /// Whether UTF-8 text is certainly in normalization form C, without a lookup in Unicode's tables.
    ///
    /// It is true for nearly all texts in practice, and false if only the tables can answer.
    package static func isCertainlyNormalized(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var highest: UInt8 = 0
        for byte in text { highest = max(highest, byte) }
        return highest < firstCombiningLead || isCertainlyNormalizedByScalar(text)
    }

    /// The first UTF-8 byte of U+0300. No scalar below U+0300 combines with another one.
    package static let firstCombiningLead: UInt8 = 0xCC

    private static func isCertainlyNormalizedByScalar(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            let lead = text[index]
            let length =
                switch lead {
                case ..<0x80: 1
                case ..<0xE0: 2
                case ..<0xF0: 3
                default: 4
                }
            guard index + length <= text.count else { return false }
            if lead >= firstCombiningLead {
                var scalar = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
                for offset in 1..<length { scalar = scalar << 6 | UInt32(text[index + offset] & 0x3F) }
                guard isInert(scalar) else { return false }
            }
            index += length
        }
        return true
    }

    /// Whether a scalar is in a block whose scalars never change in form C and never combine with the preceding text.
    ///
    /// The blocks are few and large, so no table is needed: letters of Cyrillic, Hebrew, Arabic and Thai, Chinese
    /// characters, Kana, Hangul syllables, punctuation and emoji. A test compares them with Unicode's data.
    static func isInert(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x300, 0x400...0x482, 0x48A...0x52F, 0x5D0...0x5EA, 0x620...0x64A, 0x660...0x66F, 0x671...0x6D3,
            0xE01...0xE37, 0xE3F...0xE47, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x2190...0x2203,
            0x2600...0x27BF, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3,
            0xFE0F, 0xFF01...0xFF60, 0x200D, 0x1F300...0x1FAFF, 0x20000...0x2A6DF:
            true
        default: false
        }
    }
}

extension String {
    /// The text in normalization form C.
    package var normalized: String {
        var text = self
        let isCertain = text.withUTF8 { NormalForm.isCertainlyNormalized($0) }
        return isCertain ? text : text.precomposedStringWithCanonicalMapping
    }
}

extension String {
    /// Whether both strings have the same UTF-8 bytes. (`==` equates different spellings of one character.)
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
