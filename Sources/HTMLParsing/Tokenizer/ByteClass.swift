/// The bytes at which the tokenizer's scans stop, as bits.
enum ByteClass {
    /// Tab, line feed, form feed, space.
    static let space: UInt8 = 1
    /// Ends a tag name or an attribute's name, unless a scan begins with it: space, `/`, `>`, `=` and U+0000.
    static let nameEnd: UInt8 = 2
    static let upper: UInt8 = 4
    static let letter: UInt8 = 8
    static let digit: UInt8 = 16
    /// An error in the name of an attribute.
    static let quote: UInt8 = 32
    /// Ends an attribute's value without quotes, or needs attention in it.
    static let unquotedEnd: UInt8 = 64

    private static let table: [UInt8] = (0...255).map { (byte: Int) -> UInt8 in
        var bits: UInt8 = 0
        let byte = UInt8(byte)
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x20: bits |= space | nameEnd | unquotedEnd
        case 0, UInt8(ascii: ">"): bits |= nameEnd | unquotedEnd
        case UInt8(ascii: "/"): bits |= nameEnd
        case UInt8(ascii: "="): bits |= nameEnd | unquotedEnd
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): bits |= upper | letter
        case UInt8(ascii: "a")...UInt8(ascii: "z"): bits |= letter
        case UInt8(ascii: "0")...UInt8(ascii: "9"): bits |= digit
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"): bits |= quote | unquotedEnd
        case UInt8(ascii: "&"), UInt8(ascii: "`"): bits |= unquotedEnd
        default: break
        }
        return bits
    }

    /// The bits of each byte.
    static let all = ByteClasses(bits: table)
}

/// The classes of the 256 bytes.
struct ByteClasses: Sendable {
    let bits: [UInt8]

    func contains(_ byte: UInt8, _ bits: UInt8) -> Bool { self.bits[Int(byte)] & bits != 0 }
}
