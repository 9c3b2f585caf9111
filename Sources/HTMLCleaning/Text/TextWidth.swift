/// The columns of characters in a terminal, and the characters that a terminal never gets.
enum TextWidth {
    /// The columns of a character: 0, 1 or 2.
    static func columns(of character: Character) -> Int {
        var columns = 0
        for scalar in character.unicodeScalars { columns = max(columns, self.columns(of: scalar)) }
        return columns
    }

    /// The columns of a text.
    static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        case 0xFE0F: return 2
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    /// Whether a character is left out: controls, those that order text, and those that can't be seen.
    static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// A text without the characters that are left out.
    static func shown(_ text: some StringProtocol) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isLeftOut(scalar) { shown.append(scalar) }
        return String(shown)
    }
}
