/// A key that a person presses at a terminal.
enum KeyPress: Hashable, Sendable {
    case character(Character)
    case up, down, home, end, pageUp, pageDown, enter, escape, tab, backspace
}

/// Reads keys from the bytes that a terminal sends: UTF-8, and sequences after an escape (ECMA-48) for the arrows and
/// the keys above them.
struct KeyParser {
    /// The beginning of a character whose end hasn't arrived.
    private var rest: [UInt8] = []

    /// Returns the keys of the bytes that have arrived together. An escape at their end is the key itself, and unknown
    /// sequences are no key.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [KeyPress] {
        var all = (rest + Array(bytes))[...]
        rest = []
        var keys: [KeyPress] = []
        while let first = all.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard all.count >= length else {
                rest = Array(all)
                break
            }
            let character = all.prefix(length)
            all = all.dropFirst(length)
            switch first {
            case 0x1B: if let key = Self.sequence(&all) { keys.append(key) }
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x09: keys.append(.tab)
            case 0x08, 0x7F: keys.append(.backspace)
            case 0..<0x20: break
            default:
                for letter in String(decoding: character, as: UTF8.self) { keys.append(.character(letter)) }
            }
        }
        return keys
    }

    /// Removes the sequence after an escape.
    private static func sequence(_ bytes: inout ArraySlice<UInt8>) -> KeyPress? {
        guard let kind = bytes.first else { return .escape }
        guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .escape }
        bytes.removeFirst()
        // Parameters end with the letter of the key.
        var parameters: [UInt8] = []
        while let byte = bytes.popFirst() {
            guard (0x40...0x7E).contains(byte) else {
                parameters.append(byte)
                continue
            }
            return key(byte, parameters.prefix { $0 != UInt8(ascii: ";") })
        }
        return nil
    }

    /// Returns the key of a sequence. The keys above the arrows have a letter or, as in DEC's terminals, a number.
    ///
    /// - Parameter number: The first parameter.
    private static func key(_ letter: UInt8, _ number: ArraySlice<UInt8>) -> KeyPress? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"):
            switch String(decoding: number, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: nil
        }
    }
}
