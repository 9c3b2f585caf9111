extension DomainName {
    /// Returns a name for a person to read: labels that begin with `xn--` in their own script.
    ///
    /// A label stays in ASCII if it could be mistaken for another one: if it mixes scripts that aren't written
    /// together, if it has characters that aren't letters or digits, or if all its letters are Cyrillic or Greek
    /// lookalikes of Latin ones.
    static func shown(_ name: String) -> String {
        guard name.lowercased().contains("xn--"), name.utf8.count <= maxLength else { return name }
        return name.split(separator: ".", omittingEmptySubsequences: false).map { label in
            guard label.lowercased().hasPrefix("xn--"), let text = unicode(ofLabel: label.lowercased()),
                isUnmistakable(text)
            else { return String(label) }
            return text
        }
        .joined(separator: ".")
    }

    private static func isUnmistakable(_ label: String) -> Bool {
        var scripts: Set<UInt32> = []
        var isLookalike = true
        for scalar in label.unicodeScalars {
            switch scalar {
            case "0"..."9", "-": continue
            default: break
            }
            guard let script = script(of: scalar) else { return false }
            scripts.insert(script)
            isLookalike = isLookalike && lookalikes.contains(scalar)
        }
        // Japanese and Korean are written with Latin letters among them.
        if scripts.contains(eastAsian) { return scripts.isSubset(of: [eastAsian, latin]) }
        return scripts.count == 1 && !isLookalike
    }

    private static let (latin, greek, cyrillic, eastAsian): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 4)

    /// Returns a number for a letter's script, or nil for any other scalar.
    private static func script(of scalar: Unicode.Scalar) -> UInt32? {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: break
        default: return nil
        }
        switch scalar.value {
        case 0x61...0x7A, 0xDF...0x24F, 0x1E00...0x1EFF: return latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: return greek
        case 0x400...0x52F: return cyrillic
        case 0x3005, 0x3041...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x2FFFF: return eastAsian
        // The blocks of the other scripts begin at multiples of 128: Armenian and Hebrew share one, and so do some
        // others that don't look alike.
        case 0x530...0x109F: return 0x100 + scalar.value / 128
        default: return nil
        }
    }

    /// Cyrillic and Greek letters that look like Latin ones.
    private static let lookalikes = Set("асԁеһіјӏорԛѕԝхуъьҽпгԍҫҡαινοορτυχκϲϳ".unicodeScalars)
}
