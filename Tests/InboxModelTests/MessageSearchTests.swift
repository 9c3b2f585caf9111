import Foundation
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct MessageSearchTests {
    private func finds(_ text: String, title: String = "", body: String = "") -> Bool {
        MessageSearch(text).matches(Message(id: "m", title: title, body: body, deliverAt: .now))
    }

    @Test func `each word has to be in the title or the text`() {
        #expect(finds("shoes order", title: "Your order", body: "Shoes are on their way"))
        #expect(!finds("shoes order", title: "Your order"))
        #expect(finds("sho", body: "Shoes"))
        // A word isn't looked for across the two.
        #expect(!finds("ab", title: "a", body: "b"))
    }

    @Test(arguments: [
        ("cafe", "CAFÉ"), ("CAFÉ", "cafe"), ("cafe\u{301}", "Café"), ("ｆｕｌｌ", "full"),
        ("東京", "東京都"), ("%", "100 %"), ("_", "a_b"),
    ])
    func `case, accents and width don't matter, and no character is special`(_ text: String, _ title: String) {
        #expect(finds(text, title: title))
        #expect(!finds(text, title: "other"))
    }

    @Test func `without words all messages match, and words beyond the eighth are left out`() {
        #expect(MessageSearch(" \n\t\u{3000}").isEmpty && finds("  ", title: "any"))
        let search = MessageSearch("a b c d e f g h i")
        #expect(search.words == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(finds("a b c d e f g h i", title: "abcdefgh"))
    }
}
