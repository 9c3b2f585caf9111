import HTMLParsing

/// The rules of a message's style sheets, as far as they can be written into the elements that they apply to.
///
/// A rule keeps the selectors that ``StyleSelector`` reads, and the declarations that the cleaner allows. A rule in
/// `@media` is kept if the query applies (``MediaQuery``). Other at-rules are left out.
struct StyleSheets: Sendable {
    /// A declaration of a rule.
    struct Declaration: Sendable {
        var name: String
        var value: String
        /// The number of a declaration with a picture, or -1. Its value is read again once the picture was decided
        /// about.
        var picture = -1
        var tokens: [CSSToken] = []
    }

    /// The declarations of a rule. Each property is there once.
    struct Block: Sendable {
        var normal: [Declaration] = []
        var important: [Declaration] = []
    }

    private struct Rule: Sendable {
        let selector: StyleSelector
        /// The place in ``blocks``.
        let block: Int
    }

    private(set) var names: StyleNames
    private(set) var blocks: [Block] = []
    private var pictureCount = 0
    /// The number of `@import` rules.
    private(set) var importCount = 0
    /// The rules, in the order in which later ones win (CSS Cascading 4, section 6.1).
    private var rules: [Rule] = []
    /// The rules by the id, class or element that their last compound selector needs.
    private var byID: [Int32: [Int]] = [:]
    private var byClass: [Int32: [Int]] = [:]
    private var byName: [HTMLName: [Int]] = [:]
    private var others: [Int] = []

    private let medium: HTMLMedium

    init(for medium: HTMLMedium, ignoresCase: Bool) {
        self.medium = medium
        names = StyleNames(ignoresCase: ignoresCase)
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Adds the rules of a style sheet.
    ///
    /// - Parameters:
    ///   - text: The style sheet.
    ///   - media: The media queries that it is for.
    mutating func add(_ text: String, media: String?) {
        var tokenizer = CSSTokenizer(media ?? "")
        var query: [CSSToken] = []
        while let token = tokenizer.next() { query.append(token) }
        guard MediaQuery.applies(query[...], to: medium) else { return }
        var reader = StyleSheetReader(text, medium: medium)
        while let (selectors, declarations) = reader.next() { add(selectors, declarations) }
        importCount += reader.importCount
    }

    /// Adds a color of links that every other rule wins over, as the attribute `link` of a body sets it (HTML, section
    /// 15.3.1).
    mutating func add(linkColor color: String) {
        rules.append(Rule(selector: .links, block: blocks.count))
        blocks.append(Block(normal: [Declaration(name: "color", value: color)]))
    }

    private mutating func add(_ selectors: [CSSToken], _ declarations: [CSSToken]) {
        var block = Block()
        var rest = declarations[...]
        StyleAttribute.read({ rest.popFirst() }) { tokens in
            var hasPicture = false
            let read = StyleAttribute.declaration(tokens) { url in
                hasPicture = true
                return url
            }
            guard let (declaration, isImportant) = read else { return }
            var kept = Declaration(name: declaration.name, value: declaration.value)
            if hasPicture {
                kept.picture = pictureCount
                kept.tokens = Array(tokens)
                pictureCount += 1
            }
            if isImportant { block.important.append(kept) } else { block.normal.append(kept) }
        }
        block.normal = Self.lastOfEach(block.normal)
        block.important = Self.lastOfEach(block.important)
        guard !block.normal.isEmpty || !block.important.isEmpty else { return }
        let comma = CSSToken.delimiter(UInt8(ascii: ","))
        for selector in selectors.split(separator: comma, omittingEmptySubsequences: false) {
            guard let selector = StyleSelector(selector, names: &names) else { continue }
            rules.append(Rule(selector: selector, block: blocks.count))
        }
        blocks.append(block)
    }

    private static func lastOfEach(_ declarations: [Declaration]) -> [Declaration] {
        var seen: Set<String> = []
        return Array(declarations.reversed().filter { seen.insert($0.name).inserted }.reversed())
    }

    /// Sorts the rules once all style sheets were added.
    mutating func finish() {
        let order = rules.indices.sorted { left, right in
            (rules[left].selector.specificity, left) < (rules[right].selector.specificity, right)
        }
        rules = order.map { rules[$0] }
        for (index, rule) in rules.enumerated() {
            let last = rule.selector.compounds[0]
            if last.id >= 0 {
                byID[last.id, default: []].append(index)
            } else if let first = last.classes.first {
                byClass[first, default: []].append(index)
            } else if let name = last.name {
                byName[name, default: []].append(index)
            } else {
                others.append(index)
            }
        }
    }

    /// The places in ``blocks`` of the declarations for an element, in the order in which later ones win.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - ancestors: Its ancestors, from the root to its parent.
    ///   - steps: The comparisons that are left. If there are none, no more rules apply.
    func blocks(for element: StyledElement, in ancestors: [StyledElement], steps: inout Int) -> [Int] {
        var found: [Int] = []
        func search(_ candidates: [Int]?) {
            for index in candidates ?? [] {
                if steps <= 0 { return }
                if rules[index].selector.matches(element, in: ancestors, steps: &steps) { found.append(index) }
            }
        }
        search(others)
        search(byName[element.name])
        for number in element.classes { search(byClass[number]) }
        if element.id >= 0 { search(byID[element.id]) }
        return found.sorted().map { rules[$0].block }
    }
}
