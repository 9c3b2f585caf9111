extension TreeBuilder {
    /// The "in template" mode (HTML, section 13.2.6.4.18).
    mutating func inTemplate(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters, .null, .comment, .doctype:
            return inBody(kind)
        case .startTag:
            switch tokenTag {
            case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
                return inHead(kind)
            case .caption, .colgroup, .tbody, .tfoot, .thead: return replaceTemplateMode(by: .inTable)
            case .col: return replaceTemplateMode(by: .inColumnGroup)
            case .tr: return replaceTemplateMode(by: .inTableBody)
            case .td, .th: return replaceTemplateMode(by: .inRow)
            default: return replaceTemplateMode(by: .inBody)
            }
        case .endTag:
            return tokenTag == .template ? inHead(kind) : .done
        case .endOfFile:
            guard isOpen(.template) else { return .done }
            popUntil(.template)
            clearFormattingToMarker()
            templateModes.removeLast()
            resetMode()
            return .again
        }
    }

    private mutating func replaceTemplateMode(by new: InsertionMode) -> Step {
        templateModes[templateModes.count - 1] = new
        mode = new
        return .again
    }

    /// Processes the start tag of a template (section 13.2.6.4.4).
    mutating func beginTemplate() {
        insertElement()
        insertMarker()
        isFramesetAllowed = false
        mode = .inTemplate
        templateModes.append(.inTemplate)
    }

    /// Processes the end tag of a template (section 13.2.6.4.4).
    mutating func endTemplate() {
        guard isOpen(.template) else { return }
        while currentTag.hasThoroughlyImpliedEnd { pop() }
        popUntil(.template)
        clearFormattingToMarker()
        templateModes.removeLast()
        resetMode()
    }
}
