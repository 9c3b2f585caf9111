import HTMLCleaning
import HTMLInputs
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(60)))
struct InvariantTests {
    @Test(.enabled(if: !Inputs.corpus.isEmpty)) func `the inputs of html5lib-tests keep every invariant`() {
        let problems = Inputs.corpus.compactMap(Invariants.problem)
        print(
            "HTMLCleaning: \(Inputs.corpus.count - problems.count) of \(Inputs.corpus.count) inputs of html5lib-tests"
        )
        #expect(Inputs.corpus.count > 1_700)
        let shown = problems.prefix(8).joined(separator: "\n\n")
        #expect(shown.isEmpty, "\(problems.count) problems")
    }

    @Test func `hostile inputs keep every invariant`() {
        let problems = Attacks.all.map { Array($0.utf8) }.compactMap(Invariants.problem)
        let shown = problems.prefix(8).joined(separator: "\n\n")
        #expect(shown.isEmpty, "\(problems.count) problems")
    }

    @Test func `there are at least 400 hostile inputs`() {
        #expect(Set(Attacks.all).count >= 400)
        #expect(Set(Attacks.all).count == Attacks.all.count)
    }

    /// Ten parts, which run beside each other.
    @Test(arguments: 0..<10) func `mutated inputs keep every invariant`(part: Int) {
        var random = Seeded(21 + UInt64(part))
        let pool = Inputs.corpus + Attacks.all.map { Array($0.utf8) }
        let count = Inputs.isLong ? 10_000 : 30
        var problems: [String] = []
        for round in 0..<count where problems.count < 8 {
            var bytes = pool[Int.random(in: 0..<pool.count, using: &random)]
            for _ in 0...(round % 7) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                let other = pool[Int.random(in: 0..<pool.count, using: &random)]
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1 where at < bytes.count: bytes.removeSubrange(at..<min(bytes.count, at + 3))
                case 2: bytes.insert(contentsOf: other.prefix(40), at: at)
                case 3: bytes.insert(contentsOf: other, at: at)
                default: bytes.insert(contentsOf: other.suffix(40), at: at)
                }
            }
            if let problem = Invariants.problem(bytes, [Invariants.cleaners[round % 2]]) { problems.append(problem) }
        }
        let shown = problems.joined(separator: "\n\n")
        #expect(shown.isEmpty)
    }

    @Test func `random tags keep every invariant`() {
        let names = """
            a a b p p div table tr td th tbody thead caption col colgroup select option button form template svg math \
            mi title style textarea noscript li ul ol dl dd dt h1 h2 nobr object ruby rt rp hr br img font pre listing \
            center o:p details summary span plaintext xmp body html head dialog fieldset legend marquee address
            """.split(separator: " ")
        let attributes = [
            "", "", "", " href=https://a.b/c", " data-link=app://x", " data-actiontype=close",
            " data-actiontype=browser",
            " style='color:red;background:url(//p/q)'", " src=//p/q.png alt=x", " hidden", " width=1",
            " bgcolor=red open",
            " background=http://x/y", " align=center lang=en", " class=x", " class='x y'", " id=z",
        ]
        let selectors = ["*", "p", ".x", "#z", "div .x", "p>b", "td", "a:link", ".x.y", "i b,.y", "body", "h1>*"]
        let declarations = [
            "color:red", "display:none", "background:#fff url(//a/b)", "background-image:url('cid:c')", "width:1px",
            "margin:0!important", "font:bold 12px/1 'A B',c", "position:fixed", "color:lime!important",
        ]
        var random = Seeded(7)
        var problems: [String] = []
        for _ in 0..<(Inputs.isLong ? 25_000 : 200) where problems.count < 8 {
            var text = ""
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let selector = selectors[Int.random(in: 0..<selectors.count, using: &random)]
                let first = declarations[Int.random(in: 0..<declarations.count, using: &random)]
                let second = declarations[Int.random(in: 0..<declarations.count, using: &random)]
                text += "<style>\(selector){\(first);\(second)}</style>"
            }
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let name = names[Int.random(in: 0..<names.count, using: &random)]
                switch Int.random(in: 0..<10, using: &random) {
                case 0...5: text += "<\(name)\(attributes[Int.random(in: 0..<attributes.count, using: &random)])>"
                case 6, 7: text += "</\(name)>"
                default:
                    text += ["\n", " ", "x", "&nbsp;", "<!--c-->", "&#13;\n", "\u{FEFF}"].randomElement(using: &random)!
                }
            }
            if let problem = Invariants.problem(Array(text.utf8)) { problems.append(problem) }
        }
        let shown = problems.joined(separator: "\n\n")
        #expect(shown.isEmpty)
    }
}
