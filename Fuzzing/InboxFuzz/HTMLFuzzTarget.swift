import HTMLCleaning
import HTMLInputs
import HTMLParsing

/// Checks the rules of cleaned HTML (`Invariants`), that nothing else that is made of it traps, and that the time is
/// linear. The input's length selects the cleaner's options.
struct HTMLFuzzTarget: FuzzTarget {
    func process(_ bytes: [UInt8]) {
        let cleaner = Invariants.cleaners[bytes.count % Invariants.cleaners.count]
        if let problem = Invariants.problem(bytes, [cleaner]) { fatalError(problem) }
        let message = cleaner.clean(bytes)
        _ = HTMLActions(message)
        _ = message.lowestContrast(text: .black, background: .white)
        for line in HTMLText(message, width: 40).lines {
            let hasControl = line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{7F}" }
            check(!hasControl, "a control in the text: \(line)")
        }
        parse(bytes)
        // A measurement may be disturbed, but not each of ten.
        let limit = 0.01 + Double(bytes.count) * 20e-6
        let isSlow = (0..<10).allSatisfy { _ in ProcessorTime.measure { _ = cleaner.clean(bytes) } > limit }
        check(!isSlow, "cleaning \(bytes.count) bytes takes more than \(limit) s")
    }

    private static let contexts: [HTMLFragmentContext] = [
        "div", "td", "tr", "table", "select", "template", "title", "script", "html", "colgroup", "frameset",
    ].map { HTMLFragmentContext($0, in: .html) } + [
        HTMLFragmentContext("svg", in: .svg), HTMLFragmentContext("foreignObject", in: .svg),
        HTMLFragmentContext("math", in: .mathML), HTMLFragmentContext("annotation-xml", in: .mathML),
    ]

    /// Parses the input in a context: the tree is whole, and what is serialized is parsed.
    private func parse(_ bytes: [UInt8]) {
        let context = Self.contexts[Int(bytes.first ?? 0) % Self.contexts.count]
        let limits = HTMLLimits(depth: 64, nodes: 5_000)
        let tree = HTMLParser.parseFragment(bytes, context: context, limits: limits)
        for node in tree.descendants(of: tree.root) {
            guard let parent = tree.parent(of: node) else { fatalError("a descendant without a parent") }
            let previous = tree.previousSibling(of: node)
            let isInPlace = previous.map { tree.nextSibling(of: $0) == node } ?? (tree.firstChild(of: parent) == node)
            check(isInPlace, "siblings")
            check(tree.kind(of: node) != .text || !tree.text(of: node).isEmpty, "an empty text")
        }
        _ = HTMLParser.parseFragment(tree.serialized(), context: context, limits: limits)
    }
}
