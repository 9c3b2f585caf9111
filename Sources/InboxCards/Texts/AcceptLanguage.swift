/// The parser of `Accept-Language`, the header field with a browser's preferred languages (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
    /// The number of bytes of a header that are read. Browsers send less than a tenth of it.
    package static let maxByteCount = 1000

    /// Returns the tags of a header, best first. Tags of equal quality keep their order.
    ///
    /// Rejected languages (`q=0`), `*` and invalid parts are ignored, as is input beyond ``maxByteCount``.
    package static func tags(_ header: String) -> [String] {
        var bytes = Array(header.utf8.prefix(maxByteCount + 1))
        if bytes.count > maxByteCount {
            bytes.removeSubrange((bytes.lastIndex(of: UInt8(ascii: ",")) ?? 0)...)
        }
        return bytes.split(separator: UInt8(ascii: ",")).compactMap(range).enumerated()
            .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
            .map(\.element.tag)
    }

    /// Returns a tag and its quality from 1 to 1000, or nil if it is rejected or invalid.
    private static func range(_ bytes: ArraySlice<UInt8>) -> (tag: String, quality: Int)? {
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        guard let tag = parts.first, let range = LanguageTag(String(decoding: tag, as: UTF8.self)) else { return nil }
        guard parts.count > 1 else { return (range.identifier, 1000) }
        let weight = parts[1]
        guard parts.count == 2, weight.count > 2, weight.first.map({ $0 | 0x20 }) == UInt8(ascii: "q"),
            weight[weight.startIndex + 1] == UInt8(ascii: "="), let quality = quality(weight.dropFirst(2)), quality > 0
        else { return nil }
        return (range.identifier, quality)
    }

    /// Parses `0` or `1` with up to three decimals, in thousandths. Returns nil if the text is invalid or greater than
    /// 1.
    private static func quality(_ digits: ArraySlice<UInt8>) -> Int? {
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count > 1 ? parts[1] : []
        guard let whole = parts.first, whole.elementsEqual("0".utf8) || whole.elementsEqual("1".utf8),
            decimals.count <= 3
        else { return nil }
        var thousandths = whole.elementsEqual("1".utf8) ? 1 : 0
        for index in 0..<3 {
            let digit = index < decimals.count ? Int(decimals[decimals.startIndex + index]) - 0x30 : 0
            guard (0...9).contains(digit) else { return nil }
            thousandths = thousandths * 10 + digit
        }
        return thousandths <= 1000 ? thousandths : nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return [] }
        return bytes[...last].drop(while: isSpace)
    }
}
