import Foundation
import Groundwork

/// The server's id of a message: a number in the tables, a text on the wire.
///
/// The number consists of the time of creation in milliseconds and 21 lower bits, which are random or incremented.
/// Later ids are greater. The text is an `m` and 13 characters of Crockford's base 32. Number and text sort alike, so
/// the tables break ties between two messages in the same order as every device.
///
/// Where several servers share a database, the first 8 of the lower bits are the server's number: no two servers create
/// the same id. The ids of two servers in one millisecond are in no order.
package struct MessageID: Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates the id that follows the existing ones.
    ///
    /// - Parameters:
    ///   - last: The greatest existing id. With others, the greatest one of this server.
    ///   - time: The time of creation. If the clock was set back, the id is still greater than `last`.
    ///   - node: The number of the server, in `0..<256`, if others share the database.
    init(after last: Int, at time: Date, node: Int? = nil, random: RandomSource) {
        let milliseconds = min(max(time.milliseconds, 0), 1 << 42 - 1)
        guard let node else {
            rawValue = max(last + 1, milliseconds << 21 | Int(random.next() & (1 << 21 - 1)))
            return
        }
        // Half of the numbers of a millisecond are left to those that follow in it.
        let first = (milliseconds << 8 | node) << 13 | Int(random.next() & (1 << 12 - 1))
        let isFull = (last + 1) & (1 << 13 - 1) == 0
        let following = isFull ? ((last >> 21 + 1) << 8 | node) << 13 : last + 1
        rawValue = max(following, first)
    }

    /// The encoded time of creation in milliseconds. It is later than the real time if the clock was set back.
    var time: Int { rawValue >> 21 }

    /// Parses an id. Returns nil if the text isn't in the exact form of ``text``.
    package init?(_ text: String) {
        var value: UInt64 = 0
        guard text.utf8.count == Self.length, text.utf8.first == UInt8(ascii: "m") else { return nil }
        for byte in text.utf8.dropFirst() {
            guard let digit = Self.alphabet.firstIndex(of: byte), value >> 58 == 0 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        rawValue = Int(value)
    }

    /// The id on the wire, with the syntax of RFC 8620 §1.2.
    package var text: String {
        String(unsafeUninitializedCapacity: Self.length) { bytes in
            bytes[0] = UInt8(ascii: "m")
            for index in 0..<13 { bytes[13 - index] = Self.alphabet[rawValue >> (index * 5) & 31] }
            return Self.length
        }
    }

    /// Appends ``text``.
    func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "m"))
        for index in (0..<13).reversed() { bytes.append(Self.alphabet[rawValue >> (index * 5) & 31]) }
    }

    private static let length = 14
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
