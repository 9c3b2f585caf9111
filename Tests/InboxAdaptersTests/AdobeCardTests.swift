import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeCardTests {
    private func card(_ content: String, template: String = "SmallImage", _ more: String = "") throws -> AdobeCard {
        let meta = #""meta":{"adobe":{"template":"\#(template)"}}"#
        return try AdobeCard(
            data: Data(#"{"contentType":"application/json","content":\#(content),\#(meta)\#(more)}"#.utf8)
        )
    }

    @Test func `a whole card is read`() throws {
        let card = try card(
            #"""
            {"title":{"content":"T"},"body":{"content":"B"},"actionUrl":"app://x",
             "image":{"url":"https://a.example/i.png","darkUrl":"https://a.example/d.png","alt":"A"},
             "buttons":[{"interactId":"b1","text":{"content":"Go"},"actionUrl":"https://a.example"},
                        {"interactId":"b2","text":{"content":"No"}}],"dismissBtn":{"style":"circle"}}
            """#,
            ",\"publishedDate\":1700000000,\"expiryDate\":1800000000"
        )
        #expect(card.template == .smallImage && card.title == "T" && card.body == "B" && card.actionUrl == "app://x")
        #expect(
            card.image == Media(url: "https://a.example/i.png", darkURL: "https://a.example/d.png", alt: "A")
        )
        let buttons = [
            MessageAction(id: "b1", text: "Go", link: "https://a.example"), MessageAction(id: "b2", text: "No"),
        ]
        #expect(card.buttons == buttons)
        #expect(card.dismissButton == .circle)
        #expect(card.publishedDate == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(card.expiryDate == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test func `only invalid parts of a card are dropped`() throws {
        let card = try card(
            #"""
            {"title":{"content":"T"},"body":{"content":""},"image":{"alt":"A"},"actionUrl":7,
             "buttons":[{"interactId":"b1"},{"text":{"content":"x"}},{"interactId":"b2","text":{"content":" "}},7,
                        {"interactId":"b3","text":{"content":"Go"}}],"dismissBtn":{"style":"Simple"}}
            """#
        )
        #expect(card.title == "T" && card.body == nil && card.image == nil && card.actionUrl == nil)
        #expect(card.buttons == [MessageAction(id: "b3", text: "Go")])
        #expect(card.dismissButton == .none)
        #expect(card.publishedDate == nil && card.expiryDate == nil)
        #expect(try self.card(#"{"title":{"content":"T"},"buttons":{}}"#, ",\"expiryDate\":0").expiryDate == nil)
    }

    @Test(arguments: [
        (#"{"url":"https://a.example/i.png","bundle":"b"}"#, Media(url: "https://a.example/i.png", bundle: "b")),
        (#"{"bundle":"b","darkBundle":"d"}"#, Media(bundle: "b", darkBundle: "d")),
        (#"{"icon":"tray.fill","alt":"Tray"}"#, Media(icon: "tray.fill", alt: "Tray")),
    ])
    func `an image is from the web, the app or the system`(_ text: String, _ expected: Media) throws {
        #expect(try card(#"{"image":\#(text)}"#, template: "ImageOnly").image == expected)
    }

    @Test(arguments: [
        ("[]", AdapterError.Reason.notAnObject, ""), ("{", .notAnObject, ""), ("{}", .missing, "/contentType"),
        (#"{"contentType":1}"#, .wrongType, "/contentType"),
        (#"{"contentType":"application/json"}"#, .missing, "/content"),
        (#"{"contentType":"application/json","content":"x"}"#, .wrongType, "/content"),
        (#"{"contentType":"text/html","content":{}}"#, .wrongType, "/content"),
        (#"{"contentType":"text/html","content":"x"}"#, .unknownKind, "/contentType"),
        (#"{"contentType":"application/json","content":{}}"#, .unknownKind, "/meta/adobe/template"),
        (
            #"{"contentType":"application/json","content":{},"meta":{"adobe":{"template":"smallimage"}}}"#,
            .unknownKind, "/meta/adobe/template"
        ),
        (
            #"{"contentType":"application/json","content":{"title":{"content":""}},"meta":{"adobe":{"template":"SmallImage"}}}"#,
            .missing, "/content/title"
        ),
        (
            #"{"contentType":"application/json","content":{},"meta":{"adobe":{"template":"LargeImage"}}}"#,
            .missing, "/content/title"
        ),
        (
            #"{"contentType":"application/json","content":{"title":{"content":"T"}},"meta":{"adobe":{"template":"ImageOnly"}}}"#,
            .missing, "/content/image"
        ),
        (
            #"{"contentType":"application/json","content":{},"expiryDate":"soon","meta":{"adobe":{"template":"ImageOnly"}}}"#,
            .wrongDate, "/expiryDate"
        ),
    ])
    func `a missing or invalid required part is an error at its pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) {
        #expect {
            try AdobeCard(data: Data(text.utf8))
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer
        }
    }
}
