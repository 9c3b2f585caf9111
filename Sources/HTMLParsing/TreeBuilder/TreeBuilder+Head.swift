extension TreeBuilder {
    /// The "in head" mode (HTML, section 13.2.6.4.4).
    mutating func inHead(_ kind: TokenKind) -> Step {
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
            if let step = startTagInHead(kind) { return step }
        case .endTag:
            switch tokenTag {
            case .head:
                pop()
                mode = .afterHead
                return .done
            case .template:
                endTemplate()
                return .done
            case .body, .html, .br:
                break
            default:
                return .done
            }
        default:
            break
        }
        pop()
        mode = .afterHead
        return .again
    }

    /// Processes a start tag in the head. Returns nil if it ends the head.
    private mutating func startTagInHead(_ kind: TokenKind) -> Step? {
        switch tokenTag {
        case .html: return inBody(kind)
        case .base, .basefont, .bgsound, .link, .meta: insertEmptyElement()
        case .title: insertTextElement(.rcdata)
        case .noframes, .style: insertTextElement(.rawText)
        case .noscript:
            insertElement()
            mode = .inHeadNoscript
        case .script: insertTextElement(.scriptData)
        case .template: beginTemplate()
        case .head: break
        default: return nil
        }
        return .done
    }

    /// The "in head noscript" mode (section 13.2.6.4.5).
    mutating func inHeadNoscript(_ kind: TokenKind) -> Step {
        switch kind {
        case .doctype:
            return .done
        case .comment:
            return inHead(kind)
        case .characters:
            let space = splitLeadingSpace()
            if !space.isEmpty { insertText(space) }
            if tokenizer.text.isEmpty { return .done }
        case .startTag:
            switch tokenTag {
            case .html: return inBody(kind)
            case .basefont, .bgsound, .link, .meta, .noframes, .style: return inHead(kind)
            case .head, .noscript: return .done
            default: break
            }
        case .endTag:
            if tokenTag == .noscript {
                pop()
                mode = .inHead
                return .done
            }
            guard tokenTag == .br else { return .done }
        default:
            break
        }
        pop()
        mode = .inHead
        return .again
    }
}
