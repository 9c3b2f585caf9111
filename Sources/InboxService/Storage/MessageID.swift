import Foundation
import Groundwork

/// The server's id of a message: one number in the tables, text on the wire.
///
/// The number is the time of creation in milliseconds, shifted by 21 bits, and chance or a count below it: ids that are
/// made later are greater. The text is an `m` and 13 characters of Crockford's base 32, so that number and text sort
/// alike and a tie between two messages is broken in the tables as it is on every device.
package struct MessageID: Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The next id after those that exist.
    ///
    /// - Parameters:
    ///   - last: The greatest id so far.
    ///   - time: The time of creation. A clock that was set back doesn't matter, since the id is past `last` all the
    ///     same.
    init(after last: Int, at time: Date, random: RandomSource) {
        let milliseconds = min(max(time.milliseconds, 0), 1 << 42 - 1)
        rawValue = max(last + 1, milliseconds << 21 | Int(random.next() & (1 << 21 - 1)))
    }

    /// The time of creation that it says, in milliseconds; later than it was where the clock was set back.
    var time: Int { rawValue >> 21 }

    /// Reads the text; nil where it isn't exactly what ``text`` gives.
    package init?(_ text: String) {
        var value: UInt64 = 0
        guard text.utf8.count == Self.length, text.utf8.first == UInt8(ascii: "m") else { return nil }
        for byte in text.utf8.dropFirst() {
            guard let digit = Self.alphabet.firstIndex(of: byte), value >> 58 == 0 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        rawValue = Int(value)
    }

    /// The id on the wire, as RFC 8620 §1.2 wants ids.
    package var text: String {
        String(unsafeUninitializedCapacity: Self.length) { bytes in
            bytes[0] = UInt8(ascii: "m")
            for place in 0..<13 { bytes[13 - place] = Self.alphabet[rawValue >> (place * 5) & 31] }
            return Self.length
        }
    }

    /// Appends ``text``.
    func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "m"))
        for place in (0..<13).reversed() { bytes.append(Self.alphabet[rawValue >> (place * 5) & 31]) }
    }

    private static let length = 14
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
