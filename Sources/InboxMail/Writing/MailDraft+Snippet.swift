extension MailDraft {
    /// Returns the beginning of a text as one line of at most 256 characters, from its first 1,024.
    static func snippet(of text: String) -> String {
        text.utf8.withContiguousStorageIfAvailable(asciiSnippet).flatMap { $0 } ?? characterSnippet(of: text)
    }

    /// Returns the snippet of a text whose beginning is ASCII, by its bytes; nil for another text. A carriage return
    /// may be one character with the next byte.
    private static func asciiSnippet(of text: UnsafeBufferPointer<UInt8>) -> String? {
        var snippet: [UInt8] = []
        snippet.reserveCapacity(256)
        var isAfterSpace = false
        for (index, byte) in text.enumerated() {
            // What follows the last character may be a part of it.
            guard byte < 0x80, byte != 0x0D else { return nil }
            if index == 1_024 { break }
            guard !isASCIISpace(byte) else {
                isAfterSpace = !snippet.isEmpty
                continue
            }
            guard snippet.count + (isAfterSpace ? 1 : 0) < 256 else { break }
            if isAfterSpace { snippet.append(0x20) }
            snippet.append(byte)
            isAfterSpace = false
        }
        return String(decoding: snippet, as: UTF8.self)
    }

    /// Returns the snippet of any text.
    static func characterSnippet(of text: String) -> String {
        var (snippet, count, isAfterSpace) = ("", 0, false)
        for character in text.prefix(1_024) {
            guard !isSpace(character) else {
                isAfterSpace = count > 0
                continue
            }
            guard count + (isAfterSpace ? 1 : 0) < 256 else { break }
            if isAfterSpace {
                snippet.append(" ")
                count += 1
            }
            snippet.append(character)
            (count, isAfterSpace) = (count + 1, false)
        }
        return snippet
    }

    /// Whether a character is white space. Unicode's tables are only read for what isn't ASCII.
    private static func isSpace(_ character: Character) -> Bool {
        character.asciiValue.map(isASCIISpace) ?? character.isWhitespace
    }

    private static func isASCIISpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
