extension TreeBuilder {
    /// The "in frameset" mode (HTML, section 13.2.6.4.20).
    mutating func inFrameset(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            insertSpaceOnly()
        case .comment:
            insertComment()
        case .startTag:
            switch tokenTag {
            case .html: return inBody(kind)
            case .frameset: insertElement()
            case .frame: insertEmptyElement()
            case .noframes: return inHead(kind)
            default: break
            }
        case .endTag where tokenTag == .frameset:
            guard open.count > 1 else { return .done }
            pop()
            if context < 0, currentTag != .frameset { mode = .afterFrameset }
        default:
            break
        }
        return .done
    }

    /// The "after frameset" mode (section 13.2.6.4.21).
    mutating func afterFrameset(_ kind: TokenKind) -> Step {
        switch kind {
        case .characters:
            insertSpaceOnly()
        case .comment:
            insertComment()
        case .startTag where tokenTag == .html:
            return inBody(kind)
        case .startTag where tokenTag == .noframes:
            return inHead(kind)
        case .endTag where tokenTag == .html:
            mode = .afterAfterFrameset
        default:
            break
        }
        return .done
    }

    /// The "after after frameset" mode (section 13.2.6.4.23).
    mutating func afterAfterFrameset(_ kind: TokenKind) -> Step {
        switch kind {
        case .comment:
            insertComment(at: Place(parent: 0))
        case .characters:
            insertSpaceOnly()
        case .startTag where tokenTag == .html:
            return inBody(kind)
        case .startTag where tokenTag == .noframes:
            return inHead(kind)
        default:
            break
        }
        return .done
    }
}
