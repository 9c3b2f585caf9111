import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct BloomreachAdaptingTests {
    private func read(_ text: String) throws -> BloomreachMessage {
        try BloomreachMessage(data: Data(text.utf8))
    }

    private func content(_ text: String) throws -> JSON {
        .object(try read(text).adapted().content.json)
    }

    /// The message as an inbox shows it.
    private func message(_ adapted: AdaptedMessage) throws -> Message {
        var object = adapted.content.json
        object.add("id", "m1")
        object["deliverAt"] = JSON(adapted.deliveredAt ?? Date(milliseconds: 0))
        object["expiresAt"] = adapted.expiresAt.map { JSON($0) }
        object["readAt"] = adapted.status == .read ? JSON(Date(milliseconds: 0)) : nil
        return try Message(json: .object(object))
    }

    @Test func `a push is converted without loss`() throws {
        let adapted = try read(BloomreachMessageTests.push).adapted()
        #expect(adapted.externalID == "0703" && adapted.status == .read)
        #expect(adapted.deliveredAt == Date(milliseconds: 1_673_346_347_242))
        #expect(adapted.expiresAt == Date(milliseconds: 1_704_882_347_220))
        let expected: JSON = [
            "surface": "inbox", "title": "Title", "body": "Text", "media": ["url": "https://a.example/i.png"],
            "actions": [
                ["id": "main", "text": "See more", "type": "deeplink", "link": "app://offers/1"],
                [
                    "id": "1", "text": "Web", "type": "browser", "link": "https://a.example/?a=1",
                    "actionType": "externalBrowser",
                ],
                ["id": "2", "text": "Deep", "type": "deeplink", "link": "app://x"],
                ["id": "3", "text": "App", "type": "app"],
                ["id": "4", "text": "Call", "type": "call", "value": "tel:1"],
            ],
            "campaignId": "63bd",
            "additionalData": [
                "id": "0703", "type": "push", "pre_header": "Subject",
                "url_params": #"[{"utm_source":"bloomreach"},{"utm_medium":"inbox"}]"#,
                "consent_category_tracking": "news",
                "attributes": #"{"campaign_id":"63bd","action_id":3,"deep":{"z":1,"a":2},"event_type":"campaign"}"#,
                "source": "xnpe_platform", "silent": "false", "extra": "7",
            ],
        ]
        #expect(JSON.object(adapted.content.json) == expected)
    }

    @Test func `an HTML message is converted`() throws {
        let text =
            #"{"id":"1","type":"html","content":{"title":"T","pre_header":"P","message":"<b>M</b>","image":"https://a.example/i"}}"#
        #expect(
            try content(text) == [
                "surface": "inbox", "title": "T", "body": "P", "html": "<b>M</b>",
                "media": ["url": "https://a.example/i"], "additionalData": ["id": "1", "type": "html"],
            ]
        )
    }

    @Test func `a button without a title has its link's label, and without both is left out`() throws {
        let adapted = try content(
            #"""
            {"id":"1","type":"push","content":{"title":"T","actions":[7,{"action":"browser","url":"https://e.com/3"},
             {"action":"app"},{"action":"call","url":"tel:1"},{"action":"deeplink","title":"\u200b","url":"app:x"}]}}
            """#
        )
        let expected: JSON = [
            [
                "id": "2", "text": "e.com", "type": "browser", "link": "https://e.com/3",
                "actionType": "externalBrowser",
            ], ["id": "5", "text": "app:x", "type": "deeplink", "link": "app:x"],
        ]
        #expect(adapted["actions"] == expected)
    }

    @Test func `an action or a picture that a message can't have is left out and preserved`() throws {
        let long = String(repeating: "x", count: 201)
        let text = #"""
            {"id":"1","type":"push","content":{"title":"T","image":"file:///x","action":"browser","url":"javascript:x",
             "actions":[{"action":"deeplink","title":"Data","url":"data:x"},
              {"action":"browser","title":"Shop","url":"www.shop.com"},{"title":"\#(long)"},
              {"action":"browser","title":"Go","url":"https://e.com"}]}}
            """#
        let adapted = try read(text).adapted()
        let expected: JSON = [
            "surface": "inbox", "title": "T",
            "actions": [
                ["id": "4", "text": "Go", "type": "browser", "link": "https://e.com", "actionType": "externalBrowser"]
            ],
            "additionalData": [
                "id": "1", "type": "push", "image": "file:///x", "action": "browser", "url": "javascript:x",
                "actions": .string(
                    #"{"1":{"action":"deeplink","title":"Data","url":"data:x"},"#
                        + #""2":{"action":"browser","title":"Shop","url":"www.shop.com"},"3":{"title":"\#(long)"}}"#
                ),
            ],
        ]
        #expect(JSON.object(adapted.content.json) == expected)
        let back = BloomreachMessage(try message(adapted))
        #expect(back.image == "file:///x" && back.mainAction?.url == "javascript:x")
    }

    @Test func `a main action counts as one of ten, and further ones are preserved`() throws {
        let actions = (1...10).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        let adapted = try content(
            #"{"id":"1","type":"push","content":{"title":"T","action":"deeplink","url":"app:x","actions":[\#(actions)]}}"#
        )
        let ids = adapted["actions"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
        #expect(ids == ["main"] + (1...9).map { "\($0)" })
        #expect(adapted["additionalData"]?["actions"] == #"{"10":{"title":"10"}}"#)
    }

    @Test func `a time of 0 is none`() throws {
        let adapted = try read(#"{"id":"1","type":"push","create_time":0,"expire_time":"0","content":{"title":"T"}}"#)
            .adapted()
        #expect(adapted.deliveredAt == nil && adapted.expiresAt == nil)
    }

    @Test func `unknown members of buttons are preserved by their numbers, and restored`() throws {
        let text = #"""
            {"id":"1","type":"push","content":{"title":"T","image":["x"],"type":"inner","has_tracking_consent":false,
             "consent_category_tracking":["news"],"actions":[
              {"action":"browser","title":"Web","url":"https://e.com","color":"red"},7,
              {"action":"deeplink","title":"Deep","url":{"a":1}},{"action":"app","color":"blue"}]}}
            """#
        let adapted = try read(text).adapted()
        let expected: JSON = [
            "id": "1", "type": "push", "image": #"["x"]"#, "type.2": "inner",
            "actions": .string(
                #"{"1":{"color":"red"},"2":7,"3":{"url":{"a":1}},"4":{"action":"app","color":"blue"}}"#
            ),
        ]
        #expect(adapted.content.json["additionalData"] == expected)
        let back = BloomreachMessage(try message(adapted))
        let again = try back.adapted().content.json["additionalData"]?["actions"]
        #expect(again == #"{"1":{"color":"red"},"2":{"url":{"a":1}}}"#)
    }

    @Test(
        arguments: [
            (#""has_tracking_consent":true,"consent_category_tracking":"news""#, nil, "news"),
            (#""has_tracking_consent":true"#, nil, nil), (#""consent_category_tracking":null"#, nil, nil),
            (#""has_tracking_consent":false,"consent_category_tracking":"news""#, "news", nil),
            (#""has_tracking_consent":0"#, "has_tracking_consent", nil),
        ] as [(String, String?, String?)]
    )
    func `a consent category is set only where consent isn't given`(
        _ part: String,
        _ category: String?,
        _ kept: String?
    ) throws {
        let text = #"{"id":"1","type":"push","content":{"title":"T",\#(part)}}"#
        let adapted = try content(text)
        #expect(adapted["consentCategory"]?.stringValue == category)
        #expect(adapted["additionalData"]?["consent_category_tracking"]?.stringValue == kept)
        let back = BloomreachMessage(try message(read(text).adapted()))
        let original = try read(text)
        #expect(back.hasTrackingConsent == original.hasTrackingConsent)
        #expect(back.consentCategoryTracking == original.consentCategoryTracking)
    }

    @Test(arguments: [
        BloomreachMessageTests.push,
        #"{"id":"1","type":"push","content":{"title":"T","action":"app","url":"app://x"}}"#,
        #"{"id":"1","type":"html","content":{"title":"T","message":"<p>","pre_header":"P","url_params":{"a":"b"}}}"#,
        #"{"id":"1","type":"push","content":{"message":"M","has_tracking_consent":false,"attributes":{"event_type":"x","n":1.5}}}"#,
    ])
    func `a message converted and back is the same`(_ text: String) throws {
        let original = try read(text)
        let back = BloomreachMessage(try message(original.adapted()))
        #expect(back.kind == original.kind && back.isRead == original.isRead)
        #expect(back.createTime == original.createTime ?? Date(milliseconds: 0))
        #expect(back.expireTime == original.expireTime)
        #expect(back.title == original.title && back.text == original.text && back.html == original.html)
        #expect(back.image == original.image && back.actions == original.actions)
        #expect(back.mainAction == original.mainAction)
        #expect(back.hasTrackingConsent == original.hasTrackingConsent)
        #expect(back.attributes == original.attributes && back.urlParams == original.urlParams)
        #expect(back.trackingData(platform: "iOS") == original.trackingData(platform: "iOS"))
    }

    @Test func `a content's own id is restored beside the message's`() throws {
        let original = try read(#"{"id":"1","type":"push","content":{"title":"T","id":"inner"}}"#).adapted()
        #expect(original.content.json["additionalData"] == ["id": "1", "type": "push", "id.2": "inner"])
        let again = try BloomreachMessage(try message(original)).adapted()
        #expect(again.content.json["additionalData"]?["id.2"] == "inner")
    }

    @Test func `a native message converts to a push or an HTML message`() {
        let date = Date(milliseconds: 1_777_622_400_000)
        let push = BloomreachMessage(Message(id: "m1", title: "T", body: "B", deliverAt: date, readAt: date))
        #expect(push.id == "m1" && push.kind == .push && push.text == "B" && push.isRead && push.createTime == date)
        #expect(push.hasTrackingConsent && push.actions == [])
        let page = BloomreachMessage(Message(id: "m1", body: "B", html: "<p>", deliverAt: date))
        #expect(page.kind == .html && page.text == "B" && page.html == "<p>" && !page.isRead)
    }

    @Test(arguments: [
        ("{}", AdapterError.Reason.noID, "/3/id"), (#"{"id":""}"#, .noID, "/3/id"),
        (#"{"id":"1"}"#, .unknownKind, "/3/type"), (#"{"id":"1","type":"card"}"#, .unknownKind, "/3/type"),
        (#"{"id":"1","type":"push"}"#, .notAcceptable, "/3/content"),
        (
            #"{"id":"1","type":"push","content":{"title":"\#(String(repeating: "x", count: 1_001))"}}"#,
            .notAcceptable, "/3/content/title"
        ),
        (
            #"{"id":"1","type":"push","content":{"message":"\#(String(repeating: "x", count: 65_537))"}}"#,
            .notAcceptable, "/3/content/message"
        ),
        (
            #"{"id":"1","type":"html","content":{"message":"\#(String(repeating: "x", count: 524_289))"}}"#,
            .notAcceptable, "/3/content/message"
        ),
        (
            #"{"id":"1","type":"push","content":{"title":"T","attributes":{"a":"\#(String(repeating: "x", count: 8_192))"}}}"#,
            .notAcceptable, "/3/content/attributes"
        ),
        (
            #"{"id":"1","type":"push","content":{"title":"T",\#((0..<101).map { "\"k\($0)\":1" }.joined(separator: ","))}}"#,
            .notAcceptable, "/3/content"
        ),
    ])
    func `a message that can't be converted is an error at its pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) throws {
        let message = try read(text)
        #expect {
            try message.adapted(at: JSONPointer(["3"]))
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer && error?.problem.contains("xxx") == false
        }
    }
}
