import HTMLCleaning
import HTMLInputs
import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct LinearTimeTests {
    static let parts = [
        "<div>", "<p>", "<p><table><tr><td>", "<a href=http://a/>", "<b>", "<x>", "<ul><li>", "<p><span>", "<br>",
        "a&amp;",
        "<img src=http://a/b>", "<pre>\n", "<table>a", "<td>a", "<div data-link=http://a/>b",
        "<b data-actiontype=close>",
        "<p style='color:red'>", "<p hidden>", "&#13;", "<h1>", "<dl><dt>", "<svg>a", "<ruby><rt>", "<div></div>",
        "<p><div>", "<b data-link=http://a/>b", "<i hidden title=a lang=b>",
    ]
    static let styles = [
        "color:red;", "(", "color:rgb(", "/*", "\\", "'", "url(", "background:url(http://a/b);", "a:b;", "{", "font:x,",
        "!",
        "color:red!important;", "1", "-", "#", "}", "@a", "<!--", "font-family:'a",
    ]
    static let sheets = [
        "p{color:red}", "*{color:red}", "p p{margin:0}", ".a.b{}", "{", "}", "@media screen{", "p,", "p>", "#a ", "/*",
        "p{", "p{color:red;", "p{background:url(http://a/b)}", "@a", ";", "<!--", "p{(", ":link", ".a>.a>p{width:1px}",
    ]
    static let addresses = ["a", "/", "\\", "%", "../", "a:", "@", "?", " ", "\t", ":"]

    /// All values in long tests, otherwise every tenth.
    private static func some<Value>(_ all: [Value]) -> [Value] {
        Inputs.isLong ? all : all.indices.filter { $0 % 10 == 0 }.map { all[$0] }
    }

    /// Four times the input may take four times the processor time. Quadratic growth would take sixteen times.
    private func check(_ text: (Int) -> String) {
        let cleaner = HTMLCleaner(.init(readsActions: true, limits: HTMLLimits(bytes: 1 << 24, nodes: 1 << 24)))
        let small = text(16_000)
        let large = text(64_000)
        func time(_ text: String) -> Double { ProcessorTime.measure { _ = cleaner.clean(text).markup } }
        var ratio = time(large) / time(small)
        // A measurement may be disturbed, but not each of them.
        for _ in 0..<4 where ratio > 8 { ratio = min(ratio, time(large) / min(time(small), time(small))) }
        #expect(ratio <= 8)
    }

    @Test(arguments: some(parts)) func `time grows linearly with the elements`(part: String) {
        check { String(repeating: part, count: $0 / part.utf8.count) }
    }

    @Test(arguments: some(HostileInput.all)) func `time grows linearly with a hostile input`(input: HostileInput) {
        check { input.text($0 / 2) }
    }

    @Test(arguments: some(styles)) func `time grows linearly with a style`(part: String) {
        check { "<p style=\"" + String(repeating: part, count: $0 / part.utf8.count) + "\">a" }
    }

    @Test(arguments: some(sheets)) func `time grows linearly with a style sheet and its elements`(part: String) {
        check { size in
            "<style>" + String(repeating: part, count: size / 2 / part.utf8.count) + "</style>"
                + String(repeating: "<p class='a b' id=a>", count: size / 40)
        }
    }

    @Test(arguments: some(addresses)) func `time grows linearly with an address`(part: String) {
        check { "<a href=\"https://a/" + String(repeating: part, count: $0 / part.utf8.count) + "\">a" }
    }
}
