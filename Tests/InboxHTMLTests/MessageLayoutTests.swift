import InboxModel
import Testing

@testable import InboxHTML

/// What the page knows of a message's layout before a browser has shown it.
@Suite(.timeLimit(.minutes(5))) struct MessageLayoutTests {
    @Test func `a short message has a low frame, a long one the highest`() {
        #expect(MessageLayout("<p>Hello").height == 5)
        #expect(MessageLayout("").height == 5)
        let three = MessageLayout(String(repeating: "<p>Hello", count: 3)).height
        let ten = MessageLayout(String(repeating: "<p>Hello", count: 10)).height
        #expect(three == 10 && ten == 27)
        #expect(MessageLayout(String(repeating: "<p>Hello", count: 1_000)).height == 48)
    }

    @Test func `lines of text make a frame higher, and a narrow one more so`() {
        for letter in ["a", "ا"] {
            let layout = MessageLayout("<p>" + String(repeating: letter, count: 400))
            #expect(layout.height == 14, "letters, not bytes")
            #expect(layout.narrowHeight == 26)
        }
        #expect(MessageLayout("<p style='font-size:32px'>" + String(repeating: "a", count: 100)).height == 15)
    }

    @Test func `a picture has the height of its attributes, and less in a narrow frame`() {
        let sized = MessageLayout("<img src=a width=600 height=300>")
        #expect(sized.height == 20 && sized.narrowHeight == 11)
        let unsized = MessageLayout("<img src=a><img src=b>")
        #expect(unsized.height == 41 && unsized.narrowHeight == 21)
        #expect(MessageLayout(String(repeating: "<img src=a width=32 height=32> ", count: 6)).height == 5)
    }

    @Test func `padding, margins and heights make a frame higher`() {
        let padded = String(repeating: "<div style='padding:80px 20px'><p>Hello</div>", count: 2)
        #expect(MessageLayout(padded).height == 27)
        #expect(MessageLayout("<div style='padding:2em;padding-bottom:0;margin:32px 0'>Hello").height == 10)
        #expect(MessageLayout("<table><tr><td height=320>Hello</table>").height == 22)
    }

    @Test func `cells are beside each other, and each has its share of the width`() {
        let cell = "<td>" + String(repeating: "a", count: 100)
        #expect(MessageLayout("<table><tr>" + cell).height == 5)
        #expect(MessageLayout("<table><tr>" + String(repeating: cell, count: 10)).height == 28)
        #expect(MessageLayout("<table>" + String(repeating: "<tr>" + cell, count: 10)).height == 32)
    }

    @Test func `invisible content doesn't make a frame higher`() {
        let unseen = String(repeating: "a{} ", count: 1_000)
        #expect(MessageLayout("<style>\(unseen)</style><script>\(unseen)</script><p>Hello").height == 5)
        let spaces = String(repeating: " ", count: 9_000)
        #expect(MessageLayout("<template><img><img></template><!-- <img> --><p>Hello" + spaces).height == 5)
        let hidden = "<div style='Display: none'><img></div><p style='max-height:0'>\(unseen)</p>"
        #expect(MessageLayout(hidden + "Hello").height == 5)
    }

    @Test func `a style is read as the cleaner reads it, with strings and comments`() {
        let text = String(repeating: "a", count: 400)
        func height(_ style: String) -> Int { MessageLayout("<p style=\"\(style)\">\(text)").height }
        for shown in ["font-family:'x;display:none'", "/*;display:none;*/color:red", "display:nonesuch"] {
            #expect(height(shown) == 14, "\(shown)")
        }
        for hidden in ["display:none!important;display:block", "dis\\70lay:none", "max-height:0 ! important"] {
            #expect(height(hidden) == 5, "\(hidden)")
        }
        let nested = String(repeating: "<div>", count: 200) + "<p>\(text)"
        #expect(MessageLayout(nested).height == 14)
    }

    @Test func `a message with many nodes has a height in linear time`() {
        let cells = MessageLayout("<table><tr>" + String(repeating: "<td style='padding:1px'>", count: 40_000))
        #expect(cells.height == 5)
    }

    @Test func `only style sheets with media queries have a narrow layout`() {
        let query = "<style>p{color:red}@MEDIA (max-width:600px){p{width:100%}}</style><p>Hello"
        #expect(MessageLayout(query).widths == [.wide, .narrow])
        for html in ["<style>p{color:red}</style><p>Hello", "<p>@media", "<style></style>", "<!-- <style>@media -->"] {
            #expect(MessageLayout(html).widths == [.wide], "\(html)")
        }
    }
}
