import Foundation

/// Unicode normalization form C, in which texts that look the same have the same bytes.
package enum NormalForm {
    /// The first UTF-8 byte of U+0300. No scalar below U+0300 combines with another one.
    package static let firstCombiningLead: UInt8 = 0xCC
}

extension String {
    /// The text in normalization form C.
    package var normalized: String {
        utf8.allSatisfy { $0 < NormalForm.firstCombiningLead } ? self : precomposedStringWithCanonicalMapping
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
