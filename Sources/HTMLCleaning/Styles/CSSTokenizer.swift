/// A token of CSS (CSS Syntax 3, section 4). Escapes are resolved and comments are gone.
enum CSSToken: Equatable {
    case ident(String)
    case function(String)
    case hash(String)
    case string(String)
    case url(String)
    case number(CSSNumber)
    case percentage(CSSNumber)
    case dimension(CSSNumber, unit: String)
    case whitespace
    /// A single character: `:`, `;`, `,`, a bracket or another one.
    case delimiter(UInt8)
    case atKeyword(String)
    /// `<!--` or `-->`, which have no meaning between the rules of a style sheet.
    case markupComment
    /// A token that no value may have: a broken string or URL, or a number with an exponent.
    case invalid
}

/// The tokenizer of CSS (CSS Syntax 3, section 4.3). Its time is linear in the input.
struct CSSTokenizer {
    private let input: [UInt8]
    private var position = 0

    init(_ text: String) {
        input = Array(text.utf8)
    }

    /// Returns the next token, or nil at the end.
    mutating func next() -> CSSToken? {
        skipComments()
        guard let byte = peek() else { return nil }
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
            while let byte = peek(), CleanText.isSpace(byte) { position += 1 }
            return .whitespace
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            position += 1
            return string(until: byte)
        case UInt8(ascii: "#"):
            position += 1
            guard let next = peek(), Self.isName(next) || isEscape(at: position) else { return .delimiter(byte) }
            return .hash(name())
        case UInt8(ascii: "@"):
            position += 1
            guard startsName(at: position) else { return .delimiter(byte) }
            return .atKeyword(name().lowercased())
        case UInt8(ascii: "<") where starts("<!--"), UInt8(ascii: "-") where starts("-->"):
            position += byte == UInt8(ascii: "<") ? 4 : 3
            return .markupComment
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            if startsNumber() { return number() }
            if byte == UInt8(ascii: "-"), startsName(at: position) { return identLike() }
        default:
            if startsName(at: position) { return identLike() }
        }
        position += 1
        return .delimiter(byte)
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < input.count ? input[position + offset] : nil
    }

    private func starts(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= input.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where input[position + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private mutating func skipComments() {
        while peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
            position += 2
            while position < input.count, !(peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
                position += 1
            }
            position = min(position + 2, input.count)
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...,
            0:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
    }

    private func isEscape(at index: Int) -> Bool {
        guard index < input.count, input[index] == UInt8(ascii: "\\") else { return false }
        return index + 1 < input.count ? !Self.isLineEnd(input[index + 1]) : false
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0C || byte == 0x0D }

    private func startsName(at index: Int) -> Bool {
        guard index < input.count else { return false }
        if input[index] == UInt8(ascii: "-") {
            guard index + 1 < input.count else { return false }
            let next = input[index + 1]
            return Self.isNameStart(next) || next == UInt8(ascii: "-") || isEscape(at: index + 1)
        }
        return Self.isNameStart(input[index]) || isEscape(at: index)
    }

    private func startsNumber() -> Bool {
        var offset = 0
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset = 1 }
        if Self.isDigit(peek(offset)) { return true }
        return peek(offset) == UInt8(ascii: ".") && Self.isDigit(peek(offset + 1))
    }

    private mutating func name() -> String {
        var bytes: [UInt8] = []
        while let byte = peek() {
            if Self.isName(byte) {
                bytes.append(byte)
                position += 1
            } else if isEscape(at: position) {
                position += 1
                escape(&bytes)
            } else {
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads an escaped character after its backslash (section 4.3.7).
    private mutating func escape(_ bytes: inout [UInt8]) {
        var value: UInt32 = 0
        var count = 0
        while count < 6, let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
            value = value * 16 + UInt32(digit)
            count += 1
            position += 1
        }
        if count == 0 {
            guard let byte = peek() else { return }
            bytes.append(byte)
            position += 1
            return
        }
        if peek() == 0x0D, peek(1) == 0x0A { position += 1 }
        if let byte = peek(), CleanText.isSpace(byte) { position += 1 }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        bytes.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
    }

    private mutating func string(until quote: UInt8) -> CSSToken {
        var bytes: [UInt8] = []
        while let byte = peek() {
            if byte == quote {
                position += 1
                return .string(String(decoding: bytes, as: UTF8.self))
            }
            if Self.isLineEnd(byte) { return .invalid }
            position += 1
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
            } else if let next = peek() {
                if Self.isLineEnd(next) { position += 1 } else { escape(&bytes) }
            }
        }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func identLike() -> CSSToken {
        let name = name()
        guard peek() == UInt8(ascii: "(") else { return .ident(name) }
        position += 1
        guard name.lowercased() == "url" else { return .function(name.lowercased()) }
        var offset = 0
        while let byte = peek(offset), CleanText.isSpace(byte) { offset += 1 }
        if let byte = peek(offset), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .function("url") }
        position += offset
        return url()
    }

    /// Reads the rest of a URL without quotes (section 4.3.6).
    private mutating func url() -> CSSToken {
        var bytes: [UInt8] = []
        var isInvalid = false
        while let byte = peek() {
            position += 1
            switch byte {
            case UInt8(ascii: ")"):
                return isInvalid ? .invalid : .url(String(decoding: bytes, as: UTF8.self))
            case UInt8(ascii: "\\"):
                if let next = peek(), !Self.isLineEnd(next) { escape(&bytes) } else { isInvalid = true }
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("):
                isInvalid = true
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                while let byte = peek(), CleanText.isSpace(byte) { position += 1 }
                if let next = peek(), next != UInt8(ascii: ")") { isInvalid = true }
            case 0..<0x20, 0x7F:
                isInvalid = true
            default: bytes.append(byte)
            }
        }
        return isInvalid ? .invalid : .url(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func number() -> CSSToken {
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative || peek() == UInt8(ascii: "+") { position += 1 }
        let whole = digits()
        var fraction: ArraySlice<UInt8> = []
        if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
            position += 1
            fraction = digits()
        }
        var hasExponent = false
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if Self.isDigit(peek(hasSign ? 2 : 1)) {
                hasExponent = true
                position += hasSign ? 2 : 1
                _ = digits()
            }
        }
        var unit: String?
        var isPercentage = false
        if startsName(at: position) {
            unit = name().lowercased()
        } else if peek() == UInt8(ascii: "%") {
            position += 1
            isPercentage = true
        }
        guard !hasExponent, let number = CSSNumber(whole, fraction, isNegative: isNegative) else { return .invalid }
        if isPercentage { return .percentage(number) }
        return unit.map { .dimension(number, unit: $0) } ?? .number(number)
    }

    private mutating func digits() -> ArraySlice<UInt8> {
        let start = position
        while Self.isDigit(peek()) { position += 1 }
        return input[start..<position]
    }
}

/// A number in the one spelling in which the cleaner writes it.
struct CSSNumber: Equatable {
    /// The text, such as `0`, `12.5` or `-3`: up to six digits, and up to four after the point.
    let text: String

    /// Creates a number from its digits, or nil if it has more than six before the point.
    init?(_ whole: ArraySlice<UInt8>, _ fraction: ArraySlice<UInt8>, isNegative: Bool) {
        let whole = whole.drop { $0 == UInt8(ascii: "0") }
        guard whole.count <= 6 else { return nil }
        var fraction = fraction.prefix(4)
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        var text = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        self.text = isNegative && text != "0" ? "-" + text : text
    }

    var isNegative: Bool { text.first == "-" }
    var isZero: Bool { text == "0" }
    var value: Double { Double(text) ?? 0 }
}
