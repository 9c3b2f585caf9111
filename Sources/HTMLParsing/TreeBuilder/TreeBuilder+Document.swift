extension TreeBuilder {
    /// The "initial" mode (HTML, section 13.2.6.4.1).
    mutating func initial(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            _ = splitLeadingSpace()
            if tokenizer.text.isEmpty { return .done }
        case .comment:
            insertComment(at: Place(parent: 0))
            return .done
        case .doctype:
            quirks = QuirksRules.mode(of: tokenizer.doctype)
            var node = Node(kind: .doctype)
            node.range = doctypes.count..<(doctypes.count + 1)
            doctypes.append(tokenizer.doctype)
            insert(newNode(node), at: Place(parent: 0))
            mode = .beforeHTML
            return .done
        default:
            break
        }
        quirks = .quirks
        mode = .beforeHTML
        return .again
    }

    /// The "before html" mode (section 13.2.6.4.2).
    mutating func beforeHTML(_ kind: TokenKind) -> Step {
        switch kind {
        case .doctype:
            return .done
        case .comment:
            insertComment(at: Place(parent: 0))
            return .done
        case .characters:
            _ = splitLeadingSpace()
            if tokenizer.text.isEmpty { return .done }
        case .startTag where tokenTag == .html:
            insertElement()
            mode = .beforeHead
            return .done
        case .endTag:
            guard isEndOfDocumentPart else { return .done }
        default:
            break
        }
        insertElement(.html)
        mode = .beforeHead
        return .again
    }

    /// The "before head" mode (section 13.2.6.4.3).
    mutating func beforeHead(_ kind: TokenKind) -> Step {
        switch kind {
        case .doctype:
            return .done
        case .comment:
            insertComment()
            return .done
        case .characters:
            _ = splitLeadingSpace()
            if tokenizer.text.isEmpty { return .done }
        case .startTag where tokenTag == .html:
            return inBody(kind)
        case .startTag where tokenTag == .head:
            head = insertElement()
            mode = .inHead
            return .done
        case .endTag:
            guard isEndOfDocumentPart else { return .done }
        default:
            break
        }
        head = insertElement(.head)
        mode = .inHead
        return .again
    }

    /// Whether an end tag before the body counts: `head`, `body`, `html` or `br`.
    private var isEndOfDocumentPart: Bool {
        switch tokenTag {
        case .head, .body, .html, .br: true
        default: false
        }
    }

    /// The "after head" mode (section 13.2.6.4.6).
    mutating func afterHead(_ kind: TokenKind) -> Step {
        switch kind {
        case .doctype:
            return .done
        case .comment:
            insertComment()
            return .done
        case .characters:
            let space = splitLeadingSpace()
            if !space.isEmpty { insertText(space) }
            if tokenizer.text.isEmpty { return .done }
        case .startTag:
            switch tokenTag {
            case .html:
                return inBody(kind)
            case .body:
                insertElement()
                isFramesetAllowed = false
                mode = .inBody
                return .done
            case .frameset:
                insertElement()
                mode = .inFrameset
                return .done
            case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
                push(head, .head)
                let step = inHead(kind)
                removeFromStack(head)
                return step
            case .head:
                return .done
            default:
                break
            }
        case .endTag:
            if tokenTag == .template { return inHead(kind) }
            guard tokenTag == .body || tokenTag == .html || tokenTag == .br else { return .done }
        default:
            break
        }
        insertElement(.body)
        mode = .inBody
        return .again
    }

    /// The "after body" mode (section 13.2.6.4.19).
    mutating func afterBody(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            let space = splitLeadingSpace()
            if !space.isEmpty { insertBodyText(space) }
            if tokenizer.text.isEmpty { return .done }
        case .comment:
            insertComment(at: Place(parent: open.first?.node ?? 0))
            return .done
        case .doctype:
            return .done
        case .startTag where tokenTag == .html:
            return inBody(kind)
        case .endTag where tokenTag == .html:
            if context < 0 { mode = .afterAfterBody }
            return .done
        case .endOfFile:
            return .done
        default:
            break
        }
        mode = .inBody
        return .again
    }

    /// The "after after body" mode (section 13.2.6.4.22).
    mutating func afterAfterBody(_ kind: TokenKind) -> Step {
        switch kind {
        case .comment:
            insertComment(at: Place(parent: 0))
            return .done
        case .doctype:
            return .done
        case .characters:
            let space = splitLeadingSpace()
            if !space.isEmpty { insertBodyText(space) }
            if tokenizer.text.isEmpty { return .done }
        case .startTag where tokenTag == .html:
            return inBody(kind)
        case .endOfFile:
            return .done
        default:
            break
        }
        mode = .inBody
        return .again
    }
}
