/// Inputs that attack a cleaner.
package enum Attacks {
    package static let all: [String] = Array(
        Set(structure + foreign + rawText + clobbering + addresses + styles + generated)
    ).sorted()

    private static let structure = [
        "<form><div></form><form><input name=a></div></form>", "<form id=a><table><form id=b><tr><td></form></table>",
        "<p><table><tr><td>a", "<!doctype html><p><table><tr><td>a", "<p>a<table><p>b</table>c",
        "<a href=http://a/><b><a href=http://b/>c</a></b>d</a>", "<a href=http://a/><table><tr><td><a href=http://b/>c",
        "<pre>\n\na</pre>", "<pre>\na</pre>", "<pre><b>\na</b></pre>", "<listing>\n\na</listing>",
        "<textarea>\n\na</textarea>",
        "<pre><!--x-->\na", "<pre><x>\na", "<pre>&#10;a", "<pre>&#13;&#10;a", "<table><caption><table><tr><td>a",
        "<table><tr><td><table>a<tr><td>b", "<table>a<b>c<tr>d<td>e", "<h1><h2>a</h2>b</h1>", "<h1><x><h2>a",
        "<ul><li><x><li>a", "<li><li>a", "<ul><div><li>a<div><li>b", "<dl><dd><x><dt>a", "<dt><dd><div><dt>a",
        "<b><b><b><b><b>a</b>c", "<b><p>a</b>c</p>d", "<i><b><p></i>a</b>", "<button><p><button>a", "<p><button><p>a",
        "<nobr><nobr>a", "<ruby><rt><rt>a<rp>b", "<rt>a<ruby>b<p>c<rt>d", "<ruby><rt><x><rt>a",
        "<ruby>a<rp><x><rt>b<x><rp>c", "<select><option>a<optgroup><option>b",
        "<select><b><p>x</select>", "<select><button><selectedcontent></button><option selected>a<b>b",
        "<table><colgroup><col><b>a", "<table><col>a<td>", "<template><p>a</template>b", "<table><template><tr><td>a",
        "<frameset><frame src=javascript:a><noframes><p>b", "<body><frameset>", "<html><head><body onload=a()>b",
        "<object><p><object><p>a</object>b", "<marquee><p><marquee><p>a", "<applet><p>a",
        "<details><summary><p><summary>a",
        "<dialog>a</dialog>b", "<dialog open>a", "<br></br></p>a", "<image src=http://a/b>", "<isindex prompt=a>",
        "a\0b\u{1}c\u{7f}d\u{85}e", "<p>\u{FEFF}a", "\u{FEFF}\u{FEFF}a", " \n a", "<span> </span> a", "<x> \n<b>a",
        "<p a=1 a=2 onclick=a>b", "<p/onclick=a()>b", "<p \"onclick=a()>b", "<p =onclick=a()>b", "<svg/onload=a()>",
        "<!--><img src=x onerror=a()>-->", "<!--a--!><img src=x onerror=a()>", "<![CDATA[<img src=x onerror=a()>]]>",
        "<?xml <img src=x onerror=a()>?>", "</ <img src=x onerror=a()>>", "<script>a</script >b", "<scr<script>ipt>a()",
        "<body style='color:red' bgcolor=fff text=#000 background=http://a/b>c", "<html lang=de dir=rtl><body>a",
    ]

    private static let foreign = [
        "<svg><p><style><img src=x onerror=a()></style>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=a()&gt;\">",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=a()>",
        "<svg></p><style><a id=\"</style><img src=1 onerror=a()>\">",
        "<math><annotation-xml encoding=text/html><p>a<script>b",
        "<svg><foreignObject><p>a<script>b</script></foreignObject></svg>c", "<svg><desc><img src=x onerror=a()>b",
        "<svg><title><img src=x onerror=a()></title></svg>b", "<svg><script>a()</script></svg>b",
        "<math href=javascript:a()>b",
        "<math><mi//xlink:href=\"data:x,<script>a()</script>\">", "<svg><a xlink:href=javascript:a()><text>b",
        "<svg><animate attributeName=href values=javascript:a()>", "<svg><use href=data:image/svg+xml,a>",
        "<svg><set attributeName=onmouseover to=a()>", "<svg><image href=x onerror=a()>", "<svg><template><p>a</svg>b",
        "<math><mtext><svg><foreignObject><math><mi><p>a", "<svg><b>a</b></svg>", "<svg><font color=red>a",
        "<math><mglyph><svg><mtext><textarea><path id=\"</textarea><img onerror=a() src=1>\">",
        "<svg><![CDATA[</svg><img src=x onerror=a()>]]>", "<svg><style>&lt;img src=x onerror=a()&gt;</style></svg>",
        "<math><ms><xmp></ms><img src=x onerror=a()>", "<p><svg><p>a<table>b",
    ]

    private static let rawText = [
        "<style>a{}</style>b", "<style><!--</style><img src=x onerror=a()>-->",
        "<xmp><p title=\"</xmp><img src=x onerror=a()>\">",
        "<noscript><p title=\"</noscript><img src=x onerror=a()>\">",
        "<noembed><p title=\"</noembed><img src=x onerror=a()>\">",
        "<noframes><p title=\"</noframes><img src=x onerror=a()>\">",
        "<iframe><p title=\"</iframe><img src=x onerror=a()>\">",
        "<textarea><p title=\"</textarea><img src=x onerror=a()>\">",
        "<title><p title=\"</title><img src=x onerror=a()>\">",
        "<plaintext><img src=x onerror=a()>", "<iframe srcdoc='<script>a()</script>'>",
        "<iframe src=javascript:a()>b</iframe>c",
        "<p title='</style><script>a()</script>'>b", "<img alt='</title><script>a()</script>' src=http://a/b>",
        "<noscript><style></noscript><img src=x onerror=a()></style>", "<template><style></template><img src=x>",
        "<select><style></select><img src=x onerror=a()></style>",
        "<option><style></option></select><b><img src=x></style>",
        "<table><style></table><img src=x onerror=a()></style>", "<title></title><title>a", "<body><title>a</title>b",
        "<link rel=stylesheet href=http://a/b>c", "<meta http-equiv=refresh content='0;url=javascript:a()'>b",
        "<base href=javascript:a()//><a href=b>c", "<embed src=javascript:a()>b",
        "<object data=javascript:a()>b</object>",
        "<xmp>\n\na<b></xmp>", "<listing><p></listing>a", "<script><!--<script></script>--></script>a",
    ]

    private static let clobbering = [
        "<form name=body><input name=firstChild>", "<a id=x><a id=x name=y href=http://a/>b",
        "<img name=cookie src=http://a/b>",
        "<form id=__proto__>a", "<p id=constructor class=a slot=b is=c part=d>e",
        "<input form=a formaction=javascript:a()>",
        "<label for=a>b</label>",
        "<p itemscope itemref=a contenteditable tabindex=1 accesskey=a autofocus onfocus=a()>b",
        "<object name=a><object name=b>", "<iframe name=top>", "<map name=a><area href=javascript:a()></map>b",
        "<img usemap=#a src=http://a/b ismap>", "<output for=a name=b>c</output>",
        "<button form=a formaction=b>c</button>",
        "<p popover=auto popovertarget=a>b", "<a ping=http://a/ download target=_top href=http://b/>c",
        "<p data-x=a aria-owns=b aria-labelledby=c headers=d>e", "<table summary=a><th headers=b abbr=c scope=row>d",
    ]

    private static let addresses: [String] = {
        let texts = [
            "javascript:a()", "JaVaScRiPt:a()", " javascript:a()", "\u{1}javascript:a()", "java\tscript:a()",
            "java\nscript:a()",
            "java\rscript:a()", "java&#9;script:a()", "java&#x0A;script:a()", "java&Tab;script&colon;a()",
            "&#106;avascript:a()",
            "&#x6A&#x61vascript:a()", "javascript&colon;a()", "javascript&#58;a()", "ｊavascript:a()",
            "java\0script:a()",
            "java\u{200B}script:a()", "javascript\u{FF1A}a()", "\u{FEFF}javascript:a()", "vbscript:a()",
            "data:text/html,<script>a()</script>",
            "data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,iVBORw0KGgo=", "data:image/png,a",
            "data:image/png;base64,a'b",
            "file:///etc/passwd", "FILE:a", "blob:http://a/b", "filesystem:http://a/b", "about:blank",
            "view-source:http://a/",
            "//evil.example/a", "\\\\evil.example\\a", "/\\evil.example", "http:evil.example",
            "http:\\\\evil.example\\a",
            "https:///evil.example", "https://user:pass@evil.example/", "https://a%2eb/", "https://a b/",
            "https://[::1]:80/",
            "https://[::1", "https://a:99999999/", "https://a:b/", "https://", "https:", ":", "#a", "?a", "a/b", "../a",
            "javascript://%0aa()", "jar:http://a!/b", "feed:javascript:a()", "mailto:a@b.c?subject=d'e", "tel:+1",
            "TEL:1",
            "sms:1", "app://x/y", "cid:a@b", "https://a/b c\"d<e>f`g", "https://ä.example/ö?ü#ß", "https://a/\u{202E}b",
            "intent://a",
            "https://a/?b=javascript:c", "ht\ntps://a/", "https\u{0}://a/", "https://a\u{1}b/", "https:/\t/a/",
            "  https://a/  ",
        ]
        return texts.enumerated().map { index, text in
            let value = text.replacing("\"", with: "&quot;")
            switch index % 3 {
            case 0: return "<a href=\"\(value)\" data-link=\"\(value)\">a</a><img src=\"\(value)\">"
            case 1: return "<img src=\"\(value)\"><a href=\"\(value)\">a</a><p style=\"background:url('\(value)')\">"
            default: return "<div data-link=\"\(value)\">a</div><a href=\"\(value)\">b</a><td background=\"\(value)\">"
            }
        }
    }()

    private static let styles: [String] = [
        #"background:\75rl(javascript:a())"#, #"background:u\72l("http://a/b")"#, "background:url(javascript:a())",
        "background:url( 'http://a/b' )", "background:url(http://a/b", "background:url(http://a/(b)",
        "background:url(a b)",
        "background:/**/url(//a/b)/**/red", "col/**/or:red", "color/**/:/**/red", "color:r/**/ed",
        "width:expression(a())",
        #"width:ex\pression(a())"#, "width:e/**/xpression(a())", "width:calc(1px + 2px)", "position:fixed;top:0",
        #"p\6f sition:fixed"#, "POSITION:ABSOLUTE", "z-index:9", "behavior:url(a.htc)", "-moz-binding:url(a)",
        "@import 'a'",
        "@import url(a);color:red", "@media x{color:red}color:blue", "color:red}body{color:blue", "color:{red}",
        "color:red;;;",
        "color:red!important;color:blue", "color:blue ! IMPORTANT", "color:red important", "color:!important",
        "--a:b;color:var(--a)",
        "content:'a'", "font-family:'a</style><img src=x onerror=b()>'", #"font-family:'\27 ;color:red'"#,
        #"font-family:"a\"b""#,
        "font-family:Arial, 'Segoe UI', Foo Bar, sans-serif", #"font-family:\41rial"#,
        "font:bold 12px/1.5 'Segoe UI',serif",
        "font-family:,Arial", "font-family:Arial,", "font-family:'a\nb'", "font-family:'ａ',ä",
        "color:#fff;color:#ffff;color:#ff",
        "color:rgb(1,2,3)", "color:rgba(1 2 3 / 50%)", "color:hsl(120deg,100%,50%)", "color:hsla(-30,100%,50%,.5)",
        "color:rgb(1,2)",
        "color:rgb(1,2,3", "color:rgb(calc(1),2,3)", "color:RED", "color:WindowText", "width:100", "width:1e3px",
        "width:+.5em",
        "width:-5px", "margin:-10px", "margin:0 auto", "width:99999999px", "width:00012.50000px", "line-height:1.5",
        "width:10PX",
        "opacity:.5", "border:1px solid #abc", "border-radius:1px / 2px",
        "background:#fff url(http://a/b) no-repeat center / cover",
        "background-image:image-set('a' 1x)", "background-image:url(cid:a@b)",
        "background-image:url(data:image/png;base64,aaaa)",
        "background-image:url('http://a/b\\'c')", "background-image:url(\"http://a/b\\\nc\")", "width:10px\\9",
        "*width:10px", "_width:1px",
        "filter:progid:a", "color:red\\", "color:re\\", "color:'red", "<!-- color:red -->", "color:red<!--",
        "{};color:red", "[;];color:red",
        "color:red;)color:blue", "display:none", "display:flex", "mso-hide:all", "transform:scale(9)", "animation:a 1s",
        "color: red;\0width:1px",
        "list-style:square url(http://a/b)", "cursor:url(http://a/b),auto", "text-decoration:underline", "unknown:red",
        "color", ":red", ";:;",
    ].map { "<p style=\"\($0.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))\">a" }

    /// Each of these elements in each of those.
    private static let generated: [String] = {
        let outer = [
            "p", "a href=http://a/", "table", "select", "svg", "math", "title", "noscript", "template", "pre", "button",
            "h1", "ul><li",
        ]
        let deep = (28...40).flatMap { depth in
            ["<b>a<p>b<td>c", "<caption>a<tr>b", "<tr><td>a<ul><li>b</table>c", "<colgroup><col>a<td><h1><h2>b"].map {
                String(repeating: "<div>", count: depth) + "<table>" + $0
            }
        }
        // Forms make elements deeper than a parser's stack, so that their contents are moved out of cells.
        let moved = (8...22).flatMap { depth in
            ["<tr><td><p>a<b>b<td>c", "<tr><td><b>a</b><div>b</div>c<hr><td>d", "<caption><b>a</b><p>b"].map {
                String(repeating: "<form><div></form>", count: depth) + "<table>" + $0
            }
        }
        let inner = ["<p>a", "<table><tr><td>b", "<style><img src=x>", "<li>c<li>d"]
        return deep
            + outer.flatMap { outer in
                inner.map { "<\(outer)>\($0)</\(outer.prefix { $0 != " " && $0 != ">" })>e<b>f" }
            }
    }()
}
