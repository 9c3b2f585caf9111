import BloomreachCompatibility
import Foundation
import InboxModel
import Testing

/// Items as JSON.
@Suite(.timeLimit(.minutes(5))) struct MessageItemTests {
    private func item(_ text: String) throws -> MessageItem {
        try JSONDecoder().decode(MessageItem.self, from: Data(text.utf8))
    }

    /// The item, after it was encoded and decoded.
    private func copy(_ item: MessageItem) throws -> MessageItem {
        try JSONDecoder().decode(MessageItem.self, from: JSONEncoder().encode(item))
    }

    @Test func `an empty object is an item without content`() throws {
        let item = try item("{}")
        #expect(item.id == "" && item.type == "unknown" && !item.read && item.content == nil)
        #expect(item.hasTrackingConsent && abs(item.receivedTime - Date().timeIntervalSince1970) < 60)
    }

    @Test func `Bloomreach's JSON of a push is decoded`() throws {
        let item = try item(
            #"""
            {"id":"0703","type":"push","create_time":1673346347.242,"expire_time":1704882347.22,"is_read":false,
             "content":{"message":"Text","title":"Title","pre_header":"Subject","url_params":[{"utm_source":"x"}],
              "image":"https://a.example/i.png","has_tracking_consent":"FALSE","consent_category_tracking":null,
              "actions":[{"action":"deep-link","title":"Go","url":"app://x"},7,{"title":["x"],"url":5}],
              "attributes":{"campaign_id":"63bd"},"source":"xnpe_platform","silent":false}}
            """#
        )
        #expect(item.id == "0703" && item.type == "push" && !item.read && item.receivedTime == 1_673_346_347.242)
        let content = try #require(item.content)
        #expect(content.title == "Title" && content.message == "Text" && content.html == nil)
        #expect(content.imageUrl == "https://a.example/i.png" && content.consentCategoryTracking == nil)
        #expect(!item.hasTrackingConsent && content.actions?.map(\.type) == [.deeplink, .app])
        #expect(content.actions?.map(\.title) == ["Go", nil] && content.actions?.map(\.url) == ["app://x", "5"])
        #expect(try copy(item) == item)
    }

    @Test func `Bloomreach's JSON of a page is decoded, with the actions of its HTML`() throws {
        let item = try item(
            #"""
            {"id":"1","type":"html","is_read":1,"create_time":0.5,"content":{"title":"T","pre_header":"P",
             "message":"<a href='https://a.example/'>Go</a>"}}
            """#
        )
        #expect(item.type == "html" && item.read && item.content?.message == "P")
        #expect(item.content?.html == "<a href='https://a.example/'>Go</a>")
        #expect(item.content?.actions == [MessageItemAction(action: "browser", title: "Go", url: "https://a.example/")])
        let encoded = try JSONDecoder().decode(Page.self, from: JSONEncoder().encode(item))
        #expect(encoded.content.message == item.content?.html && encoded.content.pre_header == "P")
        #expect(try copy(item) == item)
    }

    /// The content of a page as Bloomreach's server sends it.
    private struct Page: Decodable {
        struct Content: Decodable {
            let message: String
            let pre_header: String
        }
        let content: Content
    }

    @Test func `what an earlier version encoded is decoded`() throws {
        let item = try item(
            #"""
            {"id":"m1","type":"html","is_read":true,"create_time":5,"content":{"imageUrl":"https://a.example/i",
             "title":"T","message":"P","consentCategoryTracking":"ads","hasTrackingConsent":false,
             "actions":[{"id":"go","action":"browser","title":"Go","url":"https://a.example/"}],"html":"<p>Hi</p>"}}
            """#
        )
        let content = try #require(item.content)
        #expect(content.imageUrl == "https://a.example/i" && content.message == "P" && content.html == "<p>Hi</p>")
        #expect(content.consentCategoryTracking == "ads" && !item.hasTrackingConsent)
        #expect(content.actions?.map(\.title) == ["Go"])
        #expect(try copy(item) == item)
    }

    @Test func `a content and an action are encoded alone, too`() throws {
        let message = Message(
            id: "m1",
            title: "T",
            body: "",
            html: "<p>Hi</p>",
            actions: [MessageAction(id: "go", text: "Go", link: "https://a.example")],
            deliverAt: Date(timeIntervalSince1970: 1_777_622_400.125)
        )
        let item = MessageItem(message)
        #expect(try copy(item) == item)
        let content = try #require(item.content)
        let data = try JSONEncoder().encode(content)
        #expect(try JSONDecoder().decode(MessageItemContent.self, from: data) == content)
        let action = try #require(content.actions?.first)
        #expect(try JSONDecoder().decode(MessageItemAction.self, from: JSONEncoder().encode(action)) == action)
    }

    @Test(arguments: ["[]", "7", #"{"create_time":"soon"}"#])
    func `what isn't a message is an error`(_ text: String) {
        #expect(throws: DecodingError.self) { try item(text) }
    }
}
