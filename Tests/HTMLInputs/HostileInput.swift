/// An input that is costly for a parser that walks too often over what it has.
package struct HostileInput: Sendable, CustomStringConvertible {
    package let name: String
    /// Returns a text of about this many bytes.
    package let text: @Sendable (_ size: Int) -> String

    package var description: String { name }

    private static func repeated(_ part: String, after start: String = "", before end: String = "") -> HostileInput {
        HostileInput(name: "\(start)…\(part)…\(end)") { size in
            start + String(repeating: part, count: size / part.utf8.count) + end
        }
    }

    /// Parts that differ by their number.
    private static func numbered(
        _ name: String,
        after start: String = "",
        _ part: @escaping @Sendable (Int) -> String
    ) -> HostileInput {
        HostileInput(name: name) { size in
            var text = start
            var index = 0
            while text.utf8.count < size {
                text += part(index)
                index += 1
            }
            return text
        }
    }

    /// Two halves of the same number of parts.
    private static func halves(_ first: String, _ second: String, after start: String = "") -> HostileInput {
        HostileInput(name: "\(start)…\(first)…\(second)…") { size in
            let count = size / (first.utf8.count + second.utf8.count)
            return start + String(repeating: first, count: count) + String(repeating: second, count: count)
        }
    }

    private static let manyFonts = (0..<400).map { "<font size=\($0)>" }.joined()
    private static let manySpans = String(repeating: "<span>", count: 400)

    package static let all: [HostileInput] = [
        // Depth.
        repeated("<div>"), repeated("<b>"), repeated("<x>"), repeated("<svg>"), repeated("<table><tr><td>"),
        repeated("<ul><li>"), repeated("<template>"), repeated("<form><div></form>"), repeated("<select><option>"),
        halves("<div>", "</div>"), halves("<b>", "</b>"), halves("<a>", "<p>"), halves("<math><mi>", "</math>"),
        // Scopes.
        repeated("</p>", after: manySpans), repeated("</p>", after: "<p><button>" + manySpans),
        repeated("<li>", after: String(repeating: "<div>", count: 400)), repeated("</x>", after: manySpans),
        repeated("</li></dd></h1>", after: "<li><dd><h1><table><td>" + manySpans),
        repeated("<svg></g>", after: "<svg>" + manySpans), repeated("<table>", after: manySpans),
        repeated("<hr><option>", after: "<select>" + manySpans), repeated("</form><form>", after: manySpans),
        // Active formatting elements.
        numbered("unclosed fonts in paragraphs", after: "<p>") { "<font size=\($0)></p><p>" },
        repeated("</p><p>a", after: "<p>" + manyFonts), repeated("<b></p>", after: "<p>"),
        numbered("links with targets") { "<a href=\($0)>" }, repeated("<a href=1>b<p>"),
        numbered("fonts with many attributes") { font in
            "<font" + (0..<100).map { " a\($0 * (font % 2 == 0 ? 1 : 99) % 100)" }.joined() + ">"
        },
        repeated("<p></b></p>", after: "<b>"), repeated("<nobr>"), repeated("<object><b>"), repeated("<td><b>"),
        repeated("</font>", after: manyFonts + String(repeating: "<div>", count: 100)),
        // The adoption agency.
        repeated("<b><p>a</b>"), repeated("<a><div><a>"), repeated("<b><i><u><p></b>b</i></u>"),
        halves("<b><div>", "</b>"), repeated("<i><b><x><div></i>"), repeated("<a>b<table><a>"),
        HostileInput(name: "children moved again and again") { size in
            String(repeating: "<b>", count: 400) + "<p>" + String(repeating: "<br>", count: size / 8)
                + String(repeating: "</b>a", count: size / 10)
        },
        // Tables.
        repeated("a<td>b", after: "<table>"), repeated("<table>a"), repeated("a<tr>", after: "<table>"),
        repeated("<b>", after: "<table>"), repeated(" a", after: "<table>"), repeated("<td></table><table>"),
        // Attributes.
        numbered("attributes of one element", after: "<p") { " a\($0)=b" },
        numbered("attributes of the body") { "<body a\($0)>" }, numbered("elements of new names") { "<x\($0)>" },
        repeated(" a", after: "<p"), repeated("=", after: "<p "), repeated("&amp;", after: "<p a='"),
        // The tokenizer.
        repeated("&"), repeated("&am"), repeated("&#1"), repeated("<"), repeated("<!--"), repeated("-", after: "<!--"),
        repeated("--!", after: "<!--"), repeated("<![CDATA[", after: "<svg>"), repeated("]", after: "<svg><![CDATA["),
        repeated("<!-- <script>", after: "<script>"), repeated("</titl", after: "<title>"),
        repeated("</script", after: "<script><!--"), repeated("\0"), repeated("\r"), repeated("<!doctype a>"),
        HostileInput(name: "a long name") { "<" + String(repeating: "A", count: $0) + ">" },
        // Selects.
        repeated("<option selected>a", after: "<select><button><selectedcontent></button>"),
        repeated("<div><option>", after: "<select><button><selectedcontent></button>"),
        repeated("<selectedcontent>", after: "<select><option>a</option>"),
    ]
}
