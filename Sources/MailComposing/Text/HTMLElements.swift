package import HTMLParsing

/// Block and invisible elements, and the kinds of bytes, for the extraction of a mail's text.
package enum HTMLElements {
    /// The elements that no text is shown of.
    package static let unseen: Set<HTMLName> = [
        .script, .style, .title, .template, .noscript, .iframe, .noembed, .noframes,
    ]

    /// The elements that begin and end a line.
    package static let blocks: Set<HTMLName> = [
        .address, .article, .blockquote, .br, .dd, .div, .dl, .dt, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6,
        .header, .hr, .li, .main, .nav, .ol, .p, .pre, .section, .table, .td, .th, .tr, .ul,
    ]

    /// Returns the number of bytes of the white space (Unicode's `White_Space`) at a place of UTF-8, or 0.
    package static func spaceLength(_ text: [UInt8], at index: Int) -> Int {
        let byte = text[index]
        if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) ? 1 : 0 }
        func next(_ count: Int) -> UInt8 { index + count < text.count ? text[index + count] : 0 }
        switch byte {
        case 0xC2: return next(1) == 0xA0 || next(1) == 0x85 ? 2 : 0
        case 0xE1: return next(1) == 0x9A && next(2) == 0x80 ? 3 : 0
        case 0xE2 where next(1) == 0x80:
            return next(2) <= 0x8A || [0xA8, 0xA9, 0xAF].contains(next(2)) ? 3 : 0
        case 0xE2: return next(1) == 0x81 && next(2) == 0x9F ? 3 : 0
        case 0xE3: return next(1) == 0x80 && next(2) == 0x80 ? 3 : 0
        default: return 0
        }
    }
}
