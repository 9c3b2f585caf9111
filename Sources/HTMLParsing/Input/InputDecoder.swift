/// The input stream of the tokenizer: UTF-8 with normalized newlines (HTML, section 13.2.3).
struct InputDecoder {
    /// The number of zero bytes after the input. Scans end at them, and look a few bytes ahead.
    static let padding = 16

    /// The decoded bytes and ``padding``.
    let bytes: [UInt8]
    /// Whether bytes beyond the limit were dropped.
    let isCut: Bool

    /// Decodes as the Encoding Standard's UTF-8 decoder does: a byte order mark is removed, and each maximal part of an
    /// invalid sequence becomes U+FFFD. CR and CR LF become LF.
    ///
    /// - Parameters:
    ///   - input: The bytes.
    ///   - limit: The maximum number of bytes of `input` that are read. A character that it splits is dropped.
    ///   - removesMark: Whether a byte order mark at the start is removed.
    init(_ input: UnsafeBufferPointer<UInt8>, limit: Int, removesMark: Bool = true) {
        isCut = input.count > limit
        var end = min(limit, input.count)
        // The byte after the limit continues a character, which has three bytes before its last one at most.
        while isCut, end > max(0, limit - 3), input[end] & 0xC0 == 0x80 { end -= 1 }
        var text = input[..<end]
        if removesMark, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        var output: [UInt8] = []
        output.reserveCapacity(text.count + Self.padding)
        var isAfterReturn = false
        for byte in String(decoding: text, as: UTF8.self).utf8 {
            if byte != 0x0A || !isAfterReturn { output.append(byte == 0x0D ? 0x0A : byte) }
            isAfterReturn = byte == 0x0D
        }
        output.append(contentsOf: repeatElement(0, count: Self.padding))
        bytes = output
    }
}
