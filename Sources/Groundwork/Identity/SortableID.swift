package import Foundation

/// Makes ids that sort by the time at which they were made: an `m`, 9 characters of time, 16 of chance, in lower-case
/// Crockford base 32.
///
/// A JMAP id as RFC 8620 §1.2 wants it: it starts with a letter, so that it is never taken for a number.
package enum SortableID {
    package static func make(at time: Date, random: RandomSource) -> String {
        var milliseconds = UInt64(clamping: time.milliseconds)
        var characters: [Character] = []
        for _ in 0..<9 {
            characters.append(Base32.alphabet[Int(milliseconds & 31)])
            milliseconds >>= 5
        }
        return "m" + String(characters.reversed()) + random.token(length: 16)
    }
}

enum Base32 {
    /// Digits and letters without i, l, o and u, which are easily misread.
    static let alphabet: [Character] = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
