extension TreeBuilder {
    /// Processes an end tag in the "in body" mode (HTML, section 13.2.6.4.7).
    mutating func endTagInBody(_ kind: TokenKind) -> Step {
        switch tokenTag {
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
            if !adopt(tokenTag) { endOther() }
        case .p:
            if !hasInButtonScope(.p), open.count < stackLimit { insertElement(.p) }
            closeParagraph()
        case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search,
            .section, .select, .summary, .ul:
            guard hasInScope(tokenTag) else { return .done }
            generateImpliedEndTags()
            popUntil(tokenTag)
        case .template:
            return inHead(kind)
        case .body, .html:
            guard hasInScope(.body) else { return .done }
            mode = .afterBody
            return tokenTag == .html ? .again : .done
        case .form:
            endForm()
        case .li:
            guard hasInListItemScope(.li) else { return .done }
            generateImpliedEndTags(except: .li)
            popUntil(.li)
        case .dd, .dt:
            guard hasInScope(tokenTag) else { return .done }
            generateImpliedEndTags(except: tokenTag)
            popUntil(tokenTag)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            guard hasHeadingInScope() else { return .done }
            generateImpliedEndTags()
            while open.count > 1 {
                let isHeading = currentTag.isHeading
                pop()
                if isHeading { break }
            }
        case .applet, .marquee, .object:
            guard hasInScope(tokenTag) else { return .done }
            generateImpliedEndTags()
            popUntil(tokenTag)
            clearFormattingToMarker()
        case .br:
            reconstructFormatting()
            insertElement(.br)
            pop()
            isFramesetAllowed = false
        default:
            endOther()
        }
        return .done
    }

    private mutating func endForm() {
        if isOpen(.template) {
            guard hasInScope(.form) else { return }
            generateImpliedEndTags()
            popUntil(.form)
            return
        }
        let node = form
        form = -1
        guard node >= 0, hasInScope(node: node) else { return }
        generateImpliedEndTags()
        removeFromStack(node)
    }

    /// Processes any other end tag.
    mutating func endOther() {
        let name = tokenizer.tag.name
        for index in open.indices.reversed() {
            let element = open[index]
            if !element.tag.isForeign, nodes[Int(element.node)].name == name {
                generateImpliedEndTags(except: tokenTag)
                pop(to: index)
                return
            }
            if element.tag.isSpecial { return }
        }
    }
}
