/// Reads the value of one declaration and writes it again. A value with a part that isn't allowed is dropped as a
/// whole. Only a refused picture is left out by itself.
struct CSSValueReader {
    private var tokens: ArraySlice<CSSToken>
    private let property: CSSProperty
    private var output = ""
    /// The kind of the part that was written last.
    private var last = Part.separator

    private enum Part { case separator, word, family }

    init(_ tokens: ArraySlice<CSSToken>, property: CSSProperty) {
        self.tokens = tokens
        self.property = property
    }

    /// Returns the value that a whole text is, or nil if it isn't allowed or empty. More than a value, such as a second
    /// declaration, isn't.
    static func value(_ text: String, of property: CSSProperty) -> String? {
        var tokenizer = CSSTokenizer(text)
        var tokens: [CSSToken] = []
        while let token = tokenizer.next() { tokens.append(token) }
        var reader = CSSValueReader(tokens[...], property: property)
        return reader.value { _ in nil }
    }

    /// Returns the value, or nil if it isn't allowed or empty.
    mutating func value(picture: (String) -> String?) -> String? {
        while let token = tokens.popFirst() {
            switch token {
            case .whitespace: break
            case .delimiter(UInt8(ascii: ",")):
                guard property.kinds.contains(.comma), separate(", ") else { return nil }
            case .delimiter(UInt8(ascii: "/")):
                guard property.kinds.contains(.slash), separate(" / ") else { return nil }
            case .url, .function("url"):
                guard let url = url(token), property.kinds.contains(.picture) else { return nil }
                if let url = picture(url), let text = Self.quoted(url) { write(text) }
            default:
                guard let word = word(token) else { return nil }
                write(word)
            }
        }
        return output.isEmpty || last == .separator ? nil : output
    }

    private mutating func separate(_ text: String) -> Bool {
        guard last != .separator else { return false }
        output += text
        last = .separator
        return true
    }

    private mutating func write(_ text: String) {
        if last != .separator { output += " " }
        output += text
        last = .word
    }

    private mutating func word(_ token: CSSToken) -> String? {
        switch token {
        case .ident(let name): return keyword(name)
        case .hash(let digits):
            guard property.kinds.contains(.color), HTMLColor(hex: digits) != nil else { return nil }
            return "#" + digits.lowercased()
        case .function("min"):
            return property.kinds.contains(.minimum) ? minimum() : nil
        case .function(let name):
            guard property.kinds.contains(.color), let color = CSSColorReader.color(name, &tokens) else { return nil }
            return color.css
        case .number(let number):
            if property.kinds.contains(.number) { return number.isNegative ? nil : number.text }
            return property.kinds.contains(.length) && number.isZero ? "0" : nil
        case .percentage(let number):
            return length(number, unit: "%")
        case .dimension(let number, let unit):
            return CSSProperty.units.contains(unit) ? length(number, unit: unit) : nil
        case .string(let text):
            return property.kinds.contains(.family) ? Self.family(text) : nil
        default: return nil
        }
    }

    private func length(_ number: CSSNumber, unit: String) -> String? {
        guard property.kinds.contains(.length) else { return nil }
        return number.isNegative && !property.kinds.contains(.negative) ? nil : number.text + unit
    }

    /// The arguments of `min()`: two lengths.
    private mutating func minimum() -> String? {
        func next() -> CSSToken? {
            tokens = tokens.drop { $0 == .whitespace }
            return tokens.popFirst()
        }
        func argument() -> String? {
            switch next() {
            case .percentage(let number): length(number, unit: "%")
            case .dimension(let number, let unit) where CSSProperty.units.contains(unit): length(number, unit: unit)
            default: nil
            }
        }
        guard let first = argument(), next() == .delimiter(UInt8(ascii: ",")), let second = argument(),
            next() == .delimiter(UInt8(ascii: ")"))
        else { return nil }
        return "min(\(first), \(second))"
    }

    private func keyword(_ name: String) -> String? {
        let lower = name.lowercased()
        if property.keywords.contains(lower) || lower == "inherit" || lower == "initial" { return lower }
        if property.kinds.contains(.color) {
            if lower == "transparent" || lower == "currentcolor" || HTMLColor(named: lower) != nil { return lower }
        }
        return property.kinds.contains(.family) ? Self.family(name) : nil
    }

