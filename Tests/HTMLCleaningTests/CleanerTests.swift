import HTMLCleaning
import HTMLParsing
import Testing

/// The markup of a message that was cleaned.
func clean(_ html: String, _ options: HTMLCleaner.Options = .init()) -> String {
    HTMLCleaner(options).clean(html).markup
}

@Suite(.timeLimit(.minutes(5)))
struct CleanerTests {
    @Test func `a newsletter's elements and attributes are kept`() {
        let text = """
            <center><table width="100%" cellpadding="0" cellspacing="0" border="0" \
            bgcolor="#f4f4f4" role="presentation">\
            <tbody><tr><td align="center" valign="top" style="padding: 10px 20px; font-family: Arial, sans-serif">\
            <h1 style="color: #333333; margin: 0">Hello</h1><font color="red" face="Verdana" size="2">new</font>\
            <img src="https://a.example/b.png" width="600" height="200" alt="A picture"><hr><br>\
            <a href="https://a.example/" \
            style="background-color: #0066cc; border-radius: 4px">Open</a></td></tr></tbody>\
            </table></center>
            """
        #expect(clean(text) == text)
    }

    @Test func `nodes are left out with their contents, and style sheets apply to the others`() throws {
        let tree = HTMLParser.parse("<style>ul li { color: red }</style><ul><li>a<li>b <b>c</b></ul><p>d")
        let items = tree.descendants(of: tree.root).filter { tree.isElement($0, .li) }
        let message = HTMLCleaner().clean(tree, leavingOut: [try #require(items.last)])
        #expect(message.markup == "<ul><li style=\"color: red\">a</li></ul><p>d</p>")
    }

    @Test(
        arguments: [
            ("Verdana, Arial", "Verdana, Arial"), ("'Segoe UI', serif", "'Segoe UI', serif"),
            // What isn't a list of families as a whole isn't one.
            (">;background:url('')#fff", nil), ("Arial;color:red", nil), ("Arial !important", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `a font's face is a list of families and nothing else`(face: String, cleaned: String?) {
        let attribute = cleaned.map { " face=\"\($0)\"" } ?? ""
        #expect(clean("<font face=\"\(face)\">a</font>") == "<font\(attribute)>a</font>")
    }

    @Test func `text of unknown elements and of forms stays`() {
        #expect(
            clean("<o:p>a</o:p><form>b<label>c</label><input value=d><textarea>e</textarea></form>")
                == "ab<span>c</span>e"
        )
        #expect(clean("<noscript>a<b>b</b></noscript><video><p>c</p></video>") == "a<b>b</b><p>c</p>")
    }

    @Test func `elements without readable text are removed with their contents`() {
        #expect(clean("<title>a</title><style>b</style><script>c</script><iframe>d</iframe><svg>e</svg>f") == "f")
        #expect(clean("<math><mi>a</mi></math><template>b</template><select><option>c</select>d") == "d")
        #expect(clean("<!-- a --><!--[if mso]>b<![endif]-->c<dialog>d</dialog>") == "c")
    }

    @Test func `raw text elements in the body are removed`() {
        #expect(
            clean("<p>a<script>b</script><style>c</style><title>d</title><iframe>e</iframe><noembed>f</noembed>g")
                == "<p>ag</p>"
        )
        #expect(
            clean("<p>a<svg><title>b</title><foreignObject>c</foreignObject></svg><math><mtext>d</mtext></math>e")
                == "<p>ae</p>"
        )
        #expect(clean("a<xmp><b></xmp>c") == "a<pre>&lt;b&gt;</pre>c")
    }

    @Test func `white space between the parts of a table is removed`() {
        #expect(
            clean("<table>\n<tr>\n<td> a </td>\n</tr>\n</table>")
                == "<table><tbody><tr><td> a </td></tr></tbody></table>"
        )
    }

    @Test func `contents of a table without a cell are kept`() {
        let deep = String(repeating: "<div>", count: 34) + "<table><tr><td>a<table><tr><td>b"
        let markup = clean(deep, .init(limits: HTMLLimits(depth: 40)))
        #expect(markup.contains("a") && markup.contains("b"))
    }

    @Test func `attributes that aren't allowed are removed`() {
        #expect(
            clean("<p id=a class=b name=c onclick=d() tabindex=1 data-x=y align=left>e") == "<p align=\"left\">e</p>"
        )
        #expect(
            clean("<img src=https://a/b srcset=c onerror=d() alt='e\"f'>")
                == "<img src=\"https://a/b\" alt=\"e&quot;f\">"
        )
        #expect(
            clean("<table border=1px width='50.5%' cellpadding=x bgcolor=nothing>")
                == "<table border=\"1\" width=\"50%\"></table>"
        )
    }

    @Test func `a paragraph with a table in it is a block in both modes`() {
        #expect(clean("<p style='color:red'>a<table><tr><td>b") == clean("<div style='color:red'>a<table><tr><td>b"))
    }

    @Test func `links don't nest, and list items stay in lists`() {
        let nested = "<a href=https://a/><table><tr><td><a href=https://b/>c"
        #expect(
            clean(nested)
                == "<a href=\"https://a/\"><table><tbody><tr><td><span>c</span></td></tr></tbody></table></a>"
        )
        #expect(clean("<li>a") == "<div>a</div>")
        #expect(clean("<li value=3 type=A title=b>a") == "<div title=\"b\">a</div>")
    }

    @Test func `no more than three equal formatting elements are within each other`() {
        #expect(clean("<b><b><b><b><b title=a>c") == "<b><b><b><b title=\"a\">c</b></b></b></b>")
        #expect(clean("<i><i><i><table><tr><td><i>a").contains("<td><i>a</i>"))
    }

    @Test func `the body's colors are a block's`() {
        #expect(
            clean("<body bgcolor=FFF text=black background=https://a/b lang=de>c")
                == "<div lang=\"de\" style=\"background-color: #fff; color: black; "
                + "background-image: url('https://a/b')\">c</div>"
        )
        #expect(clean("<html dir=rtl><body>a") == "<div dir=\"rtl\">a</div>")
    }

    @Test func `control characters are removed`() {
        #expect(clean("a\0b\u{1}c\u{85}d&#13;e&#x80;<p title='a&#1;b'>\u{FEFF}") == "abcd\ne€<p title=\"ab\"></p>")
    }

    @Test func `elements that are too deep are replaced by their children`() {
        let deep = String(repeating: "<div>", count: 100_000) + "text<table><tr><td>cell"
        let result = HTMLCleaner().clean(deep)
        #expect(result.markup.hasSuffix("textcell" + String(repeating: "</div>", count: 200)))
        #expect(result.reachedLimits.contains(.depth))
        #expect(result.isComplete, "all of its text is there")
    }

    @Test func `a message whose end is missing isn't complete`() {
        let limits = [HTMLLimits(bytes: 40), HTMLLimits(nodes: 20)]
        for limits in limits {
            let result = HTMLCleaner(.init(limits: limits)).clean(String(repeating: "<p>a", count: 20))
            #expect(!result.isComplete && result.markup.hasPrefix("<p>a"))
        }
        #expect(HTMLCleaner().clean("<p>a").isComplete)
    }

    @Test func `a table's greatest width is in its width`() {
        func table(_ attributes: String) -> String {
            String(clean("<table \(attributes)><td>a").prefix { $0 != ">" }.dropFirst(7))
        }
        #expect(
            table("style='width:600px;max-width:100%'") == "style=\"width: min(600px, 100%); max-width: 100%\""
        )
        #expect(
            table("style='max-width:600px;width:100%'") == "style=\"max-width: 600px; width: min(100%, 600px)\""
        )
        #expect(
            table("width=0600 style='max-width:100%'")
                == "width=\"0600\" style=\"max-width: 100%; width: min(600px, 100%)\""
        )
        for unbounded in [
            "style='width:600px'", "style='max-width:600px'", "style='width:auto;max-width:100%'",
            "style='width:600px;max-width:none'", "style='width:100%;max-width:100%'", "style='width:0;max-width:9px'",
        ] {
            #expect(!table(unbounded).contains("min("), "\(unbounded)")
        }
        #expect(!clean("<div style='width:600px;max-width:100%'>a").contains("min("))
        // What a sender writes is read strictly.
        #expect(clean("<p style='width:min( 1PX ,2em )'>a") == "<p style=\"width: min(1px, 2em)\">a</p>")
        for wrong in ["min(1px 2px)", "min(1px,2px,3px)", "min(1px)", "min(1px,2)", "min(1px,min(2px,3px))"] {
            #expect(clean("<p style='width:\(wrong)'>a") == "<p>a</p>", "\(wrong)")
        }
        #expect(clean("<p style='height:min(1px,2px)'>a") == "<p>a</p>")
    }

    @Test func `styles keep what is allowed, in one spelling`() {
        func style(_ text: String) -> String {
            let markup = clean("<p style=\"\(text)\">a")
            return markup == "<p>a</p>" ? "" : String(markup.dropFirst(10).dropLast(7))
        }
        #expect(style("COLOR:Red;width:+05.50PX;margin:0 AUTO") == "color: red; width: 5.5px; margin: 0 auto")
        #expect(style("color:red!important;color:blue") == "color: blue; color: red")
        #expect(style(#"c\6flor:r\65 d"#) == "color: red")
        #expect(style("position:fixed;z-index:1;behavior:url(a);-moz-binding:url(a);content:'a'") == "")
        #expect(style("width:expression(a());color:var(--a);width:calc(1px)") == "")
        #expect(style("@import 'a';color:red") == "color: red")
        #expect(style("color red blue") == "")
        #expect(style("background:url('https://a/\nb')") == "")
        #expect(style("width:1e3px;height:1234567px") == "")
        #expect(style("margin:-10px;letter-spacing:-1px") == "letter-spacing: -1px")
        #expect(
            style("color:hsl(120,100%,50%);background:rgba(1,2,3,.5)")
                == "color: #00ff00; background: rgba(1, 2, 3, 0.5)"
        )
        #expect(style("font:bold 12px/1.5 'Segoe UI',Arial") == "font: bold 12px / 1.5 'Segoe UI', Arial")
        #expect(style("font-family:'a(b'") == "")
        #expect(style("background:#fff url('javascript:a()') no-repeat") == "background: #fff no-repeat")
        #expect(style(#"background:\75rl(https://a/b)"#) == "background: url('https://a/b')")
    }

    @Test func `addresses have an allowed scheme in any spelling`() {
        func href(_ text: String, schemes: Set<String> = ["https", "mailto", "app", "javascript", "data"]) -> String? {
            HTMLCleaner(.init(linkSchemes: schemes)).clean("<a href=\"\(text)\">a</a>").links.first?.url
        }
        #expect(href(" HTTPS://A.example:443\\b c?d#e ") == "https://a.example/b%20c?d#e")
        #expect(href("https:a.example") == "https://a.example")
        #expect(href("//a.example/ä") == "https://a.example/%C3%A4")
        #expect(href("ht\ntps:/\t/a&#13;b.example/") == "https://ab.example/")
        #expect(href("app://open/1") == "app://open/1")
        for text in [
            "javascript:a()", "java&Tab;script:a()", "&#1;javascript:a()", "JAVASCRIPT&colon;a()", "data:text/html,a",
            "vbscript:a",
            "file:///a", "ｊavascript:a()", "https://a@b/", "https://a%2e/", "a/b", "#a", "http://a/",
            "blob:https://a/b",
        ] {
            #expect(href(text) == nil)
        }
    }
}
