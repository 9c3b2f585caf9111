extension TreeBuilder {
    /// Moves elements that are deeper than the limit up to it, after the element that they were in.
    ///
    /// The stack is limited while the tree is built, but the adoption agency and forms can make an element deeper than
    /// its place in the stack. Each node is moved at most once.
    mutating func limitDepth() {
        var node: Int32 = 0
        var depth = 0
        while true {
            if nodes[Int(node)].kind == .element, depth + 1 >= limits.depth { flatten(node) }
            // To the next node in tree order. The children of a template are those of its contents.
            if let child = firstChild(node) {
                if nodes[Int(node)].kind == .element { depth += 1 }
                node = child
                continue
            }
            while nodes[Int(node)].next < 0 {
                guard let parent = parent(node) else { return }
                node = parent
                if nodes[Int(node)].kind == .element { depth -= 1 }
            }
            node = nodes[Int(node)].next
        }
    }

    private func firstChild(_ node: Int32) -> Int32? {
        let holder = nodes[Int(node)].tag == .template ? nodes[Int(node)].other : node
        let child = nodes[Int(holder)].first
        return child >= 0 ? child : nil
    }

    private func parent(_ node: Int32) -> Int32? {
        let parent = nodes[Int(node)].parent
        guard parent >= 0 else { return nil }
        return nodes[Int(parent)].kind == .documentFragment ? nodes[Int(parent)].other : parent
    }

    /// Moves the first child that is an element, and all after it, to follow their parent. Those of a template's
    /// contents are removed.
    private mutating func flatten(_ node: Int32) {
        let isTemplate = nodes[Int(node)].tag == .template
        let holder = isTemplate ? nodes[Int(node)].other : node
        var child = nodes[Int(holder)].first
        while child >= 0, nodes[Int(child)].kind != .element { child = nodes[Int(child)].next }
        guard child >= 0 else { return }
        reachedLimits.insert(.depth)
        let place = Place(parent: nodes[Int(node)].parent, before: nodes[Int(node)].next)
        while child >= 0 {
            let next = nodes[Int(child)].next
            detach(child)
            if !isTemplate { insert(child, at: place) }
            child = next
        }
    }
}
