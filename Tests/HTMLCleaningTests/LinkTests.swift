import HTMLCleaning
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LinkTests {
    @Test func `every link is reported with its index, address, text and type`() {
        let message = HTMLCleaner(.init(readsActions: true)).clean(
            "<a href=https://a/>One\n <b>two</b></a><a href=javascript:x>no</a><a href=mailto:b@c"
                + " data-actiontype=' browser '>three</a>"
        )
        #expect(message.links.map(\.index) == [0, 1])
        #expect(message.links.map(\.url) == ["https://a/", "mailto:b@c"])
        #expect(message.links.map(\.text) == ["One two", "three"])
        #expect(message.links.map(\.actionType) == [nil, "browser"])
        #expect(message.links.map(\.isWritten) == [true, true])
        #expect(message.rejectedAddressCount == 1)
        #expect(message.markup.contains("<span>no</span>"))
    }

    @Test func `a page routes links through its own address`() {
        let message = HTMLCleaner().clean("<a href='https://a/?b=c&d'>e</a>") { link in
            #expect(link.text == "e")
            return .replace("/go?to=\(link.index)&mac=\"f\"")
        }
        #expect(message.markup == "<a href=\"/go?to=0&amp;mac=&quot;f&quot;\">e</a>")
        #expect(message.links.first?.url == "https://a/?b=c&d")
    }

    @Test func `a link is removed by decision, or if its replacement runs code`() {
        let decisions: [HTMLLink.Decision] = [
            .remove, .replace(""), .replace("javascript:a()"), .replace("java\tscript:a()"),
            .replace("data:text/html,a"),
        ]
        for decision in decisions {
            let message = HTMLCleaner(.init(opensLinksOutside: true)).clean("<a href=https://a/ title=b>c</a>") { _ in
                decision
            }
            #expect(message.markup == "<span title=\"b\">c</span>")
            #expect(message.links.map(\.isWritten) == [false])
        }
    }

    @Test func `a long text of a link is cut after 512 bytes, between characters`() {
        func text(_ text: String) -> String? { HTMLCleaner().clean("<a href=https://a/>\(text)</a>").links.first?.text }
        #expect(text(String(repeating: "a", count: 512)) == String(repeating: "a", count: 512))
        #expect(text(String(repeating: "a", count: 513)) == String(repeating: "a", count: 512))
        #expect(text(String(repeating: "日", count: 200)) == String(repeating: "日", count: 170))
        #expect(text("ab" + String(repeating: "日", count: 170)) == "ab" + String(repeating: "日", count: 170))
    }

    @Test func `links can open outside`() {
        #expect(
            clean("<a href=https://a/ target=_top rel=opener>b</a>", .init(opensLinksOutside: true))
                == "<a href=\"https://a/\" target=\"_blank\" rel=\"noopener noreferrer\">b</a>"
        )
    }

    @Test func `a link within a link is reported, and not written`() {
        let message = HTMLCleaner().clean("<a href=https://a/><table><tr><td><a href=https://b/>c</a></table>d</a>")
        #expect(message.links.map(\.text) == ["cd", "c"])
        #expect(message.links.map(\.isWritten) == [true, false])
    }
}
