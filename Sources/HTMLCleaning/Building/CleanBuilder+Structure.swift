extension CleanBuilder {
    /// Whether nothing but parts of tables may be in the element that is open last.
    var isInTableStructure: Bool { open.last?.element?.isTableStructure ?? false }

    /// Opens an element, if a parser would leave it where it is, perhaps under another name.
    ///
    /// - Returns: The element's node, or nil if its children stand in its place.
    mutating func begin(_ element: CleanElement, _ attributes: [CleanAttribute], isHidden: Bool = false) -> Int32? {
        guard let place = placed(element), !isRepeated(place, attributes) else { return nil }
        let attributes =
            place == element ? attributes : attributes.filter { AttributeRule.allows($0, on: place) }
        return push(place, attributes, isHidden: isHidden)
    }

    /// Whether three formatting elements like this one are open. A parser's list of them has no more (HTML, section
    /// 13.2.4.3, the "Noah's Ark clause"), and parsers differ about how a further one ends.
    private func isRepeated(_ element: CleanElement, _ attributes: [CleanAttribute]) -> Bool {
        guard element.isFormatting else { return false }
        var count = 0
        for entry in open.reversed() {
            if entry.element?.boundsParagraphs ?? true { return false }
            if entry.element == element, tree.nodes[Int(entry.node)].attributes == attributes { count += 1 }
            if count == 3 { return true }
        }
        return false
    }

    /// Makes the place for an element and returns the name that it has there, or nil if it can't be there.
    private mutating func placed(_ element: CleanElement) -> CleanElement? {
        switch element {
        case .caption, .colgroup, .tbody, .thead, .tfoot:
            popImplied { _ in false }
            if open.last?.element == .table { return element }
            return element == .caption ? placedInFlow(.div) : nil
        case .col:
            popImplied { $0 == .colgroup }
            if open.last?.element == .table { pushImplied(.colgroup) }
            return open.last?.element == .colgroup ? element : nil
        case .tr:
            popImplied { $0.isTableSection }
            if open.last?.element == .table { pushImplied(.tbody) }
            return open.last?.element?.isTableSection ?? false ? element : nil
        case .td, .th:
            popImplied { $0.isTableSection || $0 == .tr }
            guard isInTableStructure, open.last?.element != .colgroup else { return placedInFlow(.div) }
            if open.last?.element == .table { pushImplied(.tbody) }
            if open.last?.element != .tr { pushImplied(.tr) }
            return element
        default:
            return placedInFlow(element)
        }
    }

    private mutating func placedInFlow(_ element: CleanElement) -> CleanElement? {
        beginFlow()
        guard let parent = open.last, open.count + (element == .table ? 4 : 0) <= maximumDepth else { return nil }
        var element = element
        switch element {
        case .li where parent.element != .ul && parent.element != .ol: element = .div
        case .dd where parent.element != .dl, .dt where parent.element != .dl: element = .div
        case .rt where parent.element != .ruby, .rp where parent.element != .ruby: element = .span
        default: if element.isHeading, parent.element?.isHeading ?? false { element = .div }
        }
        if element.endsParagraph, parent.paragraph >= 0 { renameParagraph(at: parent.paragraph) }
        return element
    }

    /// Makes a place for text and for elements that aren't parts of a table: a cell, if a table is open.
    mutating func beginFlow() {
        if open.last?.element == .colgroup { open.removeLast() }
        if open.last?.element == .table { pushImplied(.tbody) }
        if open.last?.element?.isTableSection ?? false { pushImplied(.tr) }
        if open.last?.element == .tr { pushImplied(.td) }
    }

    /// Renames a paragraph that has a block in it to `div`, which may have one.
    private mutating func renameParagraph(at place: Int) {
        tree.nodes[Int(open[place].node)].element = .div
        open[place].element = .div
        for index in place..<open.count where open[index].paragraph == place { open[index].paragraph = -1 }
    }

    private mutating func popImplied(until isEnough: (CleanElement) -> Bool) {
        while let last = open.last, last.isImplied, let element = last.element, !isEnough(element) { open.removeLast() }
    }

    private mutating func pushImplied(_ element: CleanElement) {
        _ = push(element, [])
        open[open.count - 1].isImplied = true
    }

    private mutating func push(_ element: CleanElement, _ attributes: [CleanAttribute], isHidden: Bool = false) -> Int32
    {
        let parent = open[open.count - 1]
        let node = tree.append(element, attributes, to: parent.node)
        guard !element.isVoid else { return node }
        var entry = OpenElement(node: node, element: element)
        entry.paragraph = element == .p ? open.count : element.boundsParagraphs ? -1 : parent.paragraph
        entry.isInAnchor = parent.isInAnchor || element == .a
        entry.isHidden = parent.isHidden || isHidden
        open.append(entry)
        return node
    }
}
