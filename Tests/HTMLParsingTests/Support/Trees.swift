import HTMLParsing

extension HTMLTree {
    /// The markup of the first element of this name.
    func markup(in name: HTMLName) -> String {
        descendants(of: root).first { isElement($0, name) }.map { serialized(childrenOf: $0) } ?? "none"
    }

    /// The depth of the deepest element. The root's children have 1.
    var depth: Int {
        var deepest = 0
        walk { _, depth in deepest = Swift.max(deepest, depth) }
        return deepest
    }

    /// Calls a function with each node, the contents of templates too, and the number of elements that it is in,
    /// itself included.
    func walk(_ body: (NodeID, Int) -> Void) {
        var stack = [(root, 0)]
        while let (node, depth) = stack.popLast() {
            let depth = kind(of: node) == .element ? depth + 1 : depth
            body(node, depth)
            for child in children(of: node) { stack.append((child, depth)) }
            if let contents = templateContents(of: node) { stack.append((contents, depth)) }
        }
    }

    /// The first place where the links between nodes contradict each other, or nil.
    var brokenLink: String? {
        var problem: String?
        walk { node, _ in
            var previous: NodeID?
            for child in children(of: node) {
                if parent(of: child) != node { problem = "parent of \(child)" }
                if previousSibling(of: child) != previous { problem = "previous sibling of \(child)" }
                if kind(of: child) == .text, text(of: child).isEmpty { problem = "empty text \(child)" }
                previous = child
            }
            if lastChild(of: node) != previous { problem = "last child of \(node)" }
        }
        return problem
    }
}

/// The markup of the body of a document.
func body(_ text: String, limits: HTMLLimits = .standard) -> String {
    HTMLParser.parse(text, limits: limits).markup(in: .body)
}
