/// Tree construction (HTML, section 13.2.6). Scripting is disabled.
///
/// Nothing in it recurses: the stack of open elements and the nodes are arrays. The stack is at most a few entries
/// higher than the limit of the depth, so that a token costs no more than a walk over that many.
struct TreeBuilder {
    var tokenizer: Tokenizer
    let limits: HTMLLimits
    /// The height of the stack from which on only elements without element children are opened.
    let stackLimit: Int

    var nodes: [Node] = []
    var attributes: [Attribute] = []
    var doctypes: [DoctypeToken] = []

    var mode = InsertionMode.initial
    /// The mode to return to after a text and after the text of a table.
    var originalMode = InsertionMode.initial
    var templateModes: [InsertionMode] = []
    var quirks = HTMLTree.QuirksMode.noQuirks

    var open: [OpenElement] = []
    /// The number of open elements by the raw value of their tags. A scope without the element isn't searched.
    var openCounts = [Int32](repeating: 0, count: 256)
    var formatting: [FormattingEntry] = []

    /// The head element pointer and the form element pointer.
    var head: Int32 = -1
    var form: Int32 = -1
    /// The context of a fragment, which isn't in the tree, or -1.
    var context: Int32 = -1
    var isFramesetAllowed = true
    var isFosterParenting = false
    var ignoresLineFeed = false
    var tableText: [Range<Int>] = []
    var selects: [SelectState] = []

    var reachedLimits: HTMLLimits.ReachedLimits = []
    /// Whether the rest of the input is dropped.
    var isStopped = false
    var maximumOpen = 0
    /// The number of times that an element may have become deeper than its place in the stack.
    var deepened = 0

    init(_ tokenizer: Tokenizer, limits: HTMLLimits) {
        self.tokenizer = tokenizer
        self.limits = limits
        stackLimit = limits.depth - 1
        nodes.reserveCapacity(min(limits.nodes, tokenizer.end / 20 + 64))
        _ = newNode(Node(kind: .document))
    }

    /// Reads all tokens.
    mutating func run() {
        while true {
            tokenizer.allowsCDATA = adjustedTag.isForeign
            let kind = tokenizer.next()
            process(kind)
            if kind == .endOfFile { break }
            if isStopped {
                reachedLimits.insert(.nodes)
                process(.endOfFile)
                break
            }
        }
        while !open.isEmpty { pop() }
        if tokenizer.hasCutAttributes { reachedLimits.insert(.attributes) }
        if maximumOpen + deepened > limits.depth { limitDepth() }
    }

    /// The current node's tag. A stack without elements has `other`.
    var currentTag: Tag { open.last?.tag ?? .other }

    /// The tag of the adjusted current node: of the context, if the stack holds only the root of a fragment.
    var adjustedTag: Tag {
        context >= 0 && open.count == 1 ? nodes[Int(context)].tag : currentTag
    }

    var tokenTag: Tag { tokenizer.tag.tag }

    private mutating func process(_ kind: TokenKind) {
        if kind == .characters, ignoresLineFeed {
            ignoresLineFeed = false
            if dropLineFeed() { return }
        } else {
            ignoresLineFeed = false
        }
        let isHTML = usesHTMLRules(kind)
        if kind == .startTag, open.count >= stackLimit, isTooDeep(isHTML: isHTML) {
            reachedLimits.insert(.depth)
            return
        }
        if !isHTML, inForeignContent(kind) == .done { return }
        while dispatch(kind) == .again {}
    }

    /// Whether the start tag would open an element below the limit.
    private func isTooDeep(isHTML: Bool) -> Bool {
        isHTML ? !tokenTag.isLeaf : !tokenizer.tag.isSelfClosing
    }

    /// Removes a line feed from the start of the token. Returns whether nothing is left.
    private mutating func dropLineFeed() -> Bool {
        let text = tokenizer.text
        guard tokenizer.withBytes(text, { $0.first == 0x0A }) else { return false }
        tokenizer.text = text.dropFirst()
        return tokenizer.text.isEmpty
    }

    /// Whether the token is processed by the insertion mode, and not as foreign content (section 13.2.6).
    private func usesHTMLRules(_ kind: TokenKind) -> Bool {
        let tag = adjustedTag
        guard tag.isForeign else { return true }
        switch kind {
        case .startTag:
            if tag.isMathTextIntegrationPoint { return tokenTag != .mglyph && tokenTag != .malignmark }
            if tag == .mathAnnotationXML { return tokenTag == .svg }
            return tag.isHTMLIntegrationPoint
        case .characters, .null:
            return tag.isMathTextIntegrationPoint || tag.isHTMLIntegrationPoint
        case .endOfFile:
            return true
        default:
            return false
        }
    }

    mutating func dispatch(_ kind: TokenKind) -> Step {
        switch mode {
        case .initial: initial(kind)
        case .beforeHTML: beforeHTML(kind)
        case .beforeHead: beforeHead(kind)
        case .inHead: inHead(kind)
        case .inHeadNoscript: inHeadNoscript(kind)
        case .afterHead: afterHead(kind)
        case .inBody: inBody(kind)
        case .text: inText(kind)
        case .inTable: inTable(kind)
        case .inTableText: inTableText(kind)
        case .inCaption: inCaption(kind)
        case .inColumnGroup: inColumnGroup(kind)
        case .inTableBody: inTableBody(kind)
        case .inRow: inRow(kind)
        case .inCell: inCell(kind)
        case .inTemplate: inTemplate(kind)
        case .afterBody: afterBody(kind)
        case .inFrameset: inFrameset(kind)
        case .afterFrameset: afterFrameset(kind)
        case .afterAfterBody: afterAfterBody(kind)
        case .afterAfterFrameset: afterAfterFrameset(kind)
        }
    }

    /// Sets the mode by the stack of open elements (section 13.2.4.1, "reset the insertion mode appropriately").
    mutating func resetMode() {
        for index in open.indices.reversed() {
            let isLast = index == 0
            let tag = isLast && context >= 0 ? nodes[Int(context)].tag : open[index].tag
            switch tag {
            case .td where !isLast, .th where !isLast: mode = .inCell
            case .tr: mode = .inRow
            case .tbody, .thead, .tfoot: mode = .inTableBody
            case .caption: mode = .inCaption
            case .colgroup: mode = .inColumnGroup
            case .table: mode = .inTable
            case .template: mode = templateModes.last ?? .inBody
            case .head where !isLast: mode = .inHead
            case .body: mode = .inBody
            case .frameset: mode = .inFrameset
            case .html: mode = head < 0 ? .beforeHead : .afterHead
            default:
                guard isLast else { continue }
                mode = .inBody
            }
            return
        }
    }
}
