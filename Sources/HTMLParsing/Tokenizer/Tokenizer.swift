/// The tokenizer of the standard (HTML, section 13.2.5), over an input that is in memory as a whole.
///
/// Each call of ``next()`` reads one token. Where the standard emits characters one by one, the tokenizer returns a run
/// of them. Its texts are ranges of the input where they can be; what differs from the input is appended to ``added``.
/// An offset from ``inputCount`` on is one in ``added``.
///
/// The input must outlive the tokenizer.
struct Tokenizer {
    /// The states in which a token begins.
    enum State {
        case data, rcdata, rawText, scriptData, plaintext, cdata
    }

    /// The part of a script that decides which end tags count (sections 13.2.5.15 to 13.2.5.31).
    struct ScriptState {
        /// 0 for a script, 1 within `<!--`, 2 within `<script` therein.
        var escapes = 0
        /// The number of dashes just read, at most 2.
        var dashes = 0
    }

    let base: UnsafePointer<UInt8>
    /// The number of bytes of the input.
    let end: Int
    /// The number of bytes of the input with their padding.
    let inputCount: Int
    let classes = ByteClass.all
    let references = CharacterReferences.shared

    var position = 0
    var state = State.data
    var script = ScriptState()
    /// The id of the last start tag's name, which an end tag in RCDATA, raw text and scripts has to repeat.
    var lastStartTag: UInt32 = .max
    /// Whether `<![CDATA[` begins a section: whether the adjusted current node is foreign.
    var allowsCDATA = false

    /// Characters that the input doesn't have in this order.
    var added: [UInt8] = []
    var names = NameTable()

    var tag = TagToken()
    var attributes: [Attribute] = []
    var text = 0..<0
    var doctype = DoctypeToken()

    let attributeLimit: Int
    var hasCutAttributes = false
    /// The number of the last tag with the attribute, by the id of its name. It finds duplicates.
    var lastTagWithName: [UInt32] = []
    var tagCount: UInt32 = 0
    /// A name with its letters in lowercase, or without U+0000.
    var scratch: [UInt8] = []

    let recordsErrors: Bool
    private(set) var errors: [ParseError] = []

    /// - Parameter input: The input and ``InputDecoder/padding``.
    init(
        _ input: UnsafeBufferPointer<UInt8>,
        attributeLimit: Int = .max,
        recordsErrors: Bool = false
    ) {
        guard let base = input.baseAddress else { preconditionFailure("The input has no padding.") }
        self.base = base
        end = input.count - InputDecoder.padding
        inputCount = input.count
        self.attributeLimit = attributeLimit
        self.recordsErrors = recordsErrors
        lastTagWithName = [UInt32](repeating: 0, count: KnownNames.count)
        if recordsErrors { recordErrorsOfInput() }
    }

    /// Reads the next token. After ``TokenKind/endOfFile`` it is the same forever.
    mutating func next() -> TokenKind {
        while true {
            let kind: TokenKind?
            switch state {
            case .data: kind = nextInData()
            case .rcdata: kind = nextInRCDATA()
            case .rawText: kind = nextInRawText()
            case .scriptData: kind = nextInScript()
            case .plaintext: kind = nextInPlaintext()
            case .cdata: kind = nextInCDATA()
            }
            if let kind { return kind }
        }
    }

    mutating func record(_ code: ParseError.Code, at offset: Int) {
        if recordsErrors { errors.append(ParseError(code: code, offset: offset)) }
    }

    /// A run of characters from `start` up to the position. Nil if it is empty.
    mutating func characters(from start: Int) -> TokenKind? {
        guard position > start else { return nil }
        text = start..<position
        return .characters
    }

    /// Begins a text in ``added`` with what has been read of it from the input.
    mutating func beginAdded(from start: Int, to end: Int) -> Int {
        let index = added.count
        append(start..<end)
        return index
    }

    /// Appends a part of the input to ``added``.
    mutating func append(_ range: Range<Int>) {
        added.append(contentsOf: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// Appends the bytes of a range to ``added``.
    mutating func appendBytes(_ range: Range<Int>) {
        guard range.lowerBound >= inputCount else { return append(range) }
        for index in range { added.append(added[index - inputCount]) }
    }

    /// Writes the bytes of a range over those of ``added`` from `index` on.
    mutating func writeBytes(_ range: Range<Int>, at index: Int) {
        for (offset, source) in range.enumerated() {
            added[index + offset] = source < inputCount ? base[source] : added[source - inputCount]
        }
    }

    /// Appends U+FFFD to ``added``.
    mutating func appendReplacement() {
        added.append(0xEF)
        added.append(0xBF)
        added.append(0xBD)
    }

    /// The range of a text in ``added`` that goes to its end.
    func addedRange(from index: Int) -> Range<Int> {
        (inputCount + index)..<(inputCount + added.count)
    }

    /// Calls a function with the bytes of a range.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard range.lowerBound >= inputCount else {
            return body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
        }
        return added.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[(range.lowerBound - inputCount)..<(range.upperBound - inputCount)]))
        }
    }

    /// Whether the input at an offset has these bytes, which are in lowercase, in any case.
    func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
        guard offset + prefix.utf8CodeUnitCount <= end else { return false }
        for index in 0..<prefix.utf8CodeUnitCount {
            let byte = base[offset + index]
            let lower = classes.contains(byte, ByteClass.upper) ? byte | 0x20 : byte
            if lower != prefix.utf8Start[index] { return false }
        }
        return true
    }

    /// Records the characters that the standard allows nowhere in the input (section 13.2.3.5).
    private mutating func recordErrorsOfInput() {
        var index = 0
        while index < end {
            let byte = base[index]
            var length = 1
            var scalar = UInt32(byte)
            if byte >= 0xC0 {
                length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                scalar &= 0x7F >> UInt32(length)
                for follower in 1..<length { scalar = scalar << 6 | UInt32(base[index + follower] & 0x3F) }
            }
            switch scalar {
            case 0xD800...0xDFFF: record(.surrogateInInputStream, at: index)
            case _ where Self.isNoncharacter(scalar): record(.noncharacterInInputStream, at: index)
            case 1...8, 0x0B, 0x0E...0x1F, 0x7F...0x9F: record(.controlCharacterInInputStream, at: index)
            default: break
            }
            index += length
        }
    }

    static func isNoncharacter(_ scalar: UInt32) -> Bool {
        0xFDD0...0xFDEF ~= scalar || scalar & 0xFFFE == 0xFFFE
    }
}
