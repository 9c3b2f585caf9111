import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenizerTests {
    @Test func `names are read in lowercase and values as they are`() {
        #expect(body("<DIV CLASS=Big Data-ID='X'>a</DiV>b") == #"<div class="Big" data-id="X">a</div>b"#)
    }

    @Test func `the first of repeated attributes counts`() {
        #expect(body("<p a=1 b=2 A=3 b>") == #"<p a="1" b="2"></p>"#)
    }

    @Test func `character references are resolved in text and values`() {
        #expect(body("&lt;&amp;&notin;&notit;&#x1F4EC;&#65;&#0;&#xD800;&#128;") == "&lt;&amp;∉¬it;📬A��€")
        #expect(body("&unknown; & &; &#; &#x; &ampx") == "&amp;unknown; &amp; &amp;; &amp;#; &amp;#x; &amp;x")
        #expect(body("<p a='&lt;&ltx&lt=&copy'>") == #"<p a="&lt;&amp;ltx&amp;lt=©"></p>"#)
        #expect(body("<p a=x&amp;y&lt>") == #"<p a="x&amp;y&lt;"></p>"#)
    }

    @Test func `U+0000 is dropped from text and replaced elsewhere`() {
        #expect(body("a\0b<p a\0=\0>") == "ab<p a\u{FFFD}=\"\u{FFFD}\"></p>")
        #expect(body("<x\0y>") == "<x\u{FFFD}y></x\u{FFFD}y>")
        #expect(body("<textarea>\0</textarea><!--\0-->") == "<textarea>\u{FFFD}</textarea><!--\u{FFFD}-->")
        #expect(body("<svg>\0") == "<svg>\u{FFFD}</svg>")
    }

    @Test func `comments end where the standard ends them`() {
        #expect(
            body("a<!-->b<!--->c<!--d--!>e<!--f--g-->h<!-- <!-- -->i")
                == "a<!---->b<!---->c<!--d-->e<!--f--g-->h<!-- <!-- -->i"
        )
        #expect(body("a<!--b--") == "a<!--b-->")
        #expect(body("a<!b>c<?d>e</ f>g</>h") == "a<!--b-->c<!--?d-->e<!-- f-->gh")
    }

    @Test func `text elements end at their own end tag`() {
        #expect(body("<p><textarea></p>&amp;</TEXTAREA >a") == "<p><textarea>&lt;/p&gt;&amp;</textarea>a</p>")
        #expect(body("<p><xmp></p>&amp;</xmp>a") == "<p></p><xmp></p>&amp;</xmp>a")
        #expect(body("<p><iframe><b></iframes></iframe>a") == "<p><iframe><b></iframes></iframe>a</p>")
        #expect(body("<plaintext></plaintext>") == "<plaintext></plaintext></plaintext>")
    }

    @Test func `a script ends after the comment that hides its end tag`() {
        let script = "<!-- <script> </script> --> "
        #expect(body("<p><script>\(script)</script>a") == "<p><script>\(script)</script>a</p>")
        #expect(body("<p><script><!-- </script>a") == "<p><script><!-- </script>a</p>")
    }

    @Test func `CDATA is a section in foreign content and a comment elsewhere`() {
        #expect(body("<svg><![CDATA[<a>]]]></svg><![CDATA[b]]>") == "<svg>&lt;a&gt;]</svg><!--[CDATA[b]]-->")
    }

    @Test func `a tag that the input ends is dropped`() {
        for end in ["<b", "<b a", "<b a=", "<b a='c", "<b a=c", "</b", "<b /"] {
            #expect(body("<p>text" + end) == "<p>text</p>")
        }
        #expect(body("<p>text<") == "<p>text&lt;</p>")
        #expect(body("<p>text</") == "<p>text&lt;/</p>")
    }

    @Test func `tags with unusual attributes are read`() {
        #expect(
            body(#"<p a=b"c d/e=/f/ =g h = i'j=k l"m>"#) == #"<p a="b&quot;c" d="" e="/f/" =g="" h="i'j=k" l"m=""></p>"#
        )
    }
}
