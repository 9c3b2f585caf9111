import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SerializationTests {
    @Test func `text and values are escaped`() {
        #expect(
            body("a&amp;&lt;&gt;\"&nbsp;<p title='&amp;&lt;&gt;&quot;&nbsp;'>")
                == "a&amp;&lt;&gt;\"&nbsp;<p title=\"&amp;&lt;&gt;&quot;&nbsp;\"></p>"
        )
    }

    @Test func `elements without end tags have none`() {
        #expect(body("<br><img><hr><input><wbr></br>") == "<br><img><hr><input><wbr><br>")
    }

    @Test func `the text of scripts and styles is as it was`() {
        #expect(
            body("<p><style>a>b&c</style><script>a<b&&c</script>")
                == "<p><style>a>b&c</style><script>a<b&&c</script></p>"
        )
        #expect(body("<svg><style>a&gt;b</style>") == "<svg><style>a&gt;b</style></svg>")
    }

    @Test func `attributes of foreign content have their prefixes`() {
        let text = #"<svg xmlns="a" xmlns:xlink="b" xlink:href="c" xml:lang="d" other:e="f"></svg>"#
        #expect(body(text) == text)
    }

    @Test func `a node's markup is that of its children alone`() {
        let tree = HTMLParser.parse("<ul><li>a<!--b--></li></ul>c<br>")
        #expect(tree.markup(in: .ul) == "<li>a<!--b--></li>")
        #expect(tree.markup(in: .li) == "a<!--b-->")
        #expect(tree.markup(in: .br) == "")
        #expect(tree.serialized() == "<html><head></head><body><ul><li>a<!--b--></li></ul>c<br></body></html>")
    }

    @Test func `ordinary markup is serialized unchanged`() {
        let text =
            "<!DOCTYPE html><html><head><title>a</title></head><body><table><tbody><tr><td>b</td></tr></tbody>"
            + "</table><p>c <b>d</b><template>e<b>f</b></template>g</p></body></html>"
        #expect(HTMLParser.parse(text).serialized() == text)
        #expect(HTMLParser.parse(HTMLParser.parse(text).serialized()).serialized() == text)
    }

    @Test func `a deep tree is written without recursion`() {
        let limits = HTMLLimits(bytes: 1 << 24, depth: 30_000, nodes: 1 << 20)
        let count = 29_000
        let text = String(repeating: "<div>", count: count) + "a" + String(repeating: "</div>", count: count)
        let tree = HTMLParser.parse(text, limits: limits)
        #expect(tree.reachedLimits == [])
        #expect(tree.markup(in: .body) == text)
    }
}
