/// The cleaner's tree: nodes in one array, texts in one buffer in their order.
struct CleanTree: Sendable {
    struct Node: Sendable {
        /// Nil for a text.
        var element: CleanElement?
        var attributes: [CleanAttribute] = []
        /// The bytes of a text.
        var text: Range<Int> = 0..<0
        var parent: Int32 = -1
        var first: Int32 = -1
        var last: Int32 = -1
        var next: Int32 = -1
    }

    /// The nodes. The first one is the root, which isn't written.
    var nodes: [Node] = [Node(element: .div)]
    /// The UTF-8 of all texts. The texts of an element that the message has are neighbors.
    var bytes: [UInt8] = []

    /// Appends an element to a parent and returns its index.
    mutating func append(_ element: CleanElement, _ attributes: [CleanAttribute], to parent: Int32) -> Int32 {
        append(Node(element: element, attributes: attributes, parent: parent))
    }

    /// Adds an element before all others and returns its index.
    mutating func prepend(_ element: CleanElement, _ attributes: [CleanAttribute]) -> Int32 {
        let index = Int32(nodes.count)
        nodes.append(Node(element: element, attributes: attributes, parent: 0, next: nodes[0].first))
        nodes[0].first = index
        if nodes[0].last < 0 { nodes[0].last = index }
        return index
    }

    private mutating func append(_ node: Node) -> Int32 {
        let index = Int32(nodes.count)
        let parent = Int(node.parent)
        nodes.append(node)
        if nodes[parent].last >= 0 {
            nodes[Int(nodes[parent].last)].next = index
        } else {
            nodes[parent].first = index
        }
        nodes[parent].last = index
        return index
    }

    /// Appends characters to a parent. A text that is its last child grows.
    mutating func append(text: some Collection<UInt8>, to parent: Int32) {
        guard !text.isEmpty else { return }
        let start = bytes.count
        bytes.append(contentsOf: text)
        let last = nodes[Int(parent)].last
        if last >= 0, nodes[Int(last)].element == nil, nodes[Int(last)].text.upperBound == start {
            nodes[Int(last)].text = nodes[Int(last)].text.lowerBound..<bytes.count
        } else {
            _ = append(Node(text: start..<bytes.count, parent: parent))
        }
    }

    /// Calls functions with each node: where it begins, and where an element that isn't void ends.
    func walk(begin: (Int32) -> Void, end: (Int32) -> Void) {
        var current = nodes[0].first
        while current >= 0 {
            begin(current)
            if nodes[Int(current)].first >= 0 {
                current = nodes[Int(current)].first
                continue
            }
            end(current)
            while nodes[Int(current)].next < 0 {
                current = nodes[Int(current)].parent
                if current <= 0 { return }
                end(current)
            }
            current = nodes[Int(current)].next
        }
    }
}

/// An attribute that the cleaner writes.
struct CleanAttribute: Hashable, Sendable {
    var name: Name
    var value: String

    /// The names that an attribute may have.
    enum Name: String, CaseIterable, Sendable {
        case align, alt, bgcolor, border, cellpadding, cellspacing, clear, color, colspan, dir, face, height, hidden
        case href, hspace, lang, noshade, nowrap, open, rel, reversed, role, rowspan, scope, size, span, src, start
        case style, target, title, type, valign, value, vspace, width
        case ariaHidden = "aria-hidden"
        case ariaLabel = "aria-label"
        case actionType = "data-actiontype"
    }
}
