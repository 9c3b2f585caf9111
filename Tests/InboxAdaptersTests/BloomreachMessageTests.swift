import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct BloomreachMessageTests {
    private func read(_ text: String) throws -> BloomreachMessage {
        try BloomreachMessage(data: Data(text.utf8))
    }

    /// A push with every field.
    static let push = #"""
        {"id":"0703","type":"push","create_time":1673346347.242,"expire_time":1704882347.22,"is_read":true,
         "content":{"title":"Title","message":"Text","pre_header":"Subject","image":"https://a.example/i.png",
         "action":"deeplink","url":"app://offers/1","actions":[
           {"action":"browser","title":"Web","url":"https://a.example/?a=1"},{"action":"deeplink","title":"Deep","url":"app://x"},
           {"action":"app","title":"App"},{"action":"call","title":"Call","url":"tel:1"}],
         "url_params":[{"utm_source":"bloomreach"},{"utm_medium":"inbox"}],"has_tracking_consent":true,
         "consent_category_tracking":"news","attributes":{"campaign_id":"63bd","action_id":3,"deep":{"z":1,"a":2},"event_type":"campaign"},
         "source":"xnpe_platform","silent":false},"extra":7}
        """#

    @Test func `an empty object is a message without content`() throws {
        let message = try read("{}")
        #expect(message.id == "" && message.kind == .unknown("unknown") && !message.isRead)
        #expect(message.createTime == nil && message.expireTime == nil)
        #expect(message.title == "" && message.text == "" && message.html == nil && message.image == nil)
        #expect(message.actions == [] && message.hasTrackingConsent && message.consentCategoryTracking == nil)
        #expect(message.attributes == [:] && message.urlParams == [:])
    }

    @Test func `a push is read in full`() throws {
        let message = try read(Self.push)
        #expect(message.id == "0703" && message.kind == .push && message.isRead)
        #expect(message.createTime == Date(milliseconds: 1_673_346_347_242))
        #expect(message.expireTime == Date(milliseconds: 1_704_882_347_220))
        #expect(message.title == "Title" && message.text == "Text" && message.html == nil)
        #expect(message.image == "https://a.example/i.png")
        #expect(message.actions.map(\.title) == ["Web", "Deep", "App", "Call"])
        #expect(message.actions.map(\.kind) == [.browser, .deeplink, .app, .noAction("call")])
        #expect(message.mainAction?.kind == .deeplink && message.mainAction?.url == "app://offers/1")
        #expect(message.consentCategoryTracking == "news")
        #expect(message.attributes["action_id"] == .number(3))
        #expect(message.attributes["deep"] == .string(#"{"z":1,"a":2}"#))
        #expect(message.urlParams == ["utm_source": .string("bloomreach"), "utm_medium": .string("inbox")])
    }

    @Test(arguments: [
        ("browser", BloomreachAction.Kind.browser), ("deeplink", .deeplink), ("deep-link", .deeplink), ("app", .app),
        ("Browser", .noAction("Browser")),
    ])
    func `an action's kind is read by its spelling`(spelling: String, kind: BloomreachAction.Kind) throws {
        let message = try read(#"{"type":"push","content":{"actions":[{"action":"\#(spelling)","url":"a://b"}]}}"#)
        #expect(message.actions.map(\.kind) == [kind])
    }

    @Test func `an HTML message has its text in the pre-header`() throws {
        let text =
            #"{"type":"html","content":{"title":"T","pre_header":"P","message":"<b>M</b>","image":"https://a.example/i"}}"#
        let message = try read(text)
        #expect(message.kind == .html && message.mainAction == nil)
        #expect(message.title == "T" && message.text == "P" && message.html == "<b>M</b>")
        #expect(message.image == "https://a.example/i")
    }

    @Test func `an invalid field affects no other field`() throws {
        let message = try read(
            #"""
            {"id":12,"type":"push","is_read":"TRUE","create_time":"1673346347.5","expire_time":null,"content":{"title":["x"],
            "message":5,"image":{},"actions":["x",{"title":true,"action":{},"url":[]},{"title":"B","action":"browser","url":"https://b"},7],
            "attributes":[1],"url_params":"x","has_tracking_consent":null}}
            """#
        )
        #expect(message.id == "12" && message.isRead && message.title == "" && message.text == "5")
        #expect(message.createTime == Date(milliseconds: 1_673_346_347_500) && message.expireTime == nil)
        #expect(message.actions.map(\.title) == ["true", "B"])
        #expect(message.actions.map(\.kind) == [.app, .browser])
        #expect(message.hasTrackingConsent && message.attributes == [:] && message.urlParams == [:])
        #expect(try read(#"{"content":[]}"#).title == "")
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("1", true), ("1.0", true), ("0", false), ("2", false), (#""true""#, true),
        (#""TRUE""#, true), (#""1""#, true), (#""yes""#, false), (#""""#, false), ("[]", false), ("{}", false),
        ("null", true),
    ])
    func `consent is parsed as Bloomreach parses it`(_ flag: String, _ expected: Bool) throws {
        #expect(try read(#"{"content":{"has_tracking_consent":\#(flag)}}"#).hasTrackingConsent == expected)
    }

    @Test func `URL parameters are an object or an array of objects`() throws {
        let (a, b): (EventValue, EventValue) = (.string("a"), .string("b"))
        #expect(try read(#"{"content":{"url_params":{"x":"a","y":"b"}}}"#).urlParams == ["x": a, "y": b])
        #expect(try read(#"{"content":{"url_params":[{"x":"a"},{"x":"b","y":"a"},3]}}"#).urlParams == ["x": b, "y": a])
        #expect(try read(#"{"content":{"url_params":[]}}"#).urlParams == [:])
    }

    @Test(arguments: [
        ("[]", AdapterError.Reason.notAnObject, ""), ("{", .notAnObject, ""), ("7", .notAnObject, ""),
        (#"{"create_time":"soon"}"#, .wrongDate, "/create_time"), (#"{"create_time":[]}"#, .wrongDate, "/create_time"),
        (#"{"create_time":1e999}"#, .wrongDate, "/create_time"),
        (#"{"create_time":1673346347242}"#, .wrongDate, "/create_time"),
        (#"{"create_time":"nan"}"#, .wrongDate, "/create_time"), (#"{"expire_time":true}"#, .wrongDate, "/expire_time"),
    ])
    func `unreadable messages are errors at their pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) {
        #expect {
            try read(text)
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer
        }
    }
}
