import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TreeConstructionTests {
    @Test func `html, head and body are there without their tags`() {
        #expect(
            HTMLParser.parse("<title>a</title>b").serialized()
                == "<html><head><title>a</title></head><body>b</body></html>"
        )
        #expect(
            HTMLParser.parse("<!doctype html><html lang=en><body id=b><html dir=ltr lang=de><body id=c class=d>")
                .serialized()
                == #"<!DOCTYPE html><html lang="en" dir="ltr"><head></head><body id="b" class="d"></body></html>"#
        )
    }

    @Test func `the document type sets the mode`() {
        #expect(HTMLParser.parse("<!doctype html>").quirksMode == .noQuirks)
        #expect(HTMLParser.parse("").quirksMode == .quirks)
        #expect(HTMLParser.parse("<!doctype html public '-//W3C//DTD HTML 3.2//EN'>").quirksMode == .quirks)
        let transitional = "-//W3C//DTD XHTML 1.0 Transitional//EN"
        let tree = HTMLParser.parse(#"<!DOCTYPE html PUBLIC "\#(transitional)" "x">"#)
        #expect(tree.quirksMode == .limitedQuirks)
        let doctype = tree.firstChild(of: tree.root).flatMap { tree.doctype(of: $0) }
        #expect(doctype?.name == "html")
        #expect(doctype?.publicID == transitional)
        #expect(doctype?.systemID == "x")
    }

    @Test func `a table ends a paragraph, but not in quirks mode`() {
        #expect(body("<!doctype html><p><table>") == "<p></p><table></table>")
        #expect(body("<p><table>") == "<p><table></table></p>")
        let quirks = HTMLFragmentContext("div", quirksMode: .quirks)
        #expect(HTMLParser.parseFragment("<p><table>", context: quirks).serialized() == "<p><table></table></p>")
        #expect(HTMLParser.parseFragment("<p><table>").serialized() == "<p></p><table></table>")
    }

    @Test func `implied end tags are added`() {
        #expect(body("<p>a<p>b<div>c") == "<p>a</p><p>b</p><div>c</div>")
        #expect(body("<ul><li>a<li>b<ul><li>c</ul>d") == "<ul><li>a</li><li>b<ul><li>c</li></ul>d</li></ul>")
        #expect(body("<dl><dt>a<dd>b<dt>c") == "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>")
        #expect(body("<ruby>a<rt>b<rp>c") == "<ruby>a<rt>b</rt><rp>c</rp></ruby>")
        #expect(body("a</p></br></div>b") == "a<p></p><br>b")
    }

    @Test func `misnested formatting elements are adopted`() {
        #expect(body("<b>1<p>2</b>3") == "<b>1</b><p><b>2</b>3</p>")
        #expect(body("<a>1<a>2") == "<a>1</a><a>2</a>")
        #expect(body("<b><i>1</b>2</i>3") == "<b><i>1</i></b><i>2</i>3")
        #expect(body("<a><div><div>1</a>2") == "<a></a><div><a></a><div><a>1</a>2</div></div>")
        #expect(body("<p><b>1<p>2</b>3") == "<p><b>1</b></p><p><b>2</b>3</p>")
    }

    @Test func `of equal formatting elements three are opened again`() {
        let four = "<b><b><b><b>1</b></b></b></b>"
        #expect(body("<p><b><b><b><b>1<p>2") == "<p>\(four)</p><p><b><b><b>2</b></b></b></p>")
        let attributes = #"<font color="r" size="1">"#
        #expect(
            body("<p><font color=r size=1><font size=1 color=r><font color=r size=1><font color=r size=1>1<p>2")
                .hasSuffix("<p><font size=\"1\" color=\"r\">\(attributes)\(attributes)2</font></font></font></p>")
        )
    }

    @Test func `content that doesn't belong in a table is moved before it`() {
        #expect(body("<table>a<tr>b<td>c</td>d</table>e") == "abd<table><tbody><tr><td>c</td></tr></tbody></table>e")
        #expect(body("<table> <b>a</b> <tr>") == "<b>a</b><table>  <tbody><tr></tr></tbody></table>")
        #expect(
            body("<table><form><input type=hidden><input></form>")
                == "<input><table><form></form><input type=\"hidden\"></table>"
        )
    }

    @Test func `table parts imply those around them`() {
        #expect(body("<table><td>a<tr><th>b") == "<table><tbody><tr><td>a</td></tr><tr><th>b</th></tr></tbody></table>")
        #expect(
            body("<table><col><caption>a<tfoot><td>b")
                == "<table><colgroup><col></colgroup><caption>a</caption><tfoot><tr><td>b</td></tr></tfoot></table>"
        )
        #expect(body("<table><tr><td><table><td>a</table>b").hasSuffix("</table>b</td></tr></tbody></table>"))
    }

    @Test func `a template has contents instead of children`() {
        let tree = HTMLParser.parse("<body><template><td>a</td></template>b")
        let template = tree.descendants(of: tree.root).first { tree.isElement($0, .template) }
        let contents = template.flatMap { tree.templateContents(of: $0) }
        #expect(template.flatMap { tree.firstChild(of: $0) } == nil)
        #expect(contents.map { tree.serialized(childrenOf: $0) } == "<td>a</td>")
        #expect(contents.flatMap { tree.parent(of: $0) } == nil)
        #expect(template.map { tree.serialized(childrenOf: $0) } == "<td>a</td>")
        #expect(tree.markup(in: .body) == "<template><td>a</td></template>b")
    }

    @Test func `foreign content has its own names and namespaces`() {
        let tree = HTMLParser.parse(
            "<svg viewbox=1 xlink:href=a><foreignobject><p>b</p></foreignobject><path/></svg>"
                + "<math definitionurl=c><mi><b>d</b></mi>"
        )
        #expect(
            tree.markup(in: .body)
                == #"<svg viewBox="1" xlink:href="a"><foreignObject><p>b</p></foreignObject><path></path></svg>"#
                + #"<math definitionURL="c"><mi><b>d</b></mi></math>"#
        )
        let elements = tree.descendants(of: tree.root).filter { tree.kind(of: $0) == .element }
        let namespaces = elements.map { tree.namespace(of: $0) }
        #expect(namespaces == [.html, .html, .html, .svg, .svg, .html, .svg, .mathML, .mathML, .html])
        let svg = elements[3]
        #expect(tree.attributes(of: svg).map(\.name) == [.viewBox, .href])
        #expect(tree.attributes(of: svg).map(\.namespace) == [.none, .xlink])
        #expect(tree.attribute(.viewBox, of: svg) == "1")
        #expect(tree.attribute(.href, of: svg) == nil)
    }

    @Test func `elements of HTML end foreign content`() {
        #expect(body("<svg><g><div>a") == "<svg><g></g></svg><div>a</div>")
        #expect(body("<svg><font><font color=r>a") == "<svg><font></font></svg><font color=\"r\">a</font>")
        #expect(
            body("<math><annotation-xml encoding=text/html><div>a").hasSuffix("<div>a</div></annotation-xml></math>")
        )
        #expect(body("<math><annotation-xml><div>a").hasSuffix("</math><div>a</div>"))
    }

    @Test func `framesets replace an empty body`() {
        #expect(
            HTMLParser.parse("<frameset><frame>a</frameset> <noframes>b</noframes>").serialized()
                == "<html><head></head><frameset><frame></frameset> <noframes>b</noframes></html>"
        )
        #expect(HTMLParser.parse("a<frameset>").serialized() == "<html><head></head><body>a</body></html>")
    }

    @Test func `a select has options, and another one ends it`() {
        #expect(
            body("<select><option>a<option>b<optgroup><option>c<hr>d")
                == "<select><option>a</option><option>b</option><optgroup><option>c</option></optgroup><hr>d</select>"
        )
        #expect(body("<select><select>a") == "<select></select>a")
        #expect(body("<select><div><b>a</b></div><input>b") == "<select><div><b>a</b></div></select><input>b")
    }

    @Test func `selectedcontent shows the selected option`() {
        let start = "<select><button><selectedcontent></button>"
        #expect(body(start + "<option>a<option selected>b").contains("<selectedcontent>b</selectedcontent>"))
        #expect(body(start + "<option><b>a</b><option>c").contains("<selectedcontent><b>a</b></selectedcontent>"))
        #expect(
            body("<select><option>a<button><selectedcontent></button>").contains("<selectedcontent></selectedcontent>")
        )
        let later = body("<select><option>a</option><button><selectedcontent></selectedcontent></button>")
        #expect(later.contains("<selectedcontent>a</selectedcontent>"))
        #expect(
            body("<select multiple><button><selectedcontent></button><option>a").contains(
                "<selectedcontent></selectedcontent>"
            )
        )
    }

    @Test func `noscript has elements, because scripting is disabled`() {
        #expect(HTMLParser.parse("<noscript><link></noscript>").markup(in: .head) == "<noscript><link></noscript>")
        #expect(body("a<noscript><b>c</b></noscript>") == "a<noscript><b>c</b></noscript>")
    }

    @Test func `fragments are parsed in their context`() {
        func fragment(_ text: String, _ name: String, _ namespace: HTMLNamespace = .html) -> String {
            HTMLParser.parseFragment(text, context: HTMLFragmentContext(name, in: namespace)).serialized()
        }
        #expect(fragment("<td>a</td>b", "body") == "ab")
        #expect(fragment("<td>a</td>", "tr") == "<td>a</td>")
        #expect(fragment("<tr><td>a", "table") == "<tbody><tr><td>a</td></tr></tbody>")
        #expect(fragment("<b>a</b>", "textarea") == "&lt;b&gt;a&lt;/b&gt;")
        #expect(fragment("<foreignobject><div>a", "svg", .svg) == "<foreignObject><div>a</div></foreignObject>")
        #expect(fragment("<td>a", "template") == "<td>a</td>")
        #expect(fragment("<form>a", "form") == "a")
        #expect(fragment("<head><title>a</title><body>b", "html") == "<head><title>a</title></head><body>b</body>")
    }
}
