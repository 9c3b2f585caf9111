import HTMLCleaning
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ColorTests {
    @Test func `a message without colors follows the scheme`() {
        func sets(_ html: String) -> Bool { HTMLCleaner().clean(html).setsColors }
        #expect(!sets("<p style='font-size:12px;border-color:red'>a<table border=1><td>b"))
        for html in [
            "<p style=color:red>", "<p style='background:#fff'>", "<font color=red>", "<table><td bgcolor=red>",
            "<body bgcolor=red>",
            "<body text=red>", "<p style='background-image:url(https://a/b)'>",
        ] {
            #expect(sets(html))
        }
        #expect(!sets("<p style=color:expression(a)><font color=nothing-known>"))
    }

    @Test func `luminance and contrast are those of WCAG 2`() {
        #expect(abs(HTMLColor.black.contrast(with: .white) - 21) < 1e-9)
        #expect(abs(HTMLColor.white.luminance - 1) < 1e-9)
        #expect(HTMLColor.black.luminance == 0)
        // The smallest gray that isn't readable on white, and its neighbor.
        #expect(HTMLColor(hex: "767676")?.isReadable(on: .white) == true)
        #expect(HTMLColor(hex: "777777")?.isReadable(on: .white) == false)
        #expect(abs((HTMLColor(hex: "777777")?.contrast(with: .white) ?? 0) - 4.478) < 0.001)
        #expect(HTMLColor(named: "Red")?.isReadable(on: .white) == false)
        #expect(HTMLColor(red: 0, green: 0, blue: 0, alpha: 0.3).isReadable(on: .white) == false)
    }

    @Test func `colors are read from digits and names`() {
        #expect(HTMLColor(hex: "abc") == HTMLColor(hex: "aabbcc"))
        #expect(HTMLColor(hex: "00000080")?.alpha == 128.0 / 255)
        #expect(HTMLColor(named: "rebeccapurple") == HTMLColor(hex: "663399"))
        for text in ["", "ab", "ggg", "abcde", "ａｂｃ"] { #expect(HTMLColor(hex: text) == nil) }
        #expect(HTMLColor(named: "windowtext") == nil)
    }

    @Test func `the lowest contrast of a message is found on each background`() {
        func lowest(_ html: String, background: HTMLColor = .white) -> Double? {
            let text: HTMLColor = background == .white ? .black : .white
            return HTMLCleaner().clean(html).lowestContrast(text: text, background: background)
        }
        #expect(lowest("<p>a").map { $0 > 20.9 } == true)
        #expect(lowest("<p style=color:#777>a").map { $0 < 4.5 } == true)
        #expect(lowest("<p style=color:#222>a", background: .black).map { $0 < 2 } == true)
        #expect(lowest("<p style='color:#222;background:#fff none'>a", background: .black).map { $0 > 15 } == true)
        #expect(lowest("<table bgcolor=white><tr><td><font color=white>a", background: .black) == 1)
        #expect(lowest("<p style='background:rgba(0,0,0,1)'><b>a").map { $0 < 1.1 } == true)
        #expect(lowest("<p style='color:#fff;background:url(https://a/b)'>a") == nil)
        #expect(lowest("<p hidden style=color:#fff>a") == nil)
        #expect(lowest(" ") == nil)
    }

    @Test func `the background color is the body's, in the order of the cascade`() {
        func background(_ text: String) -> HTMLColor? { HTMLCleaner().clean(text).backgroundColor }
        let red = HTMLColor(red: 255, green: 0, blue: 0)
        #expect(background("<body bgcolor=red>a") == red)
        #expect(background("<style>body{background:url(//a/b) #f00 no-repeat}</style><body bgcolor=lime>a") == red)
        #expect(background("<style>body{background:lime}</style><body style='background-color:rgb(255,0,0)'>a") == red)
        #expect(background("<body bgcolor=red style='background:none'>a") == nil)
        #expect(background("<body bgcolor=red style='background-color:transparent'>a") == nil)
        #expect(background("<div style='background:red'>a") == nil)
    }

    @Test func `a message supports dark mode if its meta element names the dark scheme`() {
        func supportsDark(_ text: String) -> Bool { HTMLCleaner().clean(text).supportsDark }
        #expect(supportsDark("<meta name=color-scheme content='light dark'>a"))
        #expect(supportsDark("<meta name=Supported-Color-Schemes content=DARK>a"))
        #expect(!supportsDark("<meta name=color-scheme content=light>a"))
        #expect(!supportsDark("<meta name=color-scheme content=darker>a"))
        #expect(!supportsDark("<meta name=theme content=dark>a"))
        #expect(!supportsDark("<meta content=dark><meta name=color-scheme>a"))
    }

    @Test func `an inherited color is none of the message's`() {
        #expect(!HTMLCleaner().clean("<p style='color:inherit'>a").setsColors)
        #expect(HTMLCleaner().clean("<style>p{color:red}</style><p>a").setsColors)
        #expect(!HTMLCleaner().clean("<style>b{color:red}</style><p>a").setsColors)
    }
}
