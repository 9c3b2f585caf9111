import HTMLCleaning
import HTMLInputs
import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TextTests {
    private func text(_ html: String, width: Int = 40) -> String {
        HTMLText(HTMLCleaner().clean(html), width: width).description
    }

    @Test func `headings, paragraphs and rules are apart`() {
        #expect(
            text("<h1>One</h1><p>a<br>b<p>c<h3>Two</h3>d<hr>e")
                == "# One\n\na\nb\n\nc\n\n### Two\n\nd\n\n\(String(repeating: "-", count: 40))\n\ne"
        )
    }

    @Test func `lists have marks and numbers, and nest`() {
        #expect(
            text("a<ul><li>b<li>c<ol start=9><li>d<li value=12>e<li>f</ol></ul>g")
                == "a\n\n- b\n- c\n  9. d\n  12. e\n  13. f\n\ng"
        )
    }

    @Test func `quotations have marks in each line`() {
        #expect(
            text("a<blockquote><p>b<p>c<blockquote>d</blockquote></blockquote>e") == "a\n\n> b\n>\n> c\n>\n> > d\n\ne"
        )
    }

    @Test func `links are numbered once for each address`() {
        #expect(
            text(
                "<a href=https://a/>One</a>, <a href=https://b/><img src=https://c/ alt=Two></a>, <a"
                    + " href=https://a/>three</a>"
            )
                == "One [1], [Two] [2], three [1]\n\n[1] https://a/\n[2] https://b/"
        )
    }

    @Test func `words are broken at the width`() {
        #expect(text("aaa bbb ccc dddddddddddddd e", width: 10) == "aaa bbb\nccc\ndddddddddd\ndddd e")
        #expect(text("<ul><li>aaa bbb ccc", width: 10) == "- aaa bbb\n  ccc")
        #expect(text("日本語日本語", width: 10) == "日本語日本\n語")
    }

    @Test func `simple tables have columns`() {
        #expect(
            text("<table><tr><th>Item<th>Price<tr><td>A <b>book</b><td>5 €<tr><td>B<td>12 €</table>c")
                == "Item    Price\nA book  5 €\nB       12 €\n\nc"
        )
        #expect(text("<table><tr><td>aaaaaa bbbbbb<td>cccccc</table>", width: 10) == "aaaaaa\nbbbbbb\ncccccc")
    }

    @Test func `tables that lay a message out are blocks`() {
        #expect(text("<table><tr><td><table><tr><td><p>a</table><td><h2>b</h2></table>") == "a\n\n## b")
    }

    @Test func `preformatted text stays as it is`() {
        #expect(text("<pre>a  b\n\tc\n\nd</pre>e") == "a  b\n    c\n\nd\n\ne")
    }

    @Test func `hidden text and control characters are left out`() {
        #expect(text("a<p hidden>b</p><div style='display:none'>c</div><p>d") == "a\n\nd")
        #expect(
            text("a\u{1B}[31mb&#27;[0m\u{9B}c\u{202E}d\u{200B}e&shy;f<img src=https://a/ alt='\u{1B}g'>")
                == "a[31mb[0mcdef[g]"
        )
        #expect(text("<p>a</p><p>&zwnj; &nbsp; &#847;</p><p>b</p>").contains("\u{34F}") == false)
    }

    @Test func `no line is wider than the width`() {
        let inputs = Inputs.corpus + Attacks.all.map { Array($0.utf8) }
        for (index, input) in inputs.enumerated() {
            let width = 10 + index % 30
            let text = HTMLText(HTMLCleaner().clean(input), width: width)
            for line in text.lines where line.unicodeScalars.count > width {
                // Only what combines with another character may be more.
                #expect(line.count <= width)
            }
            #expect(!text.lines.joined().unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
        }
    }

    @Test(arguments: [
        "<blockquote>", "<ul><li>", "a ", "<table><tr><td>a<td>b", "<p>a", "<pre>a\n", "<a href=http://a/>b</a>", "aa",
        "<td>a",
    ])
    func `time grows linearly`(part: String) {
        let cleaner = HTMLCleaner(.init(limits: HTMLLimits(bytes: 1 << 24, nodes: 1 << 24)))
        func time(_ size: Int) -> Double {
            let message = cleaner.clean(String(repeating: part, count: size / part.utf8.count))
            return ProcessorTime.measure { _ = HTMLText(message, width: 40).lines }
        }
        var ratio = time(64_000) / time(16_000)
        for _ in 0..<4 where ratio > 8 { ratio = min(ratio, time(64_000) / time(16_000)) }
        #expect(ratio <= 8)
    }
}
