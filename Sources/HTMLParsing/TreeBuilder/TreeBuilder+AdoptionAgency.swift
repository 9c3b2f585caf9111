extension TreeBuilder {
    /// Runs the adoption agency algorithm for the token (section 13.2.6.4.7).
    ///
    /// - Returns: Whether it applies. If it doesn't, the token is any other end tag.
    mutating func adopt(_ subject: Tag) -> Bool {
        if let current = open.last, current.tag == subject, formattingIndex(node: current.node) == nil {
            pop()
            return true
        }
        for _ in 0..<8 {
            guard let entryIndex = formattingIndex(of: subject) else { return false }
            let element = formatting[entryIndex].node
            guard nodes[Int(element)].isOpen, let index = open.lastIndex(where: { $0.node == element }) else {
                formatting.remove(at: entryIndex)
                return true
            }
            guard hasInScope(node: element) else { return true }
            guard let block = open[index...].firstIndex(where: { $0.tag.isSpecial }) else {
                pop(to: index)
                formatting.remove(at: entryIndex)
                return true
            }
            adopt(open[block], at: block, into: element, at: index)
            if isStopped { return true }
        }
        return true
    }

    /// Moves the furthest block out of the formatting element, and a new such element into the block.
    ///
    /// - Parameters:
    ///   - block: The furthest block, and its index in the stack.
    ///   - element: The formatting element, and its index in the stack.
    private mutating func adopt(_ block: OpenElement, at blockIndex: Int, into element: Int32, at index: Int) {
        let ancestor = open[index - 1]
        // The entry that the new element's entry follows, or nil for the formatting element's own place.
        var bookmark: Int32?
        var last = block.node
        var nodeIndex = blockIndex
        var count = 0
        while true {
            nodeIndex -= 1
            count += 1
            let node = open[nodeIndex].node
            if node == element { break }
            var entryIndex = formattingIndex(node: node)
            if count > 3, let index = entryIndex {
                formatting.remove(at: index)
                entryIndex = nil
            }
            guard let entryIndex else {
                removeFromStack(node)
                continue
            }
            let clone = newElement(like: node)
            formatting[entryIndex].node = clone
            replaceInStack(at: nodeIndex, with: clone)
            if last == block.node { bookmark = clone }
            detach(last)
            insert(last, at: Place(parent: clone))
            last = clone
        }
        detach(last)
        insert(last, at: appropriatePlace(in: ancestor))
        let clone = newElement(like: element)
        moveChildren(of: block.node, to: clone)
        insert(clone, at: Place(parent: block.node))
        deepened += 1
        replaceFormatting(element, with: clone, after: bookmark)
        removeFromStack(element)
        let blockPlace = open.lastIndex { $0.node == block.node } ?? open.count - 1
        insertInStack(clone, nodes[Int(clone)].tag, at: blockPlace + 1)
    }

    private mutating func replaceFormatting(_ element: Int32, with clone: Int32, after bookmark: Int32?) {
        guard let index = formattingIndex(node: element) else { return }
        let entry = FormattingEntry(node: clone, tag: formatting[index].tag, hash: formatting[index].hash)
        if let bookmark, let place = formattingIndex(node: bookmark) {
            formatting.insert(entry, at: place + 1)
            formatting.remove(at: index > place ? index + 1 : index)
        } else {
            formatting[index] = entry
        }
    }
}
