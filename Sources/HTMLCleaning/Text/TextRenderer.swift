/// Renders the cleaner's tree as text, in one walk.
struct TextRenderer {
    let tree: CleanTree
    var writer: TextWriter
    private(set) var links: [String] = []

    private var numbers: [String: Int] = [:]
    /// The numbers of the lists that are open, or nil for one without numbers.
    private var lists: [Int?] = []
    private var preformatted = 0
    /// The table whose cells are columns, while it is open.
    private var grid: TextGrid?
    private let simpleTables: Set<Int32>

    init(_ tree: CleanTree, width: Int) {
        self.tree = tree
        writer = TextWriter(width: width)
        simpleTables = Self.simpleTables(tree)
    }

    mutating func run() {
        var current = tree.nodes[0].first
        while current >= 0 {
            let node = tree.nodes[Int(current)]
            let isEntered = begin(current, node)
            if isEntered, node.first >= 0 {
                current = node.first
                continue
            }
            if isEntered { end(node) }
            while tree.nodes[Int(current)].next < 0 {
                current = tree.nodes[Int(current)].parent
                if current <= 0 {
                    writer.endLine()
                    return
                }
                end(tree.nodes[Int(current)])
            }
            current = tree.nodes[Int(current)].next
        }
        writer.endLine()
    }

    /// Writes the text before a node's children. Returns false if the node is left out.
    private mutating func begin(_ index: Int32, _ node: CleanTree.Node) -> Bool {
        guard let element = node.element else {
            write(String(decoding: tree.bytes[node.text], as: UTF8.self))
            return true
        }
        if isHidden(node) { return false }
        if grid != nil {
            beginInGrid(element, node)
            return true
        }
        switch element {
        case .h1, .h2, .h3, .h4, .h5, .h6:
            writer.endParagraph()
            let level = element.rawValue.utf8.last.map { Int($0) - 0x30 } ?? 1
            let marks = String(repeating: "#", count: level) + " "
            writer.push(.init(first: marks, rest: String(repeating: " ", count: level + 1)))
        case .p, .dl, .figure: writer.endParagraph()
        case .ul, .ol:
            if lists.isEmpty { writer.endParagraph() } else { writer.endLine() }
            lists.append(element == .ol ? start(of: node) : nil)
        case .li: beginItem(node)
        case .dd: writer.push(.init(first: "  ", rest: "  "))
        case .blockquote:
            writer.endParagraph()
            writer.push(.init(first: "> ", rest: "> "))
        case .pre:
            writer.endParagraph()
            preformatted += 1
        case .table:
            if simpleTables.contains(index) {
                writer.endParagraph()
                grid = TextGrid()
            } else {
                writer.endLine()
            }
        case .br: writer.breakLine()
        case .hr:
            writer.endParagraph()
            writer.word(String(repeating: "-", count: min(writer.available, 40)))
            writer.endParagraph()
        case .img: writeImage(node)
        case .q: write("\u{201C}")
        default: if element.isBlock { writer.endLine() }
        }
        return true
    }

    /// Writes the text after a node's children.
    private mutating func end(_ node: CleanTree.Node) {
        guard let element = node.element, !element.isVoid else { return }
        if element == .a { writeNumber(node) }
        if grid != nil {
            if element == .table { endGrid() }
            return
        }
        switch element {
        case .h1, .h2, .h3, .h4, .h5, .h6, .blockquote:
            writer.pop()
            writer.endParagraph()
        case .p, .dl, .figure: writer.endParagraph()
        case .pre:
            preformatted -= 1
            writer.endParagraph()
        case .ul, .ol:
            _ = lists.popLast()
            if lists.isEmpty { writer.endParagraph() } else { writer.endLine() }
        case .li, .dd: writer.pop()
        case .q: write("\u{201D}")
        default: if element.isBlock { writer.endLine() }
        }
    }

    private mutating func beginItem(_ node: CleanTree.Node) {
        var mark = "- "
        if let number = lists.last ?? nil {
            let own = node.attributes.first { $0.name == .value }.flatMap { Int($0.value) } ?? number
            mark = "\(own). "
            lists[lists.count - 1] = own + 1
        }
        writer.push(.init(first: mark, rest: String(repeating: " ", count: mark.count)))
    }

    private func start(of list: CleanTree.Node) -> Int {
        list.attributes.first { $0.name == .start }.flatMap { Int($0.value) } ?? 1
    }

    /// Writes a text: its words, or its characters in preformatted text.
    private mutating func write(_ text: String) {
        if preformatted > 0, grid == nil {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { writer.breakLine() }
                writer.wrapAnywhere(TextWidth.shown(line.replacing("\t", with: "    ")))
            }
            return
        }
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                flush(&word)
                if grid == nil { writer.space() } else { grid?.space() }
            } else if !TextWidth.isLeftOut(scalar) {
                word.append(scalar)
            }
        }
        flush(&word)
    }

    private mutating func flush(_ word: inout String.UnicodeScalarView) {
        guard !word.isEmpty else { return }
        if grid == nil { writer.word(String(word)) } else { grid?.append(String(word)) }
        word.removeAll()
    }

    private mutating func writeImage(_ node: CleanTree.Node) {
        guard let text = node.attributes.first(where: { $0.name == .alt })?.value else { return }
        if !text.utf8.allSatisfy(CleanText.isSpace) { write("[" + CleanText.collapsed(text.utf8) + "]") }
    }

    /// Writes the number of a link after its text.
    private mutating func writeNumber(_ node: CleanTree.Node) {
        guard let url = node.attributes.first(where: { $0.name == .href })?.value else { return }
        let number = numbers[url] ?? links.count + 1
        if numbers[url] == nil {
            numbers[url] = number
            links.append(url)
        }
        write(" [\(number)]")
    }

    private func isHidden(_ node: CleanTree.Node) -> Bool {
        node.attributes.contains { attribute in
            switch attribute.name {
            case .hidden: true
            case .style:
                attribute.value.split(separator: "; ").contains { $0 == "display: none" || $0 == "visibility: hidden" }
            default: false
            }
        }
    }
}

extension TextRenderer {
    private mutating func beginInGrid(_ element: CleanElement, _ node: CleanTree.Node) {
        switch element {
        case .tr: grid?.beginRow()
        case .td, .th: grid?.beginCell()
        case .caption: grid?.beginRow()
        case .br: grid?.space()
        case .img: writeImage(node)
        default: break
        }
    }

    private mutating func endGrid() {
        guard let grid else { return }
        self.grid = nil
        grid.write(to: &writer)
        writer.endParagraph()
    }

    /// The tables whose cells have no blocks in them, and of whose rows one has two cells at least.
    private static func simpleTables(_ tree: CleanTree) -> Set<Int32> {
        var simple: Set<Int32> = []
        var open: [Int32] = []
        var complex: Set<Int32> = []
        var cells: [Int] = []
        tree.walk { index in
            guard let element = tree.nodes[Int(index)].element else { return }
            switch element {
            case .table:
                if let outer = open.last { complex.insert(outer) }
                open.append(index)
                cells.append(0)
            case .tr: if !cells.isEmpty { cells[cells.count - 1] = 0 }
            case .td, .th:
                guard let table = open.last else { return }
                cells[cells.count - 1] += 1
                if cells[cells.count - 1] == 2 { simple.insert(table) }
            case .caption, .tbody, .thead, .tfoot, .colgroup: break
            default: if element.isBlock, let table = open.last { complex.insert(table) }
            }
        } end: { index in
            guard tree.nodes[Int(index)].element == .table else { return }
            open.removeLast()
            cells.removeLast()
        }
        return simple.subtracting(complex)
    }
}
