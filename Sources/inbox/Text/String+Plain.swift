/// Makes a sender's text safe for a terminal.
///
/// A message can contain control characters that move the cursor, recolor or retitle the terminal, and marks that
/// reverse the rest of the line. All of them are removed.
extension String {
    /// The text on several lines: line breaks are kept and tabs become spaces. Other control characters and direction
    /// marks are removed.
    var plainText: String {
        var text = String.UnicodeScalarView()
        for scalar in replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\n": text.append(scalar)
            case "\r", "\u{2028}", "\u{2029}", "\u{85}": text.append("\n")
            case "\t": text.append(contentsOf: "    ".unicodeScalars)
            default: if !scalar.isUnsafe { text.append(scalar) }
            }
        }
        return String(text)
    }

    /// The text on one line, for a table: white space becomes single spaces. Emoji sequences are kept.
    var plainLine: String {
        var text = String.UnicodeScalarView()
        var endsInSpace = true
        for character in self {
            if character.isWhitespace {
                if !endsInSpace { text.append(Unicode.Scalar(0x20)) }
                endsInSpace = true
                continue
            }
            for scalar in character.unicodeScalars where !scalar.isUnsafe {
                text.append(scalar)
                endsInSpace = false
            }
        }
        if text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The text on one line as a word for a shell, in quotation marks if it needs them.
    var shellWord: String {
        let line = plainLine
        let isSafe = line.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "@._-+:/".utf8.contains(byte)
            }
        }
        return isSafe && !line.isEmpty ? line : "'" + line.replacing("'", with: "'\\''") + "'"
    }

    /// The text for a table cell, which doesn't change the direction of its neighbors: right-to-left text is wrapped in
    /// an isolate (UAX #9), which has no width.
    var isolated: String {
        unicodeScalars.contains { $0.isRightToLeft } ? "\u{2068}\(self)\u{2069}" : self
    }
}

extension Unicode.Scalar {
    fileprivate var isUnsafe: Bool {
        if properties.generalCategory == .control { return true }
        switch value {
        // Embeddings, overrides and isolates.
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: return false
        }
    }
}

/// Returns a number with its noun: `1 message`, `3 messages`.
func counted(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
