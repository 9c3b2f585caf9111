import HTMLCleaning
import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StyleSheetTests {
    /// The markup of a body under a style sheet.
    private func styled(_ sheet: String, _ body: String, medium: HTMLMedium? = HTMLMedium()) -> String {
        clean("<!doctype html><style>\(sheet)</style>\(body)", .init(medium: medium))
    }

    @Test func `rules are written into the elements that they select`() {
        #expect(styled("p { color: red }", "<p>a<b>b</b>") == "<p style=\"color: red\">a<b>b</b></p>")
        #expect(
            styled(".x.y{color:red}", "<p class=\"y z x\">a<p class=x>b") == "<p style=\"color: red\">a</p><p>b</p>"
        )
        #expect(
            styled("#i, i{color:red}", "<p id=i>a<i>b") == "<p style=\"color: red\">a<i style=\"color: red\">b</i></p>"
        )
        #expect(styled("*{color:red}", "<br>") == "<div style=\"color: red\"><br style=\"color: red\"></div>")
        #expect(
            styled("a:link{color:red}", "<a href=http://a/>b</a><a>c</a>")
                == "<a href=\"http://a/\" style=\"color: red\">b</a><span>c</span>"
        )
    }

    @Test func `style sheets elsewhere are counted, and none is loaded`() {
        func count(_ html: String, medium: HTMLMedium? = HTMLMedium()) -> Int {
            let message = HTMLCleaner(.init(medium: medium)).clean(html)
            #expect(!message.markup.contains("evil"), "\(html)")
            return message.importedStyleSheetCount
        }
        #expect(count("<style>p{color:red}</style><p>a") == 0)
        #expect(count("<style>@import 'evil.css'; @IMPORT url(evil.css) screen; p{color:red}</style><p>a") == 2)
        #expect(count("<style>@import 'evil.css'</style>a") == 1, "without an end, and without a rule")
        #expect(count("<style>@important x; a{content:'@import evil'}</style>a") == 0)
        #expect(count("<link rel='preload STYLESHEET' href=evil.css><link rel=icon href=evil.png>a") == 1)
        #expect(count("<style>@import 'evil.css';</style><link rel=stylesheet href=evil>", medium: nil) == 1)
    }

    @Test func `descendants and children are distinct`() {
        let body = "<div class=a><p><b>c</b></p></div>"
        let found = "<div><p><b style=\"color: red\">c</b></p></div>"
        let none = "<div><p><b>c</b></p></div>"
        #expect(styled("div b{color:red}", body) == found)
        #expect(styled("div > b{color:red}", body) == none)
        #expect(styled("div>p > b{color:red}", body) == found)
        #expect(styled("html body .a>p b{color:red}", body) == found)
        #expect(styled("p div b{color:red}", body) == none)
        // The nearest `u` has no `i` as its parent, but the one above it has.
        #expect(
            styled("i > u b{color:red}", "<i><u><u><b>c") == "<i><u><u><b style=\"color: red\">c</b></u></u></i>"
        )
        #expect(
            styled("s i > u > b{color:red}", "<s><i><u><b>c</b></u></i></s>").contains("<b style=")
        )
        #expect(styled("i > u > b{color:red}", "<i><u><s><u><b>c").contains("style") == false)
    }

    @Test func `later and more specific rules win, and the element's style over them`() {
        let sheet = "#i{color:lime}p{color:red}.c{color:blue}p{color:navy}"
        #expect(styled(sheet, "<p>a") == "<p style=\"color: navy\">a</p>")
        #expect(styled(sheet, "<p class=c>a") == "<p style=\"color: blue\">a</p>")
        #expect(styled(sheet, "<p class=c id=i>a") == "<p style=\"color: lime\">a</p>")
        #expect(styled(sheet, "<p class=c style='color:gold'>a") == "<p style=\"color: gold\">a</p>")
        #expect(
            styled("p{color:red!important;width:1px}", "<p style='color:gold'>a")
                == "<p style=\"width: 1px; color: gold; color: red\">a</p>"
        )
        #expect(
            styled("p{color:red!important}", "<p style='color:gold!important'>a") == "<p style=\"color: gold\">a</p>"
        )
        #expect(
            styled("p{margin-top:1px;margin:2px;margin-top:3px}", "<p>a")
                == "<p style=\"margin: 2px; margin-top: 3px\">a</p>"
        )
        #expect(
            styled("td{background-color:red}", "<table><tr><td bgcolor=lime>a").contains(
                "<td bgcolor=\"lime\" style=\"background-color: red\">"
            )
        )
    }

    @Test func `media queries are answered for the medium`() {
        let narrow = HTMLMedium(width: 400)
        for (query, wide, small) in [
            ("screen", true, true), ("only screen", true, true), ("print", false, false), ("not print", true, true),
            ("(max-width: 600px)", false, true), ("screen and (min-width:480px)", true, false),
            ("only screen and (min-width: 20em) and (max-width:25em)", false, true),
            ("print, (max-device-width:500px)", false, true), ("(prefers-color-scheme: dark)", false, false),
            ("(prefers-color-scheme:light)", true, true), ("(-webkit-min-device-pixel-ratio:0)", false, false),
            ("not screen and (max-width:600px)", true, false), ("not all and (unknown:1)", false, false),
            ("", true, true), ("screen (max-width:600px)", false, false),
        ] {
            let sheet = "@media \(query){p{color:red}}b{color:lime}"
            for (medium, applies) in [(HTMLMedium(), wide), (narrow, small)] {
                let first = applies ? "<p style=\"color: red\">" : "<p>"
                #expect(
                    styled(sheet, "<p>a<b>c", medium: medium) == "\(first)a<b style=\"color: lime\">c</b></p>",
                    "\(query) \(medium)"
                )
                let whole = clean("<style media='\(query)'>p{color:red}</style><p>a", .init(medium: medium))
                #expect(whole == "\(first)a</p>", "\(query) \(medium)")
            }
        }
        let dark = HTMLMedium(isDark: true)
        let sheet = "@media (prefers-color-scheme: dark) { @media screen { p { color: red } } b { color: lime } }"
        #expect(
            styled(sheet, "<p>a<b>c", medium: dark) == "<p style=\"color: red\">a<b style=\"color: lime\">c</b></p>"
        )
        #expect(styled("p{color:red}", "<p>a", medium: nil) == "<p>a</p>")
    }

    @Test func `rules that can't be written into an element are left out`() {
        for sheet in [
            "p:hover{color:red}", "p::before{content:'x'}", "p+p{color:red}", "p~p{color:red}", "[a]{color:red}",
            "@import 'x';", "@font-face{font-family:x;src:url(y)}", "@supports (color:red){p{color:red}}",
            "p{position:fixed;behavior:url(x);background:url(javascript:a)}", "p{}", "p p p",
            "{color:red}", ">p{color:red}", "p>{color:red}", "p>>b{color:red}", ".{color:red}", "p.p.{color:red}",
            "p\\", "@media{", "@media screen{p{", "}", "p{color:var(--x)}", "b;p{color:red}",
        ] {
            #expect(styled(sheet, "<p>a") == "<p>a</p>", "\(sheet)")
        }
        #expect(styled("p:hover,p,{color:red}", "<p>a") == "<p style=\"color: red\">a</p>")
        #expect(styled("@import 'x';@charset 'y';p{color:red", "<p>a") == "<p style=\"color: red\">a</p>")
        #expect(styled("@page a{margin:1px{x}}p{color:red}", "<p>a") == "<p style=\"color: red\">a</p>")
        #expect(styled("<!-- p{color:red} -->b{color:lime}", "<p>a<b>c").contains("<b style"))
        #expect(styled("<!-- p{color:red} -->", "<p>a") == "<p style=\"color: red\">a</p>")
        #expect(styled("/*p{*/p{/*}*/color:red}", "<p>a") == "<p style=\"color: red\">a</p>")
    }

    @Test func `the body's rules are its block's`() {
        #expect(styled("body{color:red;margin:0}", "a") == "<div style=\"color: red; margin: 0\">a</div>")
        #expect(
            styled("body{color:red}", "<body bgcolor=lime>a")
                == "<div style=\"background-color: lime; color: red\">a</div>"
        )
    }

    @Test func `the body's color of links is what any rule overrides`() {
        let text = "<body link=lime><a href=//a/>b</a><a style=color:red href=//a/>c</a><a>d</a>"
        #expect(
            clean(text) == "<a href=\"https://a/\" style=\"color: lime\">b</a>"
                + "<a href=\"https://a/\" style=\"color: red\">c</a><span>d</span>"
        )
        #expect(clean("<style>*{color:red}</style>" + text).contains("lime") == false)
        #expect(clean("<body link=url(a)><a href=//a/>b") == "<a href=\"https://a/\">b</a>")
    }

    @Test func `names have their case but in quirks mode`() {
        let text = "<style>.A{color:red}#B{color:lime}P{margin:0}</style><p class=a>a<p id=b>b"
        #expect(
            clean(text) == "<p style=\"margin: 0; color: red\">a</p><p style=\"margin: 0; color: lime\">b</p>"
        )
        #expect(clean("<!doctype html>" + text) == "<p style=\"margin: 0\">a</p><p style=\"margin: 0\">b</p>")
    }

    @Test func `style sheets apply anywhere in a document except in foreign content`() {
        #expect(clean("<p>a<style>p{color:red}</style>") == "<p style=\"color: red\">a</p>")
        #expect(clean("<p>a<svg><style>p{color:red}</style></svg>") == "<p>a</p>")
        #expect(clean("<p>a<template><style>p{color:red}</style></template>") == "<p>a</p>")
        #expect(clean("<p>a<textarea><style>p{color:red}</style></textarea>").hasPrefix("<p>a"))
    }

    @Test func `the decision about a style sheet's picture is requested once, if it is used`() {
        var asked: [String] = []
        let text = """
            <style>p{background:#fff url('https://a/1')}b{background-image:url(https://a/2)}\
            i{background:url(data:,x)}</style><p>a<p>b<i>c
            """
        let result = HTMLCleaner().clean(
            text,
            pictures: { picture in
                asked.append(picture.url)
                return .replace("/3")
            }
        )
        #expect(asked == ["https://a/1"])
        #expect(result.pictures.map(\.use) == [.background])
        let paragraph = "<p style=\"background: #fff url('/3')\">"
        #expect(result.markup == "\(paragraph)a</p>\(paragraph)b<i>c</i></p>")
    }

    @Test func `a picture that a style sheet hides is a tracking pixel`() {
        let text = "<style>.h{display:none}.s{width:1px;height:1px}</style>"
        let result = HTMLCleaner().clean(text + "<img class=h src=http://a/1><img class=s src=http://a/2><p class=h>b")
        #expect(result.trackingPixelCount == 2)
        #expect(result.markup == "<p style=\"display: none\">b</p>")
        #expect(HTMLText(result, width: 40).lines.isEmpty)
    }

    @Test func `what style sheets add is at most half of the limit of bytes`() {
        let value = (0..<50).map { "'Family \($0)'" }.joined(separator: ",")
        let text = "<style>b{font-family:\(value)}</style>" + String(repeating: "<p><b>a</b>", count: 500)
        let result = HTMLCleaner(.init(limits: HTMLLimits(bytes: 100_000))).clean(text)
        #expect(result.reachedLimits == .styles)
        #expect(result.markup.utf8.count < 100_000)
        #expect(result.markup.utf8.count > 55_000)
        #expect(HTMLCleaner().clean(text).reachedLimits.isEmpty)
    }

    @Test func `selectors apply up to a limit of comparisons`() {
        let sheet = (0..<2_000).map { "p b{margin:\($0)px}" }.joined()
        let result = HTMLCleaner().clean("<style>\(sheet)</style>" + String(repeating: "<p>a<b>c</b>", count: 2_000))
        #expect(result.reachedLimits == .styles)
        #expect(result.markup.hasSuffix("<p>a<b>c</b></p>"))
        let few = HTMLCleaner().clean("<style>\(sheet)</style><p>a<b>c</b>" + String(repeating: "<br>", count: 60))
        #expect(few.markup.hasPrefix("<p>a<b style=\"margin: 1999px\">c</b>"))
    }

    @Test func `pictures in the addresses of style sheets have a limit of their own`() {
        let picture = "data:image/png;base64," + String(repeating: "A", count: 4 << 20)
        let sheet = "<style>p { background: url(https://a.example/b.png) } p, b { color: red }</style>"
        func clean(_ count: Int) -> CleanHTML {
            HTMLCleaner().clean(
                sheet + String(repeating: "<p>a", count: count) + "<p><b>c",
                pictures: { _ in .replace(picture) }
            )
        }
        // Seven of them are in less than 32 MiB, with their declarations eight aren't.
        let all = clean(6)
        #expect(all.markup.utf8.count > 28 << 20 && all.reachedLimits.isEmpty)
        let cut = clean(20)
        #expect(cut.markup.utf8.count < 32 << 20 && cut.reachedLimits == .styles)
        #expect(cut.markup.hasSuffix("<p style=\"color: red\"><b style=\"color: red\">c</b></p>"))
    }
}
