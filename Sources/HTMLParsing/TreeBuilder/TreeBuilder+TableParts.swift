extension TreeBuilder {
    /// The "in table body" mode (HTML, section 13.2.6.4.13).
    mutating func inTableBody(_ kind: TokenKind) -> Step {
        switch (kind, tokenTag) {
        case (.startTag, .tr):
            clearStack(to: .tbody, .tfoot, .thead)
            insertElement()
            mode = .inRow
            return .done
        case (.startTag, .th), (.startTag, .td):
            clearStack(to: .tbody, .tfoot, .thead)
            insertElement(.tr)
            mode = .inRow
            return .again
        case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
            guard hasInTableScope(tokenTag) else { return .done }
            endTableBody()
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody),
            (.startTag, .tfoot), (.startTag, .thead), (.endTag, .table):
            guard hasInTableScope(.tbody) || hasInTableScope(.thead) || hasInTableScope(.tfoot) else { return .done }
            endTableBody()
            return .again
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
            (.endTag, .td), (.endTag, .th), (.endTag, .tr):
            return .done
        default:
            return inTable(kind)
        }
    }

    private mutating func endTableBody() {
        clearStack(to: .tbody, .tfoot, .thead)
        if open.count > 1 { pop() }
        mode = .inTable
    }

    /// The "in row" mode (section 13.2.6.4.14).
    mutating func inRow(_ kind: TokenKind) -> Step {
        switch (kind, tokenTag) {
        case (.startTag, .th), (.startTag, .td):
            clearStack(to: .tr)
            insertElement()
            mode = .inCell
            insertMarker()
            return .done
        case (.endTag, .tr):
            _ = endRow()
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody),
            (.startTag, .tfoot), (.startTag, .thead), (.startTag, .tr), (.endTag, .table):
            return endRow() ? .again : .done
        case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
            guard hasInTableScope(tokenTag) else { return .done }
            return endRow() ? .again : .done
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
            (.endTag, .td), (.endTag, .th):
            return .done
        default:
            return inTable(kind)
        }
    }

    private mutating func endRow() -> Bool {
        guard hasInTableScope(.tr) else { return false }
        clearStack(to: .tr)
        if open.count > 1 { pop() }
        mode = .inTableBody
        return true
    }

    /// The "in cell" mode (section 13.2.6.4.15).
    mutating func inCell(_ kind: TokenKind) -> Step {
        switch (kind, tokenTag) {
        case (.endTag, .td), (.endTag, .th):
            guard hasInTableScope(tokenTag) else { return .done }
            generateImpliedEndTags()
            popUntil(tokenTag)
            clearFormattingToMarker()
            mode = .inRow
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
            (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr):
            return closeCell()
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html):
            return .done
        case (.endTag, .table), (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead), (.endTag, .tr):
            return hasInTableScope(tokenTag) ? closeCell() : .done
        default:
            return inBody(kind)
        }
    }

    private mutating func closeCell() -> Step {
        guard hasInTableScope(.td) || hasInTableScope(.th) else { return .done }
        generateImpliedEndTags()
        while open.count > 1 {
            let isCell = currentTag == .td || currentTag == .th
            pop()
            if isCell { break }
        }
        clearFormattingToMarker()
        mode = .inRow
        return .again
    }
}
