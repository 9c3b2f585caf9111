extension HTMLTree {
    /// The number of nodes in memory. Some of them may not be in the tree.
    public var nodeCount: Int { nodes.count }

    /// The parent of a node, or nil for the root and for the contents of a template.
    public func parent(of node: NodeID) -> NodeID? { id(self.node(node).parent) }

    /// The first child of a node.
    public func firstChild(of node: NodeID) -> NodeID? { id(self.node(node).first) }

    /// The last child of a node.
    public func lastChild(of node: NodeID) -> NodeID? { id(self.node(node).last) }

    /// The child of the same parent that follows a node.
    public func nextSibling(of node: NodeID) -> NodeID? { id(self.node(node).next) }

    /// The child of the same parent that a node follows.
    public func previousSibling(of node: NodeID) -> NodeID? { id(self.node(node).previous) }

    /// The children of a node in their order.
    public func children(of node: NodeID) -> Children { Children(tree: self, following: firstChild(of: node)) }

    /// The descendants of a node in tree order, without the node itself and without the contents of templates.
    public func descendants(of node: NodeID) -> Descendants { Descendants(tree: self, root: node, last: node) }

    /// The node that follows in tree order, or nil for the last one within `root`.
    ///
    /// - Parameters:
    ///   - node: A node within `root`, or `root` itself.
    ///   - root: The node whose descendants are walked over.
    ///   - skipsDescendants: Whether the descendants of `node` are skipped.
    public func node(after node: NodeID, within root: NodeID, skippingDescendants skipsDescendants: Bool = false)
        -> NodeID?
    {
        if !skipsDescendants, let child = firstChild(of: node) { return child }
        var node = node
        while node != root {
            if let next = nextSibling(of: node) { return next }
            guard let parent = parent(of: node) else { return nil }
            node = parent
        }
        return nil
    }

    /// The children of a node.
    public struct Children: Sequence, IteratorProtocol, Sendable {
        let tree: HTMLTree
        var following: NodeID?

        /// Returns the next child.
        public mutating func next() -> NodeID? {
            guard let node = following else { return nil }
            following = tree.nextSibling(of: node)
            return node
        }
    }

    /// The descendants of a node.
    public struct Descendants: Sequence, IteratorProtocol, Sendable {
        let tree: HTMLTree
        let root: NodeID
        var last: NodeID?

        /// Returns the next descendant.
        public mutating func next() -> NodeID? {
            guard let node = last else { return nil }
            last = tree.node(after: node, within: root)
            return last
        }
    }
}
