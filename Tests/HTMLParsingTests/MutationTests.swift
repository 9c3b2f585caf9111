import HTMLInputs
import HTMLParsing
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MutationTests {
    /// Checks what holds for every tree: its links, its depth, and that its markup can be read.
    private func check(_ bytes: [UInt8], _ context: HTMLFragmentContext?, _ limits: HTMLLimits) {
        let tree =
            context.map { HTMLParser.parseFragment(bytes, context: $0, limits: limits) }
            ?? HTMLParser.parse(bytes, limits: limits)
        let problem = tree.brokenLink ?? (tree.depth > max(16, limits.depth) ? "depth \(tree.depth)" : nil)
        if let problem { Issue.record("\(problem): \(bytes)") }
        let markup = tree.markup(childrenOf: tree.root)
        let again = HTMLParser.parse(markup, limits: limits)
        if let problem = again.brokenLink { Issue.record("\(problem) of markup: \(bytes)") }
    }

    @Test func `random bytes are read`() {
        var random = Seeded(1)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            check(bytes, nil, .standard)
        }
    }

    @Test func `random tags are read`() {
        let names = """
            a b p div table tr td tbody caption col colgroup select option optgroup button form template svg math mi \
            foreignObject annotation-xml title style script textarea frameset frame body html head li dd h1 nobr object \
            ruby rt hr br input image selectedcontent plaintext noscript font
            """.split(separator: " ")
        let contexts: [HTMLFragmentContext?] = [
            nil, nil, .body, HTMLFragmentContext("table"), HTMLFragmentContext("tr"), HTMLFragmentContext("template"),
            HTMLFragmentContext("svg", in: .svg), HTMLFragmentContext("mi", in: .mathML), HTMLFragmentContext("select"),
            HTMLFragmentContext("html"), HTMLFragmentContext("frameset"), HTMLFragmentContext("colgroup"),
            HTMLFragmentContext("annotation-xml", in: .mathML), HTMLFragmentContext("script"),
            HTMLFragmentContext("unknown"),
        ]
        var random = Seeded(2)
        for round in 0..<6_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let name = names[Int.random(in: 0..<names.count, using: &random)]
                switch Int.random(in: 0..<10, using: &random) {
                case 0...5: text += "<\(name)>"
                case 6: text += "<\(name) a=\(round % 3) selected/>"
                case 7, 8: text += "</\(name)>"
                default:
                    text += [" ", "x", "\0", "&nbsp;", "<!--c-->", "\n", "<!doctype html>"].randomElement(
                        using: &random
                    )!
                }
            }
            check(
                Array(text.utf8),
                contexts[round % contexts.count],
                HTMLLimits(depth: round % 2 == 0 ? 16 : 512, nodes: 5_000)
            )
        }
    }

    @Test(.enabled(if: HTMLCorpus.isPresent)) func `mutated cases of html5lib-tests are read`() throws {
        let cases = try TreeCase.all()
        var random = Seeded(3)
        for round in 0..<3 {
            for (index, first) in cases.enumerated() {
                var bytes = first.input
                for _ in 0...round {
                    let at = Int.random(in: 0...bytes.count, using: &random)
                    let other = cases[Int.random(in: 0..<cases.count, using: &random)].input
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
                    case 1 where at < bytes.count: bytes.removeSubrange(at..<min(bytes.count, at + 3))
                    case 2: bytes.insert(contentsOf: other.prefix(20), at: at)
                    default: bytes.insert(contentsOf: other.suffix(20), at: at)
                    }
                }
                check(bytes, first.context, HTMLLimits(depth: index % 3 == 0 ? 16 : 512))
            }
        }
    }
}
