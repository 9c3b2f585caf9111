import InboxModel
import Testing

@testable import InboxHTML

/// What the page knows of a message's layout before a browser has shown it.
@Suite(.timeLimit(.minutes(1))) struct MessageLayoutTests {
    @Test func `a short message has a low frame, a long one the highest`() {
        #expect(MessageLayout("<p>Hello").height == 10)
        #expect(MessageLayout("").height == 10)
        let three = MessageLayout(String(repeating: "<p>Hello", count: 3)).height
        let ten = MessageLayout(String(repeating: "<p>Hello", count: 10)).height
        #expect(three == 11 && ten == 27)
        #expect(MessageLayout(String(repeating: "<p>Hello", count: 1_000)).height == 48)
    }

    @Test func `lines of text and pictures make a frame higher`() {
        #expect(MessageLayout("<p>" + String(repeating: "a", count: 400)).height == 27)
        #expect(MessageLayout("<p>" + String(repeating: "ا", count: 400)).height == 27, "letters, not bytes")
        #expect(MessageLayout("<img src=a><img src=b>").height == 37)
    }

    @Test func `invisible content doesn't make a frame higher`() {
        let unseen = String(repeating: "a{} ", count: 1_000)
        #expect(MessageLayout("<style>\(unseen)</style><script>\(unseen)</script><p>Hello").height == 10)
        let spaces = String(repeating: " ", count: 9_000)
        #expect(MessageLayout("<template><img><img></template><!-- <img> --><p>Hello" + spaces).height == 10)
    }

    @Test func `only style sheets with media queries have a narrow layout`() {
        let query = "<style>p{color:red}@MEDIA (max-width:600px){p{width:100%}}</style><p>Hello"
        #expect(MessageLayout(query).widths == [.wide, .narrow])
        for html in ["<style>p{color:red}</style><p>Hello", "<p>@media", "<style></style>", "<!-- <style>@media -->"] {
            #expect(MessageLayout(html).widths == [.wide], "\(html)")
        }
    }
}
