extension TreeBuilder {
    /// Processes a token as foreign content (HTML, section 13.2.6.5). With `again` the insertion mode processes it.
    mutating func inForeignContent(_ kind: TokenKind) -> Step {
        switch kind {
        case .null:
            let index = tokenizer.added.count
            tokenizer.appendReplacement()
            insertText(tokenizer.addedRange(from: index))
        case .characters:
            insertText(tokenizer.text)
            if isFramesetAllowed, !isSpace(tokenizer.text) { isFramesetAllowed = false }
        case .comment:
            insertComment()
        case .doctype, .endOfFile:
            break
        case .startTag:
            if endsForeignContent {
                leaveForeignContent()
                return .again
            }
            insertForeignElement(adjustedTagNamespace)
        case .endTag:
            if tokenTag == .br || tokenTag == .p {
                leaveForeignContent()
                return .again
            }
            return endForeignElement()
        }
        return .done
    }

    private var adjustedTagNamespace: HTMLNamespace {
        let node = context >= 0 && open.count == 1 ? context : open.last?.node ?? 0
        return nodes[Int(node)].namespace
    }

    /// Whether the start tag is one of HTML that can't be in foreign content.
    private var endsForeignContent: Bool {
        switch tokenTag {
        case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4,
            .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small,
            .strong, .strike, .sub, .sup, .table, .tt, .u, .ul, .var, .span:
            true
        case .font:
            tokenizer.attributes.contains {
                $0.name == HTMLName.color.id || $0.name == HTMLName.face.id || $0.name == HTMLName.size.id
            }
        default:
            false
        }
    }

    private mutating func leaveForeignContent() {
        while open.count > 1, currentTag.isForeign, !currentTag.isMathTextIntegrationPoint,
            !currentTag.isHTMLIntegrationPoint
        {
            pop()
        }
    }

    private mutating func endForeignElement() -> Step {
        let name = tokenizer.tag.name
        for index in open.indices.reversed() {
            // The first node is the root of a fragment.
            if index == 0 { return .done }
            let element = open[index]
            if !element.tag.isForeign { return .again }
            if lowercasedName(element.node) == name {
                pop(to: index)
                return .done
            }
        }
        return .done
    }

    /// The id of a foreign element's name as a tag has it, in lowercase.
    private func lowercasedName(_ node: Int32) -> UInt32 {
        let node = nodes[Int(node)]
        return node.namespace == .svg ? KnownNames.unadjustedSVGElement(node.name) : node.name
    }

    /// Inserts an element of SVG or MathML for the token, and closes it at once if its tag says so.
    mutating func insertForeignElement(_ namespace: HTMLNamespace) {
        let place = appropriatePlace()
        let isSVG = namespace == .svg
        for index in tokenizer.attributes.indices {
            adjust(&tokenizer.attributes[index], isSVG: isSVG)
        }
        let foreignTag = foreignTag(namespace)
        var element = Node(kind: .element)
        element.namespace = namespace
        element.tag = foreignTag
        element.name = isSVG ? KnownNames.adjustedSVGElement(tokenizer.tag.name) : tokenizer.tag.name
        element.range = attributes.count..<(attributes.count + tokenizer.attributes.count)
        attributes.append(contentsOf: tokenizer.attributes)
        let node = newNode(element)
        insert(node, at: place)
        push(node, foreignTag)
        if tokenizer.tag.isSelfClosing { pop() }
    }

    private func adjust(_ attribute: inout Attribute, isSVG: Bool) {
        if let (namespace, name) = KnownNames.namespacedAttribute(attribute.name) {
            attribute.namespace = namespace
            attribute.name = name
        } else if isSVG {
            attribute.name = KnownNames.adjustedSVGAttribute(attribute.name)
        } else {
            attribute.name = KnownNames.adjustedMathMLAttribute(attribute.name)
        }
    }

    /// The tag of an element of a namespace with the token's name.
    private func foreignTag(_ namespace: HTMLNamespace) -> Tag {
        guard namespace == .mathML else { return Self.foreignTag(tokenTag, .svg) }
        guard tokenTag == .annotationXML, let encoding = tokenAttribute(.encoding) else {
            return Self.foreignTag(tokenTag, .mathML)
        }
        let isHTML = encoding == Array("text/html".utf8) || encoding == Array("application/xhtml+xml".utf8)
        return isHTML ? .mathAnnotationHTML : .mathAnnotationXML
    }

    static func foreignTag(_ tag: Tag, _ namespace: HTMLNamespace) -> Tag {
        switch (namespace, tag) {
        case (.mathML, .annotationXML): .mathAnnotationXML
        case (.mathML, .mi): .mathMi
        case (.mathML, .mn): .mathMn
        case (.mathML, .mo): .mathMo
        case (.mathML, .ms): .mathMs
        case (.mathML, .mtext): .mathMtext
        case (.svg, .desc): .svgDesc
        case (.svg, .foreignobject): .svgForeignObject
        case (.svg, .title): .svgTitle
        default: .foreign
        }
    }
}
