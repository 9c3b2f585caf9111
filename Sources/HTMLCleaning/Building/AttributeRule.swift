import HTMLParsing

/// The values that an attribute of the output may have.
struct AttributeRule: Sendable {
    enum Values: Sendable {
        /// Text that a person reads.
        case text
        case color
        /// Pixels or a percentage.
        case length
        /// A whole number of at most this many digits, and whether it may have a sign.
        case number(digits: Int, signed: Bool = false)
        /// Keywords, which are written in lowercase.
        case keyword(Set<String>)
        /// Keywords whose case matters.
        case exactly(Set<String>)
        case flag
        case family
        case language
    }

    let name: CleanAttribute.Name
    let values: Values
    /// The elements that may have the attribute, or nil for all.
    let elements: Set<CleanElement>?

    private static let rules: [HTMLName: [AttributeRule]] = {
        var rules: [HTMLName: [AttributeRule]] = [:]
        func add(_ name: CleanAttribute.Name, _ values: Values, _ elements: Set<CleanElement>? = nil) {
            guard let key = HTMLName(known: name.rawValue) else { return }
            rules[key, default: []].append(AttributeRule(name: name, values: values, elements: elements))
        }
        func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
        let cells: Set<CleanElement> = [.td, .th]
        let columns: Set<CleanElement> = [.col, .colgroup]
        let rows: Set<CleanElement> = [.tr, .tbody, .thead, .tfoot]
        let tables = cells.union(columns).union(rows).union([.table])
        let blocks: Set<CleanElement> = [.div, .p, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .img, .caption]
        add(
            .align,
            .keyword(words("left right center justify top middle bottom absmiddle baseline")),
            tables.union(blocks)
        )
        add(.alt, .text, [.img])
        add(.ariaHidden, .keyword(words("true false")))
        add(.ariaLabel, .text)
        add(.bgcolor, .color, tables)
        add(.border, .number(digits: 4), [.table, .img])
        add(.cellpadding, .length, [.table])
        add(.cellspacing, .length, [.table])
        add(.clear, .keyword(words("left right all none both")), [.br])
        add(.color, .color, [.font, .hr])
        add(.colspan, .number(digits: 3), cells)
        add(.dir, .keyword(words("ltr rtl auto")))
        add(.face, .family, [.font])
        add(.height, .length, tables.union([.img]))
        add(.hidden, .flag)
        add(.hspace, .number(digits: 4), [.img])
        add(.lang, .language)
        add(.noshade, .flag, [.hr])
        add(.nowrap, .flag, cells)
        add(.open, .flag, [.details])
        add(.reversed, .flag, [.ol])
        add(.role, .keyword(words("presentation none")))
        add(.rowspan, .number(digits: 4), cells)
        add(.scope, .keyword(words("row col rowgroup colgroup")), [.th])
        add(.size, .number(digits: 2, signed: true), [.font])
        add(.size, .number(digits: 4), [.hr])
        add(.span, .number(digits: 3), columns)
        add(.start, .number(digits: 9, signed: true), [.ol])
        add(.title, .text)
        add(.type, .exactly(words("1 a A i I disc circle square")), [.ol, .ul, .li])
        add(.valign, .keyword(words("top middle bottom baseline")), tables)
        add(.value, .number(digits: 9, signed: true), [.li])
        add(.vspace, .number(digits: 4), [.img])
        add(.width, .length, tables.union([.img, .hr]))
        return rules
    }()

    /// The attribute as the output has it, or nil if it isn't allowed.
    static func attribute(_ attribute: HTMLAttribute, of element: CleanElement) -> CleanAttribute? {
        guard attribute.namespace == .none, let candidates = rules[attribute.name] else { return nil }
        guard let rule = candidates.first(where: { $0.elements?.contains(element) ?? true }) else { return nil }
        return rule.value(attribute.value).map { CleanAttribute(name: rule.name, value: $0) }
    }

    /// Whether an element may have an attribute that another one has. One without a rule is made by the cleaner itself.
    static func allows(_ attribute: CleanAttribute, on element: CleanElement) -> Bool {
        guard let name = HTMLName(known: attribute.name.rawValue), let candidates = rules[name] else { return true }
        return candidates.contains { $0.elements?.contains(element) ?? true }
    }

    private func value(_ text: String) -> String? {
        switch values {
        case .text: return CleanText.value(text)
        case .flag: return ""
        case .color: return Self.color(text)
        case .length: return Self.length(text)
        case .number(let digits, let signed): return Self.number(text, digits: digits, signed: signed)
        case .keyword(let words):
            let word = text.lowercased()
            return words.contains(word) ? word : nil
        case .exactly(let words): return words.contains(text) ? text : nil
        case .family:
            return CSSProperty.all["font-family"].flatMap { CSSValueReader.value(text, of: $0) }
        case .language:
            let isTag = text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            }
            return isTag && !text.isEmpty && text.utf8.count <= 35 ? text : nil
        }
    }

    /// A color of a presentational attribute: a name, or three or six digits with or without a number sign.
    static func color(_ text: String) -> String? {
        let text = CleanText.collapsed(text.utf8).lowercased()
        if HTMLColor(named: text) != nil { return text }
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard digits.utf8.count == 3 || digits.utf8.count == 6, HTMLColor(hex: digits) != nil else { return nil }
        return "#" + digits
    }

    /// Pixels or a percentage, as browsers read them (HTML, section 2.3.4.4, "rules for parsing dimension values").
    static func length(_ text: String) -> String? {
        let bytes = text.utf8.drop(while: CleanText.isSpace)
        let digits = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty, digits.count <= 5 else { return nil }
        var rest = bytes.dropFirst(digits.count)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }
        return (Substring(digits)) + (rest.first == UInt8(ascii: "%") ? "%" : "")
    }

    private static func number(_ text: String, digits: Int, signed: Bool) -> String? {
        var bytes = text.utf8.drop(while: CleanText.isSpace)
        var sign = ""
        if signed, let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? "-" : "+"
            bytes = bytes.dropFirst()
        }
        let found = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !found.isEmpty, found.count <= digits else { return nil }
        return sign + (Substring(found))
    }
}
