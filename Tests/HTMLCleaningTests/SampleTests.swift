import HTMLCleaning
import HTMLInputs
import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SampleTests {
    @Test func `there are samples of all kinds of senders`() {
        for (kind, count) in [("bloomreach", 2), ("newsletter", 10), ("outlook", 2), ("apple", 1), ("gmail", 2)] {
            #expect(Sample.all.count { $0.name.hasPrefix(kind) } >= count, "\(kind)")
        }
    }

    @Test(arguments: Sample.all) func `a sample keeps every invariant`(sample: Sample) {
        #expect(Invariants.problem(Array(sample.html.utf8)) == nil)
    }

    @Test(arguments: Sample.all) func `a sample keeps its text`(sample: Sample) {
        let result = Sample.cleaner().clean(sample.html)
        #expect(Self.words(HTMLParser.parse(result.markup)) == Self.words(HTMLParser.parse(sample.html)))
        #expect(result.reachedLimits.isEmpty)
    }

    @Test(arguments: Sample.all) func `a sample keeps its links and pictures`(sample: Sample) {
        let source = HTMLParser.parse(sample.html)
        var links: Set<String> = []
        var pictures: Set<String> = []
        for node in source.descendants(of: source.root) where source.namespace(of: node) == .html {
            if source.isElement(node, .img), let url = source.attribute(.src, of: node) { pictures.insert(url) }
            if let url = source.attribute(.dataLink, of: node) {
                links.insert(Self.address(url))
            } else if source.isElement(node, .a), let url = source.attribute(.href, of: node) {
                links.insert(Self.address(url))
            }
        }
        let pixels = pictures.filter { $0.contains("://t.") }
        let result = Sample.cleaner().clean(sample.html)
        let written = result.links.filter { $0.isWritten && $0.source != .closeButton }
        #expect(Set(written.map { Self.address($0.url) }) == links)
        #expect(result.trackingPixelCount == pixels.count + (sample.name == "newsletter-dark" ? 1 : 0))
        for picture in pictures.subtracting(pixels) where !picture.contains("logo-dark") {
            #expect(result.markup.contains("src=\"\(picture)\""))
        }
        #expect(!result.markup.contains("://t."))
    }

    /// The colors that a reader would name, by the names of the samples.
    private static let colors: [String: [String]] = [
        "apple-mail": ["color: #1a56a0"],
        "bloomreach-offer": ["#f2efe9", "background-color: #d9480f", "2px dashed #d9480f", "color: #1c1b1a"],
        "bloomreach-survey": ["background: #0b3d2e", "color: #ffd166", "color: #9fc2b4"],
        "gmail-forward": ["background-color: #f0ead6", "color: #6a4c1f", "color: #b5651d"],
        "gmail-reply": ["color: #0b5394", "background-color: #fff2cc", "1px solid #cccccc", "color=\"#38761d\""],
        "newsletter-blocks": ["#8a1c3b", "color: #fff5e6", "color: #202020", "background-color: #fafafa"],
        "newsletter-columns": ["#17324d", "#f2a65a", "#c2571a"],
        "newsletter-dark": ["background: #f6f8fa", "background: #1a7f37", "1px solid #d0d7de"],
        "newsletter-digest": ["background: #fffdf8", "4px solid #e4dcc8", "2px solid #b42318"],
        "newsletter-event": ["background: #1d1135", "background: #2d1b4e", "color: #ffd60a", "background: #3c2666"],
        "newsletter-mobile": ["background: #2448c7", "background: #dbe4ff", "background: #eef4ff"],
        "newsletter-plain": ["color=\"red\"", "bgcolor=\"#ccccff\"", "background-color: white"],
        "newsletter-receipt": ["background-color: #005f73", "background-color: #e9f5f6", "1px solid #ffca3a"],
        "newsletter-rtl": ["6px solid #0f766e", "background: #0f766e", "color: #292524"],
        "newsletter-shop": ["#c9184a", "background-color: #fff1f3", "color: #999999", "color: #2b2d42"],
        "newsletter-travel": ["background-color: #939297", "color: #e50d70", "background: #ff3884", "#404040"],
        "outlook-reply": ["color: #0563c1", "background: yellow", "background: #d9e2f3", "color: #1f497d"],
        "outlook-web": ["color: #c82613", "color: #666666", "2px solid #99bbbb"],
    ]

    @Test(arguments: Sample.all) func `a sample keeps its colors`(sample: Sample) throws {
        let markup = Sample.cleaner().clean(sample.html).markup
        for color in try #require(Self.colors[sample.name]) {
            #expect(markup.contains(color) || markup.contains(color.replacing("#99bbbb", with: "#9bb")), "\(color)")
        }
    }

    @Test func `the width and the color scheme of the view decide`() {
        func markup(_ name: String, _ medium: HTMLMedium) -> String {
            Sample.all.first { $0.name == name }.map { Sample.cleaner(medium).clean($0.html).markup } ?? ""
        }
        let columns = "max-width: 50%"
        #expect(markup("newsletter-columns", HTMLMedium()).contains(columns))
        #expect(!markup("newsletter-columns", HTMLMedium(width: 390)).contains(columns))
        #expect(markup("newsletter-dark", HTMLMedium(isDark: true)).contains("background: #161b22"))
        #expect(markup("newsletter-dark", HTMLMedium(isDark: true)).contains("logo-dark.png"))
        #expect(!markup("newsletter-dark", HTMLMedium()).contains("#161b22"))
        #expect(markup("newsletter-mobile", HTMLMedium(width: 390)).contains("display: block; max-height: none"))
    }

    /// The words of a document's body, without what no reader sees.
    private static func words(_ tree: HTMLTree) -> [Substring] {
        var text = ""
        var node = tree.descendants(of: tree.root).first { tree.isElement($0, .body) }
        let body = node
        while let current = node, let body {
            let isLeftOut = [HTMLName.style, .script, .title, .iframe].contains { tree.isElement(current, $0) }
            // The white space between the parts of a table isn't text.
            if [HTMLName.table, .tr, .td, .th].contains(where: { tree.isElement(current, $0) }) { text += " " }
            if tree.kind(of: current) == .text { text += tree.text(of: current) }
            node = tree.node(after: current, within: body, skippingDescendants: isLeftOut)
        }
        return text.split { $0.isWhitespace }
    }

    /// An address without the differences of spelling that don't matter.
    private static func address(_ text: String) -> String {
        text.last == "/" ? String(text.dropLast()) : text
    }
}
