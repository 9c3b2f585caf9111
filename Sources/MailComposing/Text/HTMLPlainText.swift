package import HTMLParsing

/// The text of a mail's HTML, for the search, for previews, and for screens that don't show HTML.
package struct HTMLPlainText {
    private let tree: HTMLTree
    private let marksQuotations: Bool
    private var output: [UInt8] = []
    /// The numbers of open quotations and of open preformatted texts.
    private var quotations = 0
    private var preformatted = 0
    private var isLineEmpty = true
    private var needsSpace = false

    /// Returns the text of HTML, one line per block, without styles, scripts and empty lines.
    ///
    /// - Parameter marksQuotations: Whether a line in a `blockquote` begins with one `>` per nesting level and a space,
    ///   as in mail.
    package static func text(of html: String, marksQuotations: Bool = false) -> String {
        // The server limits the text already.
        let limits = HTMLLimits(fitting: html.utf8.count)
        var writer = HTMLPlainText(HTMLParser.parse(html, limits: limits), marksQuotations: marksQuotations)
        writer.run()
        return String(decoding: writer.output, as: UTF8.self)
    }

    private init(_ tree: HTMLTree, marksQuotations: Bool) {
        (self.tree, self.marksQuotations) = (tree, marksQuotations)
    }

    private mutating func run() {
        var current = tree.firstChild(of: tree.root)
        while let node = current {
            if enter(node) {
                if let child = tree.firstChild(of: node) {
                    current = child
                    continue
                }
                leave(node)
            }
            current = following(node)
        }
    }

    /// The node after one that was left. Leaves the elements that end before it.
    private mutating func following(_ node: HTMLTree.NodeID) -> HTMLTree.NodeID? {
        var node = node
        while true {
            if let next = tree.nextSibling(of: node) { return next }
            guard let parent = tree.parent(of: node), parent != tree.root else { return nil }
            leave(parent)
            node = parent
        }
    }

    /// Writes a text, or begins an element. Returns whether the element's children are walked over.
    private mutating func enter(_ node: HTMLTree.NodeID) -> Bool {
        switch tree.kind(of: node) {
        case .text:
            // A function that reads the tree can't change the writer.
            var bytes: [UInt8] = []
            tree.withUTF8(of: node) { bytes.append(contentsOf: $0) }
            write(bytes)
            return false
        case .element:
            guard let name = tree.name(of: node), !HTMLElements.unseen.contains(name) else { return false }
            if HTMLElements.blocks.contains(name) { endLine() }
            if name == .blockquote { quotations += 1 }
            if name == .pre { preformatted += 1 }
            return true
        default: return false
        }
    }

    private mutating func leave(_ node: HTMLTree.NodeID) {
        guard let name = tree.name(of: node) else { return }
        if HTMLElements.blocks.contains(name) { endLine() }
        if name == .blockquote { quotations -= 1 }
        if name == .pre { preformatted -= 1 }
    }

    private mutating func endLine() {
        isLineEmpty = true
        needsSpace = false
    }

    private mutating func write(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            let space = HTMLElements.spaceLength(text, at: index)
            if space > 0 {
                if preformatted > 0, text[index] == 0x0A { endLine() }
                needsSpace = !isLineEmpty
                index += space
                continue
            }
            let start = index
            repeat { index += 1 } while index < text.count && HTMLElements.spaceLength(text, at: index) == 0
            beginWord()
            output.append(contentsOf: text[start..<index])
        }
    }

    private mutating func beginWord() {
        if isLineEmpty {
            if !output.isEmpty { output.append(0x0A) }
            if marksQuotations, quotations > 0 {
                // Limited to 32 marks: hostile HTML could nest deeply enough to exhaust memory.
                output.append(contentsOf: repeatElement(UInt8(ascii: ">"), count: min(quotations, 32)))
                output.append(0x20)
            }
            isLineEmpty = false
        } else if needsSpace {
            output.append(0x20)
        }
        needsSpace = false
    }
}

extension HTMLLimits {
    /// Creates limits that HTML of a length doesn't reach, unless it was made to reach them.
    ///
    /// - Parameter bytes: The length, from 0 to 1 GiB.
    package init(fitting bytes: Int) {
        // No other has an element or a text for each byte.
        self.init(bytes: bytes, nodes: max(HTMLLimits.standard.nodes, bytes))
    }
}
