/// The named character references (HTML, section 13.5).
struct CharacterReferences: Sendable {
    static let shared = CharacterReferences()

    /// The offsets of the names in ``entries``, and the end.
    private let starts: [UInt16]
    /// The index of the first name that doesn't begin with a lower byte, by that byte.
    private let firstNames: [UInt16]

    /// A name that was found.
    struct Match {
        /// The length of the name, with its semicolon if it has one.
        let length: Int
        /// The characters that it stands for, in UTF-8.
        let value: UnsafeBufferPointer<UInt8>
    }

    private init() {
        let text = Self.entries.utf8Start
        var starts: [UInt16] = [0]
        starts.reserveCapacity(Self.count + 1)
        var isName = true
        for index in 0..<Self.entries.utf8CodeUnitCount where text[index] == UInt8(ascii: " ") {
            if !isName { starts.append(UInt16(index + 1)) }
            isName.toggle()
        }
        self.starts = starts
        var name = 0
        firstNames = (0...128).map { (byte: Int) -> UInt16 in
            while name < Self.count, Int(text[Int(starts[name])]) < byte { name += 1 }
            return UInt16(name)
        }
    }

    /// Returns the longest name that the text starts with, or nil if there is none.
    ///
    /// - Parameter text: The text after the ampersand. It ends with a zero byte.
    func longestMatch(_ text: UnsafePointer<UInt8>) -> Match? {
        let entries = Self.entries.utf8Start
        guard text[0] < 0x80 else { return nil }
        var names = Int(firstNames[Int(text[0])])..<Int(firstNames[Int(text[0]) + 1])
        var match: Match?
        var depth = 1
        while !names.isEmpty {
            // The names share their first `depth` bytes with the text. A complete one is the first of them.
            let first = Int(starts[names.lowerBound])
            if entries[first + depth] == UInt8(ascii: " ") {
                let value = first + depth + 1
                let end = Int(starts[names.lowerBound + 1]) - 1
                match = Match(
                    length: depth,
                    value: UnsafeBufferPointer(start: entries + value, count: end - value)
                )
            }
            let byte = text[depth]
            let isNamePart =
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ";")
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            guard isNamePart else { return match }
            if names.count > 1 {
                names = narrowed(names, depth: depth, to: byte)
            } else if entries[first + depth] != byte {
                return match
            }
            depth += 1
        }
        return match
    }

    /// Returns those of the names that have this byte at `depth`.
    private func narrowed(_ names: Range<Int>, depth: Int, to byte: UInt8) -> Range<Int> {
        let entries = Self.entries.utf8Start
        func firstIndex(notBelow byte: UInt8) -> Int {
            var (low, high) = (names.lowerBound, names.upperBound)
            while low < high {
                let middle = (low + high) / 2
                if entries[Int(starts[middle]) + depth] < byte { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return firstIndex(notBelow: byte)..<firstIndex(notBelow: byte + 1)
    }

    /// The character that a number stands for where it isn't the one of that number (section 13.2.5.80).
    static func replacement(for number: UInt32) -> UInt32? {
        switch number {
        case 0x80: 0x20AC
        case 0x82: 0x201A
        case 0x83: 0x0192
        case 0x84: 0x201E
        case 0x85: 0x2026
        case 0x86: 0x2020
        case 0x87: 0x2021
        case 0x88: 0x02C6
        case 0x89: 0x2030
        case 0x8A: 0x0160
        case 0x8B: 0x2039
        case 0x8C: 0x0152
        case 0x8E: 0x017D
        case 0x91: 0x2018
        case 0x92: 0x2019
        case 0x93: 0x201C
        case 0x94: 0x201D
        case 0x95: 0x2022
        case 0x96: 0x2013
        case 0x97: 0x2014
        case 0x98: 0x02DC
        case 0x99: 0x2122
        case 0x9A: 0x0161
        case 0x9B: 0x203A
        case 0x9C: 0x0153
        case 0x9E: 0x017E
        case 0x9F: 0x0178
        default: nil
        }
    }
}
