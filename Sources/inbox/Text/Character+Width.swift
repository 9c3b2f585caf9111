/// The number of terminal columns of text.
///
/// The width follows Unicode's East Asian Width and emoji properties (UAX #11, UTS #51) rather than the C library's
/// tables, which depend on the locale. Characters of ambiguous width count as one.
extension Unicode.Scalar {
    var columns: Int {
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // Vowels and final consonants of a Hangul syllable share the cell of its first consonant.
        if (0x1160...0x11FF).contains(value) { return 0 }
        // Two regional indicators make one flag of two columns.
        if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
        if properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Wide and full-width characters that aren't emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    /// Whether the scalar belongs to a script that is written from right to left.
    var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

extension Character {
    /// The number of columns. An emoji sequence counts as one emoji (UTS #51), as in terminals that draw it as one
    /// glyph.
    var columns: Int {
        let sum = unicodeScalars.reduce(0) { $0 + $1.columns }
        guard let first = unicodeScalars.first, first.properties.isEmoji, first.value > 0xFF else { return sum }
        // U+FE0F requests emoji presentation, which is wide.
        return unicodeScalars.contains("\u{FE0F}") ? 2 : min(2, sum)
    }
}
