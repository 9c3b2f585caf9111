extension TreeBuilder {
    mutating func push(_ node: Int32, _ tag: Tag) {
        open.append(OpenElement(node: node, tag: tag))
        openCounts[Int(tag.rawValue)] += 1
        nodes[Int(node)].isOpen = true
        if open.count > maximumOpen { maximumOpen = open.count }
        switch tag {
        case .select: selects.append(SelectState(node: node))
        case .option where !selects.isEmpty: optionBegan(node)
        case .selectedcontent where !selects.isEmpty: selectedContentBegan(node)
        default: break
        }
    }

    mutating func pop() {
        guard let element = open.popLast() else { return }
        closed(element)
    }

    private mutating func closed(_ element: OpenElement) {
        openCounts[Int(element.tag.rawValue)] -= 1
        nodes[Int(element.node)].isOpen = false
        switch element.tag {
        case .option where !selects.isEmpty: optionEnded(element.node)
        case .select: selects.removeAll { $0.node == element.node }
        default: break
        }
    }

    /// Removes an element from the stack, if it is there, and leaves those above it.
    mutating func removeFromStack(_ node: Int32) {
        guard nodes[Int(node)].isOpen, let index = open.lastIndex(where: { $0.node == node }) else { return }
        if index < open.count - 1 { deepened += 1 }
        closed(open.remove(at: index))
    }

    /// Replaces an element of the stack by one of the same tag.
    mutating func replaceInStack(at index: Int, with node: Int32) {
        nodes[Int(open[index].node)].isOpen = false
        nodes[Int(node)].isOpen = true
        open[index].node = node
    }

    mutating func insertInStack(_ node: Int32, _ tag: Tag, at index: Int) {
        open.insert(OpenElement(node: node, tag: tag), at: index)
        openCounts[Int(tag.rawValue)] += 1
        nodes[Int(node)].isOpen = true
        if open.count > maximumOpen { maximumOpen = open.count }
    }

    func isOpen(_ tag: Tag) -> Bool { openCounts[Int(tag.rawValue)] > 0 }

    /// Pops elements until one of this tag has been popped, or all but the root.
    mutating func popUntil(_ tag: Tag) {
        while open.count > 1 {
            let last = currentTag
            pop()
            if last == tag { return }
        }
    }

    /// Pops elements until the stack has this height.
    mutating func pop(to count: Int) {
        while open.count > count { pop() }
    }

    /// Whether the stack has an element in scope (section 13.2.4.2).
    func hasInScope(_ tag: Tag) -> Bool {
        isOpen(tag) && isFirst(tag) { $0.boundsScope }
    }

    func hasInButtonScope(_ tag: Tag) -> Bool {
        isOpen(tag) && isFirst(tag) { $0.boundsScope || $0 == .button }
    }

    func hasInListItemScope(_ tag: Tag) -> Bool {
        isOpen(tag) && isFirst(tag) { $0.boundsScope || $0 == .ol || $0 == .ul }
    }

    func hasInTableScope(_ tag: Tag) -> Bool {
        isOpen(tag) && isFirst(tag) { $0.boundsTableScope }
    }

    /// Whether an element of this tag is above all that bound the scope.
    private func isFirst(_ tag: Tag, bound: (Tag) -> Bool) -> Bool {
        for element in open.reversed() {
            if element.tag == tag { return true }
            if bound(element.tag) { return false }
        }
        return false
    }

    /// Whether this very element is in scope.
    func hasInScope(node: Int32) -> Bool {
        guard nodes[Int(node)].isOpen else { return false }
        for element in open.reversed() {
            if element.node == node { return true }
            if element.tag.boundsScope { return false }
        }
        return false
    }

    func hasHeadingInScope() -> Bool {
        for element in open.reversed() {
            if element.tag.isHeading { return true }
            if element.tag.boundsScope { return false }
        }
        return false
    }

    /// Generates implied end tags (section 13.2.6.3).
    mutating func generateImpliedEndTags(except tag: Tag? = nil) {
        while currentTag.hasImpliedEnd, currentTag != tag { pop() }
    }

    /// Closes a p element, if one is in button scope.
    mutating func closeParagraph() {
        guard hasInButtonScope(.p) else { return }
        generateImpliedEndTags(except: .p)
        popUntil(.p)
    }

    /// Pops elements until the current one is one of these, a template or the root.
    mutating func clearStack(to tags: Tag...) {
        while open.count > 1, currentTag != .template, !tags.contains(currentTag) { pop() }
    }
}
