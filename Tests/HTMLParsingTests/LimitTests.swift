import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
    @Test func `an ordinary document reaches no limit`() {
        let tree = HTMLParser.parse("<!doctype html><title>a</title><p class=b>c")
        #expect(tree.reachedLimits == [])
    }

    @Test func `bytes beyond the limit are dropped`() {
        let tree = HTMLParser.parse("<p>abcdef", limits: HTMLLimits(bytes: 6))
        #expect(tree.markup(in: .body) == "<p>abc</p>")
        #expect(tree.reachedLimits == .bytes)
        #expect(HTMLParser.parse("<p>abc", limits: HTMLLimits(bytes: 6)).reachedLimits == [])
    }

    @Test func `a character that the limit splits is dropped`() {
        for limit in 4...6 {
            #expect(body("<p>a\u{1F4EC}", limits: HTMLLimits(bytes: limit)) == "<p>a</p>")
        }
        #expect(body("<p>a\u{1F4EC}b", limits: HTMLLimits(bytes: 8)) == "<p>a\u{1F4EC}</p>")
        let invalid: [UInt8] = [0x61, 0xFF, 0x62]
        #expect(HTMLParser.parse(invalid, limits: HTMLLimits(bytes: 2)).markup(in: .body) == "a\u{FFFD}")
    }

    @Test func `a sequence without storage is read up to the limit`() {
        let endless = sequence(first: UInt8(ascii: "a")) { $0 }
        let tree = HTMLParser.parse(endless, limits: HTMLLimits(bytes: 100))
        #expect(tree.markup(in: .body) == String(repeating: "a", count: 100))
        #expect(tree.reachedLimits == .bytes)
    }

    @Test(arguments: ["div", "b", "span", "blockquote", "svg", "table><tr><td", "ul><li", "select><template", "x"])
    func `elements 100,000 deep are cut at 512, and their text stays`(name: String) {
        let tree = HTMLParser.parse(
            String(repeating: "<\(name)>", count: 100_000) + "text",
            limits: HTMLLimits(bytes: 1 << 24, nodes: 1 << 20)
        )
        #expect(tree.reachedLimits == .depth)
        #expect(tree.depth <= 512)
        #expect(tree.depth > 500)
        #expect(tree.brokenLink == nil)
        #expect(tree.serialized().contains("text"))
    }

    @Test func `the start tag beyond the depth is dropped and what is in it stays`() {
        let limits = HTMLLimits(depth: 16)
        let deep = String(repeating: "<div>", count: 13)
        let tree = HTMLParser.parse(deep + "a<p>b</p><br>c<style>d</style><i>e</i>", limits: limits)
        #expect(tree.reachedLimits == .depth)
        #expect(tree.markup(in: .body).contains("<div>ab<br>c<style>d</style>e</div>"))
        #expect(tree.depth <= 16)
    }

    @Test func `forms and formatting elements don't exceed the depth either`() {
        let limits = HTMLLimits(depth: 32)
        let forms = HTMLParser.parse(String(repeating: "<form><div></form>", count: 100) + "text", limits: limits)
        #expect(forms.depth <= 32)
        #expect(forms.reachedLimits == .depth)
        #expect(forms.brokenLink == nil)
        let bold = String(repeating: "<b>", count: 20) + "<p><p><div>" + String(repeating: "a</b>", count: 20)
        let adopted = HTMLParser.parse(String(repeating: bold, count: 20), limits: limits)
        #expect(adopted.depth <= 32)
        #expect(adopted.brokenLink == nil)
    }

    @Test func `nodes beyond the limit are missing at the end`() {
        let limits = HTMLLimits(nodes: 1_000)
        let tree = HTMLParser.parse(String(repeating: "<p>a", count: 1_000), limits: limits)
        #expect(tree.reachedLimits == .nodes)
        #expect(tree.nodeCount >= 1_000)
        #expect(tree.nodeCount <= 1_000 + limits.depth)
        #expect(tree.markup(in: .body).hasPrefix("<p>a</p><p>a</p>"))
        #expect(HTMLParser.parse("<p>a", limits: limits).reachedLimits == [])
    }

    @Test func `formatting elements that are opened again count as nodes`() {
        let unclosed = (0..<400).map { "<font size=\($0)>" }.joined()
        let tree = HTMLParser.parse("<p>" + unclosed + String(repeating: "</p><p>a", count: 10_000))
        #expect(tree.reachedLimits.contains(.nodes))
        #expect(tree.nodeCount <= HTMLLimits.standard.nodes + 512)
    }

    @Test func `attributes beyond the limit are dropped`() {
        let attributes = (0..<300).map { " a\($0)=\($0)" }.joined()
        let tree = HTMLParser.parse("<p\(attributes) a1=again>")
        let paragraph = tree.descendants(of: tree.root).first { tree.isElement($0, .p) }
        #expect(paragraph.map { tree.attributes(of: $0).count } == 256)
        #expect(tree.reachedLimits == .attributes)
        let merged = HTMLParser.parse((0..<300).map { "<body a\($0)>" }.joined())
        let body = merged.descendants(of: merged.root).first { merged.isElement($0, .body) }
        #expect(body.map { merged.attributes(of: $0).count } == 256)
        #expect(merged.reachedLimits == .attributes)
    }

    @Test func `limits outside their ranges are replaced`() {
        let tree = HTMLParser.parse("<p a b>text", limits: HTMLLimits(bytes: -1, depth: 0, nodes: 0, attributes: -1))
        #expect(tree.reachedLimits == .bytes)
        let shallow = HTMLParser.parse("<p a>text", limits: HTMLLimits(depth: 0, nodes: 0, attributes: -1))
        #expect(shallow.markup(in: .body) == "<p>text</p>")
        #expect(shallow.reachedLimits == .attributes)
    }
}
