import HTMLParsing

/// Builds the cleaner's tree in one walk over the message's.
///
/// The open elements are those that a parser has open when it reads the output. An element that it wouldn't leave where
/// the message has it is renamed, or its children stand in its place. So the output reads back as it was written.
struct CleanBuilder {
    let source: HTMLTree
    /// The nodes of the message that are left out.
    let leftOut: Set<HTMLTree.NodeID>
    let options: HTMLCleaner.Options
    let decidePicture: (HTMLPicture) -> HTMLPicture.Decision
    let maximumDepth: Int

    var tree = CleanTree()
    var open: [OpenElement] = [OpenElement(node: 0, element: nil)]
    /// The stack of open elements.
    var frames: [Frame] = []

    var links: [HTMLLink] = []
    /// The anchors of links, or -1.
    var linkNodes: [Int32] = []
    var pictures: [HTMLPicture] = []
    /// The origins of the pictures that are written.
    var pictureOrigins = OriginList()
    var trackingPixelCount = 0
    var rejectedAddressCount = 0
    var importedStyleSheetCount = 0
    var closeButtonCount = 0
    var setsColors = false
    var backgroundColor: HTMLColor?
    var supportsDark = false
    /// The limits that reading and cleaning the message reached.
    var reachedLimits: HTMLLimits.ReachedLimits
    /// The message's style sheets, or nil if none has a rule that applies.
    var sheets: StyleSheets?
    /// The rest of the limits of applying them.
    var styleSteps = 0
    var styleBytes = 0
    var stylePictureBytes = StyleLimits.pictureBytes
    /// The values of declarations whose pictures were decided about, by their numbers.
    var styleValues: [Int: String] = [:]
    /// The message's elements that the walk entered, if there are style sheets.
    private(set) var ancestors: [StyledElement] = []
    /// The language and the direction of the document.
    var documentAttributes: [CleanAttribute] = []
    private var scratch: [UInt8] = []

    /// An element of the output that is open.
    struct OpenElement {
        var node: Int32
        /// Nil for the root.
        var element: CleanElement?
        /// The place of the paragraph that a block would end, or -1.
        var paragraph = -1
        var isInAnchor = false
        var isHidden = false
        /// Whether the message doesn't have the element, but a part of a table needs it.
        var isImplied = false
    }

    /// Origins in the order in which they were added, each once.
    struct OriginList {
        private(set) var all: [String] = []
        private var known: Set<String> = []

        mutating func insert(_ origin: String) {
            if known.insert(origin).inserted { all.append(origin) }
        }
    }

    struct Frame {
        /// The number of open elements to return to.
        var base: Int
        /// The link whose text ends here, or -1.
        var link = -1
        var textStart = 0
    }

    init(
        _ source: HTMLTree,
        leavingOut leftOut: Set<HTMLTree.NodeID>,
        options: HTMLCleaner.Options,
        decidePicture: @escaping (HTMLPicture) -> HTMLPicture.Decision
    ) {
        self.source = source
        self.leftOut = leftOut
        self.options = options
        self.decidePicture = decidePicture
        maximumDepth = max(6, min(200, options.limits.depth - 8))
        reachedLimits = source.reachedLimits
    }

    /// Reads the message.
    mutating func run() {
        readHead()
        var current = source.firstChild(of: source.root)
        while let node = current {
            let isEntered = enter(node)
            if isEntered, let child = source.firstChild(of: node) {
                current = child
                continue
            }
            if isEntered { leave() }
            current = following(node)
        }
        while !frames.isEmpty { leave() }
    }

    /// The node after one that was left. Leaves the elements that end before it.
    private mutating func following(_ node: HTMLTree.NodeID) -> HTMLTree.NodeID? {
        var node = node
        while true {
            if let next = source.nextSibling(of: node) { return next }
            guard let parent = source.parent(of: node), parent != source.root else { return nil }
            leave()
            node = parent
        }
    }

    /// Writes the output before a node's children. Returns whether the children are visited; only then the node's end
    /// is written too.
    private mutating func enter(_ node: HTMLTree.NodeID) -> Bool {
        if !leftOut.isEmpty, leftOut.contains(node) { return false }
        switch source.kind(of: node) {
        case .text:
            let parent = source.parent(of: node)
            if let parent, source.isElement(parent, .html) { return false }
            source.withUTF8(of: node) { append(text: $0) }
            return false
        case .element:
            guard source.namespace(of: node) == .html, let name = source.name(of: node) else { return false }
            let rule = ElementRule.rule(for: name)
            if case .drop = rule, name != .body { return false }
            let attributes = source.attributes(of: node)
            guard let sheets else { return enter(name, rule, attributes, .none) }
            let element = StyledElement(name, attributes, names: sheets.names)
            guard enter(name, rule, attributes, styles(for: element)) else { return false }
            ancestors.append(element)
            return true
        default: return false
        }
    }

    private mutating func enter(
        _ name: HTMLName,
        _ rule: ElementRule,
        _ attributes: [HTMLAttribute],
        _ styles: ParsedStyles
    ) -> Bool {
        if name == .body {
            enterBody(attributes, styles)
            return true
        }
        if name == .html { documentAttributes = languageAttributes(attributes) }
        switch rule {
        case .drop: return false
        case .unwrap:
            if options.readsActions,
                attributes.contains(where: { $0.name == .dataLink || $0.name == .dataActiontype })
            {
                return enter(.span, attributes, styles)
            }
            frames.append(Frame(base: open.count))
            return true
        case .preformatted: return enter(.pre, [], styles)
        case .keep(let element):
            if name == .dialog, !attributes.contains(where: { $0.name == .open }) { return false }
            return enter(element, attributes, styles)
        }
    }

    /// Ends an element that was entered.
    private mutating func leave() {
        guard let frame = frames.popLast() else { return }
        if sheets != nil { ancestors.removeLast() }
        if open.count > frame.base { open.removeSubrange(frame.base...) }
        if frame.link >= 0 { links[frame.link].text = CleanText.label(tree.bytes[frame.textStart...]) }
    }

    /// Writes a text where the walk is.
    mutating func append(text: UnsafeBufferPointer<UInt8>) {
        scratch.removeAll(keepingCapacity: true)
        CleanText.append(text, to: &scratch)
        var text = scratch[...]
        if isInTableStructure {
            if text.allSatisfy(CleanText.isSpace) { return }
            beginFlow()
        }
        guard let parent = open.last else { return }
        if tree.nodes[Int(parent.node)].first < 0 {
            // A parser drops these.
            if parent.element == nil { text = text.drop(while: CleanText.isSpace) }
            if parent.element == .pre { text = text.drop { $0 == 0x0A } }
        }
        tree.append(text: text, to: parent.node)
    }
}
