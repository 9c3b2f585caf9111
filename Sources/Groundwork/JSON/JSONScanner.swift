/// A JSON tokenizer that reads front to back and builds no values.
///
/// It is strict: RFC 8259's grammar with the restrictions of I-JSON (RFC 7493) that JMAP requires (RFC 8620, section
/// 1.5), namely UTF-8 and no lone surrogates. (Repeated names are detected by
/// ``JSON/init(parsing:depthLimit:valueLimit:)``, which keeps the names.) Values nest at most `depthLimit` deep, so
/// hostile text can't exhaust the stack.
///
/// The buffer must outlive the scanner and must have been checked with ``UTF8Validation``.
package struct JSONScanner {
    /// The default maximum nesting depth of arrays and objects.
    package static let defaultDepthLimit = 64

    package let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next byte.
    package private(set) var offset: Int
    private var depth = 0
    private let depthLimit: Int
    /// The number of values that ``countValue()`` may still count.
    private var valuesLeft: Int
    private let valueLimit: Int
    /// The end offsets of long arrays and objects that were skipped, by their start offsets. Nil if they aren't
    /// recorded.
    package private(set) var ends: [Int: Int]?

    /// The size in bytes from which the end of an array or object is recorded. Skipping a shorter one again is as fast
    /// as the lookup.
    private static let longValue = 256

    package init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from offset: Int = 0,
        depthLimit: Int = defaultDepthLimit,
        valueLimit: Int = .max,
        recordsEnds: Bool = false
    ) {
        self.bytes = bytes
        self.offset = offset
        self.depthLimit = depthLimit
        self.valueLimit = valueLimit
        valuesLeft = valueLimit
        ends = recordsEnds ? [:] : nil
    }

    /// The kind of a value, as its first byte shows.
    package enum Kind {
        case null, bool, number, string, array, object
    }

    /// Returns the kind of the next value without reading it.
    package mutating func peek() throws(JSONSyntaxError) -> Kind {
        skipWhitespace()
        guard offset < bytes.count else { throw failure(.endOfText) }
        switch bytes[offset] {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw failure(.unexpectedByte)
        }
    }

    /// Counts a value that is about to be kept in memory, which takes many times the bytes of its text.
    ///
    /// - Throws: ``JSONSyntaxError`` with `tooManyValues` beyond the limit.
    package mutating func countValue() throws(JSONSyntaxError) {
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw failure(.tooManyValues(limit: valueLimit)) }
    }

    /// Reads `{`. Call ``nextName(first:)`` next until it returns nil.
    package mutating func beginObject() throws(JSONSyntaxError) {
        try begin(UInt8(ascii: "{"))
    }

    /// Reads the next member's name and colon. Returns nil after reading the closing `}`.
    package mutating func nextName(first: Bool) throws(JSONSyntaxError) -> Range<Int>? {
        guard try next(closing: UInt8(ascii: "}"), first: first) else { return nil }
        skipWhitespace()
        guard offset < bytes.count else { throw failure(.endOfText) }
        guard bytes[offset] == UInt8(ascii: "\"") else { throw failure(.nameExpected) }
        let name = try skipString()
        try expect(UInt8(ascii: ":"))
        return name
    }

    /// Reads `[`. Call ``nextElement(first:)`` next until it returns false.
    package mutating func beginArray() throws(JSONSyntaxError) {
        try begin(UInt8(ascii: "["))
    }

    /// Reads the comma before the next element. Returns false after reading the closing `]`.
    package mutating func nextElement(first: Bool) throws(JSONSyntaxError) -> Bool {
        try next(closing: UInt8(ascii: "]"), first: first)
    }

    /// Reads a whole value of any kind and returns its range, without surrounding white space.
    package mutating func skipValue() throws(JSONSyntaxError) -> Range<Int> {
        let kind = try peek()
        let start = offset
        switch kind {
        case .null: try literal("null")
        case .bool: try literal(bytes[offset] == UInt8(ascii: "t") ? "true" : "false")
        case .string: _ = try skipString()
        case .number: _ = try skipNumber()
        case .array:
            try beginArray()
            var first = true
            while try nextElement(first: first) {
                first = false
                _ = try skipValue()
            }
        case .object:
            try beginObject()
            var first = true
            while try nextName(first: first) != nil {
                first = false
                _ = try skipValue()
            }
        }
        if offset - start >= Self.longValue { ends?[start] = offset }
        return start..<offset
    }

    /// Skips the next value, without reading it if its end is known from an earlier scan.
    ///
    /// - Parameter ends: The ends that an earlier scan of the same bytes recorded.
    package mutating func skipValue(ending ends: [Int: Int]) throws(JSONSyntaxError) -> Range<Int> {
        skipWhitespace()
        guard let end = ends[offset] else { return try skipValue() }
        defer { offset = end }
        return offset..<end
    }

    /// Reads a string and returns the range between its quotes. Escapes stay unresolved.
    package mutating func skipString() throws(JSONSyntaxError) -> Range<Int> {
        skipWhitespace()
        guard offset < bytes.count else { throw failure(.endOfText) }
        guard bytes[offset] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
        offset += 1
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return start..<(offset - 1)
            case UInt8(ascii: "\\"):
                try skipEscape()
            case 0..<0x20:
                throw failure(.controlCharacter)
            default:
                offset += 1
            }
        }
        throw failure(.endOfText)
    }

    /// Reads a number and returns its range.
    package mutating func skipNumber() throws(JSONSyntaxError) -> Range<Int> {
        skipWhitespace()
        let start = offset
        if byte == UInt8(ascii: "-") { offset += 1 }
        if byte == UInt8(ascii: "0") {
            offset += 1
        } else {
            try digits()
        }
        if byte == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return start..<offset
    }

    /// Checks that only white space follows.
    package mutating func end() throws(JSONSyntaxError) {
        skipWhitespace()
        guard offset == bytes.count else { throw failure(.trailingText) }
    }

    /// Returns the text of a string found by ``skipString()`` or ``nextName(first:)``, with escapes resolved.
    package func text(_ range: Range<Int>) -> String {
        let raw = UnsafeBufferPointer(rebasing: bytes[range])
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        var units: [UInt8] = []
        units.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                units.append(raw[index])
                index += 1
                continue
            }
            switch raw[index + 1] {
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "u"):
                var scalar = Self.hex(raw, index + 2)
                index += 4
                if scalar & 0xFC00 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + Self.hex(raw, index + 4) & 0x3FF
                    index += 6
                }
                // The scanner rejects lone surrogates, so the replacement character is never used.
                units.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            case let escaped: units.append(escaped)
            }
            index += 2
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// Returns the index in `names` of a name found by ``nextName(first:)``, or nil if it isn't among them.
    package func index(of range: Range<Int>, among names: [StaticString]) -> Int? {
        let raw = UnsafeBufferPointer(rebasing: bytes[range])
        for index in names.indices where names[index].utf8CodeUnitCount == raw.count {
            if Self.isSame(raw, names[index].utf8Start) { return index }
        }
        guard raw.contains(UInt8(ascii: "\\")) else { return nil }
        let text = text(range)
        return names.firstIndex { $0.description.hasSameBytes(as: text) }
    }

    private static func isSame(_ bytes: UnsafeBufferPointer<UInt8>, _ name: UnsafePointer<UInt8>) -> Bool {
        for index in 0..<bytes.count where bytes[index] != name[index] { return false }
        return true
    }

    /// Reads the next value and returns its text if it is a string, otherwise nil.
    package mutating func stringValue() throws(JSONSyntaxError) -> String? {
        guard try peek() == .string else {
            _ = try skipValue()
            return nil
        }
        return text(try skipString())
    }

    // MARK: - Pieces

    /// U+FEFF in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        let isMark = reason == .unexpectedByte && offset == 0 && bytes.starts(with: Self.byteOrderMark)
        return JSONSyntaxError(reason: isMark ? .byteOrderMark : reason, offset: offset)
    }

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private mutating func begin(_ opening: UInt8) throws(JSONSyntaxError) {
        try expect(opening)
        depth += 1
        guard depth <= depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
    }

    private mutating func next(closing: UInt8, first: Bool) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        guard offset < bytes.count else { throw failure(.endOfText) }
        if bytes[offset] == closing {
            offset += 1
            depth -= 1
            return false
        }
        if !first { try expect(UInt8(ascii: ",")) }
        return true
    }

    private mutating func expect(_ expected: UInt8) throws(JSONSyntaxError) {
        skipWhitespace()
        guard offset < bytes.count else { throw failure(.endOfText) }
        guard bytes[offset] == expected else { throw failure(.unexpectedByte) }
        offset += 1
    }

    private mutating func literal(_ word: StaticString) throws(JSONSyntaxError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw failure(.endOfText) }
            guard bytes[offset] == word.utf8Start[index] else { throw failure(.unexpectedByte) }
            offset += 1
        }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = offset
        while let digit = byte, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") { offset += 1 }
        guard offset > start else { throw failure(offset == bytes.count ? .endOfText : .malformedNumber) }
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        guard offset + 1 < bytes.count else { throw failure(.endOfText) }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            let lone = failure(.loneSurrogate)
            let unit = try unicodeEscape()
            if unit & 0xFC00 == 0xD800 {
                guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                    bytes[offset + 1] == UInt8(ascii: "u"), try unicodeEscape() & 0xFC00 == 0xDC00
                else { throw lone }
            } else if unit & 0xFC00 == 0xDC00 {
                throw lone
            }
        default:
            throw failure(.malformedEscape)
        }
    }

    /// Reads `\uXXXX`.
    private mutating func unicodeEscape() throws(JSONSyntaxError) -> UInt32 {
        guard offset + 6 <= bytes.count else { throw failure(.endOfText) }
        for index in (offset + 2)..<(offset + 6) where Self.hexValue(bytes[index]) == nil {
            throw failure(.malformedEscape)
        }
        let value = Self.hex(bytes, offset + 2)
        offset += 6
        return value
    }

    private static func hex(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
        (start..<(start + 4)).reduce(0) { $0 << 4 | (hexValue(bytes[$1]) ?? 0) }
    }

    private static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
