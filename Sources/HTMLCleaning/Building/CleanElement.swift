/// An element that the cleaner writes. No other is ever in its output.
enum CleanElement: String, CaseIterable, Sendable {
    case a, abbr, address, article, aside, b, bdi, bdo, big, blockquote, br, caption, center, cite, code, col, colgroup
    case dd, del, details, dfn, div, dl, dt, em, figcaption, figure, font, footer, h1, h2, h3, h4, h5, h6, header
    case hgroup, hr, i, img, ins, kbd, li, main, mark, nav, ol, p, pre, q, rp, rt, ruby, s, samp, section, small, span
    case strike, strong, sub, summary, sup, table, tbody, td, tfoot, th, thead, time, tr, tt, u, ul, `var`, wbr

    /// Whether the element has no end tag and no children.
    var isVoid: Bool {
        switch self {
        case .br, .col, .hr, .img, .wbr: true
        default: false
        }
    }

    /// Whether the start tag ends a paragraph (HTML, section 13.2.6.4.7), in quirks mode too or not.
    var endsParagraph: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .center, .details, .dd, .div, .dl, .dt, .figcaption, .figure,
            .footer, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .li, .main, .nav, .ol, .p, .pre, .section,
            .summary, .table, .ul:
            true
        default: false
        }
    }

    /// Whether the content of the element can't end a paragraph outside of it (section 13.2.4.2, button scope).
    var boundsParagraphs: Bool {
        switch self {
        case .caption, .table, .td, .th: true
        default: false
        }
    }

    /// Whether a parser opens the element again where it was cut off (section 13.2.4.3).
    var isFormatting: Bool {
        switch self {
        case .a, .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u: true
        default: false
        }
    }

    var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// Whether the element is a part of a table that nothing but other parts may be in.
    var isTableStructure: Bool {
        switch self {
        case .colgroup, .table, .tbody, .tfoot, .thead, .tr: true
        default: false
        }
    }

    var isTableSection: Bool { self == .tbody || self == .thead || self == .tfoot }

    var isCell: Bool { self == .td || self == .th }

    /// Whether a browser begins a line before and after the element.
    var isBlock: Bool {
        switch self {
        case .caption, .td, .th, .tr: true
        default: endsParagraph || isTableStructure
        }
    }
}
