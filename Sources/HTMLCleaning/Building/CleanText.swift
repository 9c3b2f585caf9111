/// Characters as the cleaner writes them.
enum CleanText {
    /// Appends characters without control characters and byte order marks.
    ///
    /// CR becomes LF, for a parser would read it so, and FF becomes a space.
    static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case 0x0D: output.append(0x0A)
            case 0x0C: output.append(0x20)
            case 0x09, 0x0A: output.append(byte)
            case 0..<0x20, 0x7F: break
            default: output.append(byte)
            }
            // The controls U+0080 to U+009F, and U+FEFF, by their last byte.
            let count = output.count
            if count >= 2, output[count - 2] == 0xC2, 0x80...0x9F ~= output[count - 1] { output.removeLast(2) }
            if count >= 3, output[count - 3] == 0xEF, output[count - 2] == 0xBB, output[count - 1] == 0xBF {
                output.removeLast(3)
            }
        }
    }

    /// A value of an attribute that a person reads.
    static func value(_ text: String) -> String {
        var output: [UInt8] = []
        append(text.utf8, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a byte is white space of HTML.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0C || byte == 0x0D
    }

    /// The start of a text, up to 512 bytes, collapsed. Elements within each other have the same text, so without a
    /// limit their labels would need more memory than the message.
    static func label(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.count > 512 else { return collapsed(bytes) }
        var start = bytes.prefix(513)
        // The last character may be incomplete.
        while let last = start.popLast(), last & 0xC0 == 0x80 {}
        return collapsed(start)
    }

    /// A text with each run of white space replaced by one space, and without any at its ends.
    static func collapsed(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        var isPending = false
        for byte in bytes {
            if isSpace(byte) {
                isPending = !output.isEmpty
            } else {
                if isPending { output.append(0x20) }
                isPending = false
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
