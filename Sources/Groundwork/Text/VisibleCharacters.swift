extension String {
    /// Whether the text has control characters: those of Unicode's category Cc, U+0000 to U+001F and U+007F to U+009F.
    package var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.value <= 0x1F || (0x7F...0x9F).contains($0.value) }
    }

    /// The characters that show nothing: control characters, white space, soft hyphens and marks of zero width.
    package static let invisibleCharacters: [ClosedRange<UInt32>] = [
        0...0x20, 0x7F...0xA0, 0xAD...0xAD, 0x1680...0x1680, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F,
        0x3000...0x3000, 0xFEFF...0xFEFF,
    ]

    /// Whether the text has a character outside ``invisibleCharacters``, so that it can name something on screen.
    package var hasVisibleCharacters: Bool {
        unicodeScalars.contains { scalar in !Self.invisibleCharacters.contains { $0.contains(scalar.value) } }
    }
}
