extension String {
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
