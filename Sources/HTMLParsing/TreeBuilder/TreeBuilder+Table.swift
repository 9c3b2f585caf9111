extension TreeBuilder {
    /// The "in table" mode (HTML, section 13.2.6.4.9).
    mutating func inTable(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters, .null:
            if currentTag.fosters || currentTag == .template {
                tableText.removeAll(keepingCapacity: true)
                originalMode = mode
                mode = .inTableText
                return .again
            }
        case .comment:
            insertComment()
            return .done
        case .doctype:
            return .done
        case .startTag:
            if let step = startTagInTable(kind) { return step }
        case .endTag:
            switch tokenTag {
            case .table:
                guard hasInTableScope(.table) else { return .done }
                popUntil(.table)
                resetMode()
                return .done
            case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr:
                return .done
            case .template:
                return inHead(kind)
            default:
                break
            }
        case .endOfFile:
            return inBody(kind)
        }
        return inBodyFostering(kind)
    }

    /// Processes a start tag in a table. Returns nil if it doesn't belong in one.
    private mutating func startTagInTable(_ kind: TokenKind) -> Step? {
        switch tokenTag {
        case .caption:
            clearStack(to: .table)
            insertMarker()
            insertElement()
            mode = .inCaption
        case .colgroup:
            clearStack(to: .table)
            insertElement()
            mode = .inColumnGroup
        case .col:
            clearStack(to: .table)
            insertElement(.colgroup)
            mode = .inColumnGroup
            return .again
        case .tbody, .tfoot, .thead:
            clearStack(to: .table)
            insertElement()
            mode = .inTableBody
        case .td, .th, .tr:
            clearStack(to: .table)
            insertElement(.tbody)
            mode = .inTableBody
            return .again
        case .table:
            guard hasInTableScope(.table) else { return .done }
            popUntil(.table)
            resetMode()
            return .again
        case .style, .script, .template:
            return inHead(kind)
        case .input:
            guard tokenAttribute(.type) == Array("hidden".utf8) else { return nil }
            insertEmptyElement()
        case .form:
            guard !isOpen(.template), form < 0 else { return .done }
            form = insertElement()
            pop()
        default:
            return nil
        }
        return .done
    }

    /// Processes a token by the rules of the body, with foster parenting.
    private mutating func inBodyFostering(_ kind: TokenKind) -> Step {
        isFosterParenting = true
        defer { isFosterParenting = false }
        return inBody(kind)
    }

    /// The "in table text" mode (section 13.2.6.4.10).
    mutating func inTableText(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            tableText.append(tokenizer.text)
            return .done
        case .null:
            return .done
        default:
            break
        }
        if tableText.allSatisfy({ isSpace($0) }) {
            for text in tableText { insertText(text) }
        } else {
            isFosterParenting = true
            for text in tableText { insertBodyText(text) }
            isFosterParenting = false
        }
        tableText.removeAll(keepingCapacity: true)
        mode = originalMode
        return .again
    }

    /// The "in caption" mode (section 13.2.6.4.11).
    mutating func inCaption(_ kind: TokenKind) -> Step {
        switch (kind, tokenTag) {
        case (.endTag, .caption):
            _ = endCaption()
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
            (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr), (.endTag, .table):
            return endCaption() ? .again : .done
        case (.endTag, .body), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html), (.endTag, .tbody),
            (.endTag, .td), (.endTag, .tfoot), (.endTag, .th), (.endTag, .thead), (.endTag, .tr):
            return .done
        default:
            return inBody(kind)
        }
    }

    private mutating func endCaption() -> Bool {
        guard hasInTableScope(.caption) else { return false }
        generateImpliedEndTags()
        popUntil(.caption)
        clearFormattingToMarker()
        mode = .inTable
        return true
    }

    /// The "in column group" mode (section 13.2.6.4.12).
    mutating func inColumnGroup(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            let space = splitLeadingSpace()
            if !space.isEmpty { insertText(space) }
            if tokenizer.text.isEmpty { return .done }
        case .comment:
            insertComment()
            return .done
        case .doctype:
            return .done
        case .startTag:
            switch tokenTag {
            case .html: return inBody(kind)
            case .col:
                insertEmptyElement()
                return .done
            case .template: return inHead(kind)
            default: break
            }
        case .endTag:
            switch tokenTag {
            case .colgroup:
                guard currentTag == .colgroup else { return .done }
                pop()
                mode = .inTable
                return .done
            case .col: return .done
            case .template: return inHead(kind)
            default: break
            }
        case .endOfFile:
            return inBody(kind)
        case .null:
            break
        }
        guard currentTag == .colgroup else { return .done }
        pop()
        mode = .inTable
        return .again
    }
}