    /// A family's name: a word of letters, digits and hyphens as it is, others in quotation marks.
    private static func family(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 100 else { return nil }
        var isWord = name.utf8.first.map { $0 | 0x20 }.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } ?? false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": break
            case " ", "_", ".", "+", "&": isWord = false
            default:
                guard scalar.properties.isAlphabetic, scalar.value > 0x7F else { return nil }
                isWord = false
            }
        }
        return isWord ? name : "'\(name)'"
    }

    /// The URL of a token, with the rest of its function.
    private mutating func url(_ token: CSSToken) -> String? {
        if case .url(let text) = token { return text }
        tokens = tokens.drop { $0 == .whitespace }
        guard case .string(let text)? = tokens.popFirst() else { return nil }
        tokens = tokens.drop { $0 == .whitespace }
        guard tokens.isEmpty || tokens.popFirst() == .delimiter(UInt8(ascii: ")")) else { return nil }
        return text
    }

    /// A URL as a value, or nil if a character of it would need an escape.
    private static func quoted(_ url: String) -> String? {
        var bytes: [UInt8] = []
        // By bytes, for a combining mark after a quotation mark is one character with it.
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "'"): bytes += "%27".utf8
            case UInt8(ascii: "\""): bytes += "%22".utf8
            case UInt8(ascii: "\\"): bytes += "%5C".utf8
            case ...0x20, 0x7F: return nil
            default: bytes.append(byte)
            }
        }
        return "url('" + String(decoding: bytes, as: UTF8.self) + "')"
    }
}

/// Reads the arguments of `rgb()` and `hsl()` (CSS Color 4, sections 5.1 and 7).
enum CSSColorReader {
    /// Returns the color and removes the arguments, or nil if the function is another or the arguments are wrong.
    static func color(_ name: String, _ tokens: inout ArraySlice<CSSToken>) -> HTMLColor? {
        let isRGB = name == "rgb" || name == "rgba"
        guard isRGB || name == "hsl" || name == "hsla" else { return nil }
        var parts: [(value: Double, isPercentage: Bool)] = []
        loop: while let token = tokens.popFirst() {
            switch token {
            case .whitespace, .delimiter(UInt8(ascii: ",")), .delimiter(UInt8(ascii: "/")): break
            case .delimiter(UInt8(ascii: ")")): break loop
            case .number(let number): parts.append((number.value, false))
            case .percentage(let number): parts.append((number.value, true))
            case .dimension(let number, unit: "deg") where parts.isEmpty && !isRGB: parts.append((number.value, false))
            default: return nil
            }
        }
        guard parts.count == 3 || parts.count == 4 else { return nil }
        let alpha = parts.count == 4 ? parts[3].isPercentage ? parts[3].value / 100 : parts[3].value : 1
        if isRGB {
            let bytes = parts.prefix(3).map { byte($0.isPercentage ? $0.value * 2.55 : $0.value) }
            return HTMLColor(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: alpha)
        }
        let saturation = min(max(parts[1].value / 100, 0), 1)
        let lightness = min(max(parts[2].value / 100, 0), 1)
        func part(_ offset: Double) -> UInt8 {
            var place = (offset + parts[0].value / 30).truncatingRemainder(dividingBy: 12)
            if place < 0 { place += 12 }
            let range = saturation * min(lightness, 1 - lightness)
            return byte((lightness - range * max(-1, min(place - 3, 9 - place, 1))) * 255)
        }
        return HTMLColor(red: part(0), green: part(8), blue: part(4), alpha: alpha)
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
}

extension HTMLColor {
    /// The color as the cleaner writes it: `#rrggbb`, or `rgba()` with up to three digits of opacity.
    var css: String {
        let thousandths = Int((alpha * 1_000).rounded())
        if thousandths == 1_000 {
            return "#"
                + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        var digits = String(1_000 + thousandths).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "rgba(\(red), \(green), \(blue), \(digits.isEmpty ? "0" : "0." + digits))"
    }
}
