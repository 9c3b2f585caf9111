import HTMLParsing

extension CleanBuilder {
    /// The declarations that the style sheets have for an element.
    struct ParsedStyles {
        var normal: [CSSDeclaration] = []
        var important: [CSSDeclaration] = []

        static let none = ParsedStyles()

        /// The declarations with those of the element's own style, in the order in which later ones win (CSS Cascading
        /// 4, section 6.1). Overridden declarations are left out.
        func cascaded(with own: StyleAttribute?) -> [CSSDeclaration] {
            guard !normal.isEmpty || !important.isEmpty else { return own?.declarations ?? [] }
            var later = Set((own?.important ?? []).map(\.name))
            let important = Self.lastOfEach(important, unless: &later)
            later.formUnion((own?.normal ?? []).map(\.name))
            let normal = Self.lastOfEach(normal, unless: &later)
            return normal + (own?.normal ?? []) + important + (own?.important ?? [])
        }

        private static func lastOfEach(
            _ declarations: [CSSDeclaration],
            unless later: inout Set<String>
        ) -> [CSSDeclaration] {
            declarations.reversed().filter { later.insert($0.name).inserted }.reversed()
        }
    }

    /// Reads the message's own declarations: its style sheets, if options ask for them, and its color schemes.
    mutating func readHead() {
        var sheets = StyleSheets(for: options.medium ?? HTMLMedium(), ignoresCase: source.quirksMode == .quirks)
        for node in source.descendants(of: source.root) {
            if source.isElement(node, .style), options.medium != nil {
                let text = source.children(of: node).map { source.text(of: $0) }.joined()
                sheets.add(text, media: source.attribute(.media, of: node))
            } else if source.isElement(node, .link), Self.namesStyleSheet(source.attributes(of: node)) {
                importedStyleSheetCount += 1
            } else if source.isElement(node, .meta), Self.namesDark(source.attributes(of: node)) {
                supportsDark = true
            } else if source.isElement(node, .body), let color = source.attribute(.link, of: node) {
                if let color = AttributeRule.color(color) { sheets.add(linkColor: color) }
            }
        }
        importedStyleSheetCount += sheets.importCount
        guard !sheets.isEmpty else { return }
        sheets.finish()
        self.sheets = sheets
        styleSteps = StyleLimits.stepsPerNode * source.nodeCount
        styleBytes = options.limits.bytes / 2
    }

    /// Whether the attributes of a `link` name a style sheet elsewhere (HTML, section 4.6.7.24).
    private static func namesStyleSheet(_ attributes: [HTMLAttribute]) -> Bool {
        let value = attributes.first { $0.name == .rel }?.value.lowercased() ?? ""
        return value.split(whereSeparator: \.isWhitespace).contains("stylesheet")
    }

    /// Whether the attributes of a `meta` declare that the message is made for dark views (HTML, section 4.2.5.1).
    private static func namesDark(_ attributes: [HTMLAttribute]) -> Bool {
        func words(_ name: HTMLName) -> [Substring] {
            attributes.first { $0.name == name }?.value.lowercased().split(whereSeparator: \.isWhitespace) ?? []
        }
        guard let name = words(.name).first else { return false }
        return ["color-scheme", "supported-color-schemes"].contains(name) && words(.content).contains("dark")
    }

    /// Finds the declarations of the style sheets for an element.
    mutating func styles(for element: StyledElement) -> ParsedStyles {
        guard let sheets, styleSteps > 0, styleBytes > 0 else { return .none }
        var found = ParsedStyles()
        for block in sheets.blocks(for: element, in: ancestors, steps: &styleSteps) {
            for declaration in sheets.blocks[block].normal { add(declaration, to: &found.normal) }
            for declaration in sheets.blocks[block].important { add(declaration, to: &found.important) }
        }
        if styleSteps <= 0 || styleBytes <= 0 { reachedLimits.insert(.styles) }
        return found
    }

    private mutating func add(_ declaration: StyleSheets.Declaration, to declarations: inout [CSSDeclaration]) {
        guard styleSteps > 0, styleBytes > 0 else { return }
        var value = declaration.value
        if declaration.picture >= 0 {
            // A picture is decided about once, where the first element has it.
            if let decided = styleValues[declaration.picture] {
                value = decided
            } else {
                value = StyleAttribute.declaration(declaration.tokens[...]) { self.background($0) }?.0.value ?? ""
                styleValues[declaration.picture] = value
            }
        }
        styleSteps -= 1
        guard !value.isEmpty else { return }
        if declaration.picture >= 0, value.utf8.count > StyleLimits.addressBytes {
            // A picture within its address, which would use up the limit of the styles.
            guard value.utf8.count <= stylePictureBytes else {
                reachedLimits.insert(.styles)
                return
            }
            stylePictureBytes -= value.utf8.count
        } else {
            styleBytes -= declaration.name.utf8.count + value.utf8.count + 4
        }
        declarations.append(CSSDeclaration(name: declaration.name, value: value))
    }
}

/// The limits of applying style sheets.
enum StyleLimits {
    /// The comparisons of selectors and the declarations, for each node of the message.
    static let stepsPerNode = 256
    /// The size of an address, in bytes, beyond which it counts as a picture (`data:`).
    static let addressBytes = 1_024
    /// The size of the pictures in the addresses of style sheets, in bytes. One that several elements have counts for
    /// each of them.
    static let pictureBytes = 32 << 20
}
