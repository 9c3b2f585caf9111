package import Foundation

/// Ids that sort by creation time: an `m`, 9 characters of time and 16 random characters, in lower-case Crockford base
/// 32.
///
/// They are valid JMAP ids (RFC 8620, section 1.2). They start with a letter, so they are never mistaken for numbers.
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
    /// Digits and letters, without the easily misread i, l, o and u.
    static let alphabet: [Character] = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
