import HTMLParsing

/// Estimates how high a message is in a frame of some width, in CSS pixels.
///
/// The text is divided into lines as if all letters had the same width. Blocks have the spaces, widths and heights of
/// their attributes and own styles; style sheets aren't read. The walk ends where the message is higher than a frame
/// may be.
struct MessageHeight {
    private let tree: HTMLTree
    private let limit: Double
    private var boxes: [Box]
    /// The sum of the heights of the boxes.
    private var openHeight = 0.0

    /// An element that is open in the walk.
    private struct Box {
        let node: HTMLTree.NodeID
        /// The width of its content.
        var width: Double
        /// The size of its letters.
        var em: Double
        /// The number of its cells, which are beside each other; 0 where blocks are one below the other.
        var cells = 0
        /// The space above and below its content.
        var space = 0.0
        var minHeight = 0.0
        /// The height of the lines and blocks in it that have ended.
        var height = 0.0
        // The line that is going on: the width of its text, the area of its pictures, and the highest of these.
        var text = 0.0
        var pictures = 0.0
        var tallest = 0.0
    }

    /// Returns the estimate, which may end anywhere beyond `limit`.
    static func estimate(_ tree: HTMLTree, width: Double, limit: Double) -> Double {
        let body = Box(node: tree.root, width: width - 32, em: 16, space: 32)
        var height = MessageHeight(tree: tree, limit: limit, boxes: [body])
        return height.walk()
    }

    private mutating func walk() -> Double {
        var (next, visited) = (tree.firstChild(of: tree.root), 0)
        while let node = next, visited < 20_000, openHeight < limit {
            visited += 1
            if begin(node), let child = tree.firstChild(of: node) {
                next = child
                continue
            }
            var last = node
            end(last)
            while tree.nextSibling(of: last) == nil, let parent = tree.parent(of: last), parent != tree.root {
                last = parent
                end(last)
            }
            next = tree.nextSibling(of: last)
        }
        while boxes.count > 1 { end(boxes[boxes.count - 1].node) }
        endLine()
        return boxes[0].height + boxes[0].space
    }

    /// Begins a node. Returns whether its content counts.
    private mutating func begin(_ node: HTMLTree.NodeID) -> Bool {
        let current = boxes.count - 1
        guard let name = tree.name(of: node) else {
            if tree.kind(of: node) == .text {
                boxes[current].text += tree.withUTF8(of: node) { Self.letters($0) } * boxes[current].em * 0.6
            }
            return true
        }
        guard !Self.unseen.contains(name) else { return false }
        let style = OwnStyle(tree.attribute(.style, of: node))
        guard !style.isHidden else { return false }
        switch name {
        case .br:
            boxes[current].tallest = max(boxes[current].tallest, boxes[current].em * Self.line)
            endLine()
        case .img: addPicture(node, style)
        default:
            guard Self.blocks.contains(name) else { return true }
            endLine()
            boxes.append(box(of: node, name, style))
        }
        return true
    }

    private func box(of node: HTMLTree.NodeID, _ name: HTMLName, _ style: OwnStyle) -> Box {
        let around = boxes[boxes.count - 1]
        var width = around.width
        if around.cells > 0 { width /= Double(around.cells) }
        let own =
            style.length("width", of: width) ?? OwnStyle.length(tree.attribute(.width, of: node), of: around.width)
        if let own, around.cells == 0 || own < around.width { width = min(around.width, own) }
        if let most = style.length("max-width", of: width) { width = min(width, most) }
        let em = style.length("font-size", of: around.em) ?? around.em * (Self.sizes[name] ?? 1)
        var box = Box(node: node, width: width, em: em)
        if name == .tr { box.cells = tree.children(of: node).reduce(0) { $0 + (tree.name(of: $1) == nil ? 0 : 1) } }
        let padding = style.sides("padding", of: around.width) ?? (0, 0)
        let margin = style.sides("margin", of: around.width)
        box.width = max(2 * em, width - padding.width - (Self.indented.contains(name) ? 40 : 0))
        box.space = padding.height + (margin?.height ?? (Self.spaced.contains(name) ? 16 : 0))
        box.minHeight =
            style.length("height", of: 0) ?? OwnStyle.length(tree.attribute(.height, of: node), of: 0) ?? 0
        if name == .hr { box.minHeight = 2 }
        return box
    }

    private mutating func addPicture(_ node: HTMLTree.NodeID, _ style: OwnStyle) {
        let current = boxes.count - 1
        let room = boxes[current].width
        let named = style.length("width", of: room) ?? OwnStyle.length(tree.attribute(.width, of: node), of: room)
        let height = style.length("height", of: 0) ?? OwnStyle.length(tree.attribute(.height, of: node), of: 0)
        let width = min(room, named ?? height.map { $0 * 16 / 9 } ?? 560)
        // A picture that is made narrower keeps its shape.
        let shown = height.map { $0 * (named.map { $0 > width ? width / $0 : 1 } ?? 1) } ?? width * 9 / 16
        boxes[current].pictures += width * shown
        boxes[current].tallest = max(boxes[current].tallest, shown)
    }

    /// Ends a node, and adds its height to that of the box around it.
    private mutating func end(_ node: HTMLTree.NodeID) {
        guard boxes.count > 1, boxes[boxes.count - 1].node == node else { return }
        endLine()
        let box = boxes.removeLast()
        let height = max(box.height, box.minHeight) + box.space
        let around = boxes.count - 1
        let before = boxes[around].height
        boxes[around].height = boxes[around].cells > 0 ? max(before, height) : before + height
        openHeight += boxes[around].height - before - box.height
    }

    private mutating func endLine() {
        let current = boxes.count - 1
        var box = boxes[current]
        let lines = (box.text / max(1, box.width)).rounded(.up) * box.em * Self.line
        let added = max(box.tallest, box.pictures / max(1, box.width) + lines)
        box.height += added
        openHeight += added
        (box.text, box.pictures, box.tallest) = (0, 0, 0)
        boxes[current] = box
    }

    /// The height of a line as a share of that of its letters.
    private static let line = 1.5
    private static let blocks: Set<HTMLName> = [
        .p, .div, .table, .tr, .td, .th, .caption, .ul, .ol, .li, .dl, .dt, .dd, .h1, .h2, .h3, .h4, .h5, .h6, .hr,
        .blockquote, .pre, .center, .section, .article, .header, .footer, .main, .address, .figure,
    ]
    private static let spaced: Set<HTMLName> = [
        .p, .ul, .ol, .dl, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .blockquote, .pre, .figure,
    ]
    private static let indented: Set<HTMLName> = [.ul, .ol, .dd, .figure]
    private static let sizes: [HTMLName: Double] = [.h1: 2, .h2: 1.5, .h3: 1.17]
    private static let unseen: Set<HTMLName> = [.head, .style, .script, .title, .template]

    /// The number of letters, without white space. An ideograph counts as two.
    private static func letters(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        var count = 0
        for byte in text where byte > 0x20 && byte & 0xC0 != 0x80 { count += (0xE3...0xED).contains(byte) ? 2 : 1 }
        return Double(count)
    }
}
