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
        var input = isCut ? UnsafeBufferPointer(rebasing: input[..<limit]) : input
        if isCut { input = Self.withoutPartialEnd(input) }
        if removesMark, input.starts(with: [0xEF, 0xBB, 0xBF]) { input = UnsafeBufferPointer(rebasing: input[3...]) }
        var output: [UInt8] = []
        output.reserveCapacity(input.count + Self.padding)
        var index = 0
        while index < input.count {
            let run = Self.plainRun(input, from: index)
            output.append(contentsOf: input[run])
            index = run.upperBound
            guard index < input.count else { break }
            if input[index] == 0x0D {
                output.append(0x0A)
                index += index + 1 < input.count && input[index + 1] == 0x0A ? 2 : 1
            } else {
                output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                index += max(1, Self.sequence(input, at: index).length)
            }
        }
        output.append(contentsOf: repeatElement(0, count: Self.padding))
        bytes = output
    }

    /// Returns the bytes from `start` up to the next CR or invalid byte.
    private static func plainRun(_ input: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int> {
        var index = start
        while index < input.count {
            if input[index] < 0x80 {
                guard input[index] != 0x0D else { break }
                index += 1
            } else {
                let sequence = sequence(input, at: index)
                guard sequence.isValid else { break }
                index += sequence.length
            }
        }
        return start..<index
    }

    /// Reads the sequence that starts with a byte of 0x80 or more. The length of an invalid one is that of its longest
    /// valid beginning, or 0.
    private static func sequence(
        _ input: UnsafeBufferPointer<UInt8>,
        at index: Int
    ) -> (isValid: Bool, length: Int) {
        let length: Int
        var allowed: ClosedRange<UInt8> = 0x80...0xBF
        switch input[index] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, allowed) = (3, 0xA0...0xBF)
        case 0xED: (length, allowed) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, allowed) = (4, 0x90...0xBF)
        case 0xF4: (length, allowed) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return (false, 0)
        }
        var count = 1
        while count < length {
            guard index + count < input.count, allowed.contains(input[index + count]) else { return (false, count) }
            allowed = 0x80...0xBF
            count += 1
        }
        return (true, length)
    }

    /// Removes a sequence that continues past the end.
    private static func withoutPartialEnd(_ input: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = input.count
        while start > 0, input.count - start < 3, input[start - 1] & 0xC0 == 0x80 { start -= 1 }
        guard start > 0, input[start - 1] >= 0xC0 else { return input }
        let sequence = sequence(input, at: start - 1)
        let isPartial = !sequence.isValid && start - 1 + sequence.length == input.count
        return isPartial ? UnsafeBufferPointer(rebasing: input[..<(start - 1)]) : input
    }
}
