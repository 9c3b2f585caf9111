import HTMLParsing

extension CleanBuilder {
    /// Enters an element that the output may have. Returns whether its children are walked over.
    mutating func enter(_ element: CleanElement, _ attributes: [HTMLAttribute], _ styles: ParsedStyles) -> Bool {
        let link: FoundLink?
        switch foundLink(element, attributes) {
        case .removed: return false
        case .none: link = nil
        case .found(let found): link = found
        }
        if element == .img {
            enterImage(attributes, styles, link)
            return false
        }
        let found = self.attributes(attributes, of: element, styles: styles)
        var frame = Frame(base: -1)
        if element == .a {
            beginAnchor(link, found, &frame)
        } else {
            if let link, element.isVoid || element.isTableStructure && element != .table {
                addLink(link, node: -1, &frame)
            } else if let link, !Self.containsOnlyItsLink(element) {
                beginAnchor(link, nil, &frame)
            }
            let node = begin(element, found.attributes, isHidden: found.isHidden)
            if element.isVoid { return false }
            if node != nil, frame.base < 0 { frame.base = open.count - 1 }
            if let link, Self.containsOnlyItsLink(element) { beginAnchor(link, nil, &frame) }
        }
        if frame.base < 0 { frame.base = open.count }
        frames.append(frame)
        return true
    }

    /// Whether an element's link is in it, and not around it, for its parent matters.
    private static func containsOnlyItsLink(_ element: CleanElement) -> Bool {
        switch element {
        case .caption, .dd, .dt, .li, .rp, .rt, .summary, .td, .th: true
        default: false
        }
    }

    /// Opens an anchor, or a span where there is no link or another anchor is open.
    ///
    /// - Parameters:
    ///   - link: The link, or nil for an anchor without one.
    ///   - found: The attributes of the message's anchor, or nil if the anchor is made for another element.
    private mutating func beginAnchor(_ link: FoundLink?, _ found: FoundAttributes?, _ frame: inout Frame) {
        let isNested = open.last?.isInAnchor ?? false
        var node: Int32 = -1
        if let link, !isNested {
            // A link to an anchor that the message doesn't have looks like its content.
            let made = [CleanAttribute(name: .style, value: "color: inherit; text-decoration: none")]
            node =
                begin(.a, anchorAttributes(link, found?.attributes ?? made), isHidden: found?.isHidden ?? false) ?? -1
            if node >= 0, frame.base < 0 { frame.base = open.count - 1 }
        } else if let found {
            let span = begin(.span, found.attributes, isHidden: found.isHidden)
            if span != nil { frame.base = open.count - 1 }
        }
        if let link { addLink(link, node: node, &frame) }
    }

    private mutating func enterImage(_ attributes: [HTMLAttribute], _ styles: ParsedStyles, _ link: FoundLink?) {
        var frame = Frame(base: open.count)
        if let link { beginAnchor(link, nil, &frame) }
        if let image = image(attributes, styles) { _ = begin(.img, image) }
        if open.last?.element == .a, frame.link >= 0, linkNodes[frame.link] == open.last?.node { open.removeLast() }
    }

    /// Enters the body. It becomes a `div` in the output if it has visible attributes.
    mutating func enterBody(_ attributes: [HTMLAttribute], _ styles: ParsedStyles) {
        frames.append(Frame(base: open.count))
        var declarations: [CSSDeclaration] = []
        for attribute in attributes {
            switch attribute.name {
            case .bgcolor: add("background-color", color: attribute.value, &declarations)
            case .text: add("color", color: attribute.value, &declarations)
            default: break
            }
        }
        let own = languageAttributes(attributes)
        let inherited = documentAttributes.filter { attribute in !own.contains { $0.name == attribute.name } }
        let kept = attributes.filter { [.style, .background].contains($0.name) }
        let found = self.attributes(kept, of: .div, adding: declarations, styles: styles)
        for declaration in found.declarations {
            switch declaration.name {
            case "background": backgroundColor = HTMLColor(background: declaration.value[...])
            case "background-color": backgroundColor = HTMLColor(css: declaration.value)
            default: break
            }
        }
        if backgroundColor?.alpha == 0 { backgroundColor = nil }
        let all = own + inherited + found.attributes
        if !all.isEmpty { _ = begin(.div, all, isHidden: found.isHidden) }
    }

    private func add(_ name: String, color: String, _ declarations: inout [CSSDeclaration]) {
        guard let color = AttributeRule.color(color) else { return }
        declarations.append(CSSDeclaration(name: name, value: color))
    }

    /// The language and the direction that an element sets.
    func languageAttributes(_ attributes: [HTMLAttribute]) -> [CleanAttribute] {
        attributes.compactMap { attribute in
            attribute.name == .lang || attribute.name == .dir ? AttributeRule.attribute(attribute, of: .div) : nil
        }
    }
}
