extension TreeBuilder {
    /// The "in body" mode (HTML, section 13.2.6.4.7).
    mutating func inBody(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            insertBodyText(tokenizer.text)
            return .done
        case .startTag:
            return startTagInBody(kind)
        case .endTag:
            return endTagInBody(kind)
        case .comment:
            insertComment()
            return .done
        case .null, .doctype:
            return .done
        case .endOfFile:
            return templateModes.isEmpty ? .done : inTemplate(kind)
        }
    }

    /// Inserts characters as the body does.
    mutating func insertBodyText(_ text: Range<Int>) {
        reconstructFormatting()
        insertText(text)
        if isFramesetAllowed, !isSpace(text) { isFramesetAllowed = false }
    }

    private mutating func startTagInBody(_ kind: TokenKind) -> Step {
        switch tokenTag {
        case .a:
            beginAnchor()
        case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u:
            beginFormatting()
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary,
            .ul:
            closeParagraph()
            insertElement()
        case .table:
            if quirks != .quirks { closeParagraph() }
            insertElement()
            isFramesetAllowed = false
            mode = .inTable
        case .area, .br, .embed, .img, .keygen, .wbr:
            reconstructFormatting()
            insertEmptyElement()
            isFramesetAllowed = false
        case .h1, .h2, .h3, .h4, .h5, .h6:
            closeParagraph()
            if currentTag.isHeading { pop() }
            insertElement()
        case .li, .dd, .dt:
            beginListItem()
        case .html:
            if !isOpen(.template), let root = open.first { mergeAttributes(into: root.node) }
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
            return inHead(kind)
        case .body:
            guard open.count > 1, open[1].tag == .body, !isOpen(.template) else { return .done }
            isFramesetAllowed = false
            mergeAttributes(into: open[1].node)
        case .frameset:
            beginFrameset()
        case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr:
            break
        case .math, .svg:
            reconstructFormatting()
            insertForeignElement(tokenTag == .svg ? .svg : .mathML)
        default:
            otherStartTagInBody()
        }
        return .done
    }

    /// Processes the start tags that are rarer.
    private mutating func otherStartTagInBody() {
        switch tokenTag {
        case .pre, .listing:
            closeParagraph()
            insertElement()
            ignoresLineFeed = true
            isFramesetAllowed = false
        case .form:
            guard form < 0 || isOpen(.template) else { return }
            closeParagraph()
            let node = insertElement()
            if !isOpen(.template) { form = node }
        case .button:
            if hasInScope(.button) {
                generateImpliedEndTags()
                popUntil(.button)
            }
            reconstructFormatting()
            insertElement()
            isFramesetAllowed = false
        case .nobr:
            reconstructFormatting()
            if hasInScope(.nobr) {
                _ = adopt(.nobr)
            }
            beginFormatting()
        case .applet, .marquee, .object:
            reconstructFormatting()
            insertElement()
            insertMarker()
            isFramesetAllowed = false
        case .param, .source, .track:
            insertEmptyElement()
        case .hr:
            closeParagraph()
            if hasInScope(.select) { generateImpliedEndTags() }
            insertEmptyElement()
            isFramesetAllowed = false
        case .image:
            tokenizer.tag.tag = .img
            tokenizer.tag.name = UInt32(Tag.img.rawValue)
            reconstructFormatting()
            insertEmptyElement()
            isFramesetAllowed = false
        case .textarea, .xmp, .iframe, .noembed, .plaintext:
            beginTextInBody()
        case .input:
            beginInput()
        case .select:
            beginSelect()
        case .optgroup, .option:
            beginOption()
        case .rb, .rtc:
            if hasInScope(.ruby) { generateImpliedEndTags() }
            insertElement()
        case .rp, .rt:
            if hasInScope(.ruby) { generateImpliedEndTags(except: .rtc) }
            insertElement()
        default:
            reconstructFormatting()
            insertElement()
        }
    }

    private mutating func beginAnchor() {
        if let index = formattingIndex(of: .a) {
            let node = formatting[index].node
            _ = adopt(.a)
            if let index = formattingIndex(node: node) { formatting.remove(at: index) }
            removeFromStack(node)
        }
        beginFormatting()
    }

    /// Inserts a formatting element. The list of them has no more than the stack may have, so that a walk over it isn't
    /// longer.
    private mutating func beginFormatting() {
        reconstructFormatting()
        guard open.count < stackLimit else {
            reachedLimits.insert(.depth)
            return
        }
        pushFormatting(insertElement(), tokenTag)
    }

    private mutating func beginListItem() {
        isFramesetAllowed = false
        for element in open.reversed() {
            let tag = element.tag
            let isSame = tokenTag == .li ? tag == .li : tag == .dd || tag == .dt
            if isSame {
                generateImpliedEndTags(except: tag)
                popUntil(tag)
                break
            }
            if tag.isSpecial, tag != .address, tag != .div, tag != .p { break }
        }
        closeParagraph()
        insertElement()
    }

    private mutating func beginFrameset() {
        guard open.count > 1, open[1].tag == .body, isFramesetAllowed else { return }
        detach(open[1].node)
        pop(to: 1)
        insertElement()
        mode = .inFrameset
    }

    /// Processes the start tags whose content is text.
    private mutating func beginTextInBody() {
        switch tokenTag {
        case .textarea:
            isFramesetAllowed = false
            insertTextElement(.rcdata)
            ignoresLineFeed = true
        case .xmp:
            closeParagraph()
            reconstructFormatting()
            isFramesetAllowed = false
            insertTextElement(.rawText)
        case .iframe:
            isFramesetAllowed = false
            insertTextElement(.rawText)
        case .plaintext:
            closeParagraph()
            insertElement()
            tokenizer.state = .plaintext
        default:
            insertTextElement(.rawText)
        }
    }
}
