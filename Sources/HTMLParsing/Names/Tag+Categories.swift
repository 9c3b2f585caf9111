extension Tag {
    /// Whether the element is one of SVG or MathML.
    var isForeign: Bool { rawValue > Tag.other.rawValue }

    /// The special category (HTML, section 13.2.4.2).
    var isSpecial: Bool {
        switch self {
        case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button,
            .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption,
            .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr,
            .html, .iframe, .img, .input, .keygen, .li, .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed,
            .noframes, .noscript, .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select,
            .source, .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr,
            .track, .ul, .wbr, .xmp:
            true
        default:
            isForeignSpecial
        }
    }

    /// The elements of foreign content that are special and bound scopes.
    private var isForeignSpecial: Bool {
        switch self {
        case .mathMi, .mathMo, .mathMn, .mathMs, .mathMtext, .mathAnnotationXML, .mathAnnotationHTML,
            .svgForeignObject, .svgDesc, .svgTitle:
            true
        default:
            false
        }
    }

    /// Whether the element bounds the default scope (section 13.2.4.2).
    var boundsScope: Bool {
        switch self {
        case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template: true
        default: isForeignSpecial
        }
    }

    /// Whether the element bounds the table scope.
    var boundsTableScope: Bool {
        switch self {
        case .html, .table, .template: true
        default: false
        }
    }

    /// Whether the end tag is implied (section 13.2.6.3).
    var hasImpliedEnd: Bool {
        switch self {
        case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
        default: false
        }
    }

    /// Whether the end tag is implied at the end of a template (section 13.2.6.3).
    var hasThoroughlyImpliedEnd: Bool {
        switch self {
        case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
        default: hasImpliedEnd
        }
    }

    /// Whether children that don't belong in the element are inserted before its table (section 13.2.6.1).
    var fosters: Bool {
        switch self {
        case .table, .tbody, .tfoot, .thead, .tr: true
        default: false
        }
    }

    var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// Whether text in the element obeys the rules of HTML (section 13.2.6, MathML text integration point).
    var isMathTextIntegrationPoint: Bool {
        switch self {
        case .mathMi, .mathMo, .mathMn, .mathMs, .mathMtext: true
        default: false
        }
    }

    /// Whether the element's content obeys the rules of HTML (section 13.2.6, HTML integration point).
    var isHTMLIntegrationPoint: Bool {
        switch self {
        case .mathAnnotationHTML, .svgForeignObject, .svgDesc, .svgTitle: true
        default: false
        }
    }

    /// Whether a start tag never adds to the depth, or at most text to it.
    var isLeaf: Bool {
        switch self {
        case .html, .body, .area, .base, .basefont, .bgsound, .br, .embed, .frame, .hr, .iframe, .image, .img, .input,
            .keygen, .link, .meta, .noembed, .noframes, .param, .plaintext, .script, .source, .style, .textarea,
            .title, .track, .wbr, .xmp:
            true
        default: false
        }
    }
}
