extension String {
    /// Whether the text has control characters: those of Unicode's category Cc, U+0000 to U+001F and U+007F to U+009F.
    package var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.value <= 0x1F || (0x7F...0x9F).contains($0.value) }
    }
}
