import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct ZetaMessageTests {
    private func read(_ text: String) throws -> ZetaMessage {
        try ZetaMessage(data: Data(text.utf8))
    }

    private static let fullJSON = #"""
        {"messageId":"MSG-001","title":"T","body":"B","mediaUrl":"https://a.example/i.png","status":"READ",
         "expirationTimestamp":1704882347000,"templateId":"card","actionList":[
           {"text":"Open","type":"primary","value":"open","link":"https://a.example","actionType":"webBrowser"},
           {"text":"More","type":"","value":"","link":"app://more","actionType":""}],
         "additionalData":{"route":"offers","count":3,"deep":{"b":1,"a":2},"none":null},"campaign":"c1","id":"MSG-001"}
        """#

    @Test func `a whole message is read and converted`() throws {
        let message = try read(Self.fullJSON)
        #expect(message.id == "MSG-001" && message.status == .read && message.templateId == "card")
        #expect(message.expirationTimestamp == Date(milliseconds: 1_704_882_347_000))
        #expect(message.actionList.map(\.text) == ["Open", "More"])
        #expect(message.additionalData == ["route": "offers", "count": "3", "deep": #"{"b":1,"a":2}"#])
        let adapted = try message.adapted()
        #expect(adapted.externalID == "MSG-001" && adapted.status == .read && adapted.deliveredAt == nil)
        #expect(adapted.expiresAt == message.expirationTimestamp)
        let expected: JSON = [
            "surface": "inbox", "title": "T", "body": "B", "media": ["url": "https://a.example/i.png"],
            "actions": [
                [
                    "id": "1", "text": "Open", "type": "primary", "value": "open", "link": "https://a.example",
                    "actionType": "webBrowser",
                ], ["id": "2", "text": "More", "link": "app://more"],
            ],
            "templateId": "card",
            "additionalData": [
                "route": "offers", "count": "3", "deep": #"{"b":1,"a":2}"#, "campaign": "c1", "messageId": "MSG-001",
            ],
        ]
        #expect(JSON.object(adapted.content.json) == expected)
    }

    @Test func `an empty object is a message without content`() throws {
        let message = try read("{}")
        #expect(message.messageId == "" && message.title == "" && message.body == "" && message.mediaUrl == nil)
        #expect(message.status == .unread && message.expirationTimestamp == nil && message.actionList == [])
        #expect(message.templateId == "" && message.additionalData == [:])
    }

    @Test func `an invalid field affects no other field`() throws {
        let message = try read(
            #"""
            {"messageId":7,"title":null,"body":["x"],"mediaUrl":"","status":"gone","expirationTimestamp":"",
             "actionList":[{"text":5,"link":{}},"x",{"text":"C"}],"templateId":{},"additionalData":[1]}
            """#
        )
        #expect(message.messageId == "7" && message.title == "" && message.body == "" && message.mediaUrl == nil)
        #expect(message.status == .unread && message.expirationTimestamp == nil)
        #expect(message.actionList.map(\.text) == ["5", "C"] && message.actionList.map(\.id) == ["1", "3"])
        #expect(try read(#"{"id":"x","actionList":{}}"#).messageId == "x")
    }

    @Test func `an action without a label has that of its link, and without both is left out`() throws {
        let message = try read(
            #"""
            {"messageId":"1","title":"T","actionList":["str",{"link":"https://e.com/3"},{"value":"v"},{},
             {"text":" ","link":"app:more"},{"text":"Go"}]}
            """#
        )
        let actions = try message.adapted().content.json["actions"]
        let expected: JSON = [
            ["id": "2", "text": "e.com", "link": "https://e.com/3"],
            ["id": "5", "text": "app:more", "link": "app:more"], ["id": "6", "text": "Go"],
        ]
        #expect(actions == expected)
    }

    @Test func `what has no field is in the additional data, that of actions by their numbers`() throws {
        let message = try read(
            #"""
            {"messageId":"a1","id":"INTERNAL-9","title":"t","body":{"html":"b"},"status":"ARCHIVED","templateId":[],
             "mediaUrl":["https://e.com/a.png"],"additionalData":{"n":null,"k":5,"id":"own"},"expirationTimestamp":"",
             "actionList":[{"text":"x","link":"https://e.com","icon":"star","extra":{"a":null},"none":null},
              "str",null,{"text":"y","value":[1]},{"value":"v","color":"red"},{},{"text":"z"}]}
            """#
        )
        let pairs = try message.adapted().content.json["additionalData"]
        let expected: JSON = [
            "k": "5", "id": "own", "id.2": "INTERNAL-9", "status": "ARCHIVED", "body": #"{"html":"b"}"#,
            "mediaUrl": #"["https://e.com/a.png"]"#, "templateId": "[]", "messageId": "a1",
            "actionList": .string(
                #"{"1":{"icon":"star","extra":{"a":null}},"2":"str","4":{"value":[1]},"5":{"value":"v","color":"red"}}"#
            ),
        ]
        #expect(pairs == expected)
    }

    @Test(
        arguments: [
            (#"{"messageId":"1","title":"T","status":"Read"}"#, [:]),
            (#"{"messageId":"1","title":"T","id":"1","status":"","mediaUrl":"","body":null}"#, [:]),
            (#"{"id":"1","title":"T","messageId":{}}"#, ["messageId": "1", "messageId.2": "{}"]),
            (#"{"messageId":"1","title":"T","actionList":{"a":1}}"#, ["actionList": #"{"a":1}"#]),
            (#"{"messageId":"1","title":"T","additionalData":[1]}"#, ["additionalData": "[1]"]),
            (
                #"{"messageId":"1","title":"T","additionalData":{"a":"x","a.2":"y"},"a":"x"}"#,
                ["a": "x", "a.2": "y"]
            ),
            (
                #"{"messageId":"1","title":"T","additionalData":{"a":"x","a.2":"y"},"a":"z"}"#,
                ["a": "x", "a.2": "y", "a.3": "z"]
            ),
        ] as [(String, [String: String])]
    )
    func `a value is preserved where no field has it`(_ text: String, _ expected: [String: String]) throws {
        let pairs = try #require(try read(text).adapted().content.json["additionalData"]?.objectValue).members
        let texts = pairs.reduce(into: [String: String]()) { $0[$1.name] = $1.value.stringValue }
        // Zeta's id is always there.
        #expect(texts == expected.merging(["messageId": "1"]) { given, _ in given })
    }

    @Test func `the id is left out where it would be one pair too many`() throws {
        func pairs(_ count: Int) throws -> JSONObject? {
            let data = (0..<count).map { #""k\#($0)":"v""# }.joined(separator: ",")
            let message = try read(#"{"messageId":"1","title":"T","additionalData":{\#(data)}}"#)
            return try message.adapted().content.json["additionalData"]?.objectValue
        }
        let (some, most) = (try #require(try pairs(99)), try #require(try pairs(100)))
        #expect(some.count == 100 && some["messageId"] == "1")
        #expect(most.count == 100 && most["messageId"] == nil)
        #expect(throws: AdapterError.self) { try pairs(101) }
    }

    @Test(arguments: [
        ("1704882347000", 1_704_882_347_000), ("\"1704882347000\"", 1_704_882_347_000), ("1.5e12", 1_500_000_000_000),
        ("-1", -1),
    ])
    func `expiry is in milliseconds, as number or text`(_ text: String, _ expected: Int) throws {
        #expect(try read(#"{"expirationTimestamp":\#(text)}"#).expirationTimestamp == Date(milliseconds: expected))
    }

    @Test(arguments: ["0", "\"0\"", "0.0", "null"]) func `an expiry of 0 is none`(_ text: String) throws {
        let message = try read(#"{"messageId":"1","title":"T","expirationTimestamp":\#(text)}"#)
        #expect(try message.expirationTimestamp == nil && message.adapted().expiresAt == nil)
    }

    @Test func `an action or a picture that a message can't have is left out and preserved`() throws {
        let long = String(repeating: "x", count: 201)
        let message = try read(
            #"""
            {"messageId":"1","title":"T","mediaUrl":"file:///i.png","actionList":[
             {"text":"Shop","link":"www.shop.com"},{"text":"Code","link":"javascript:x"},{"text":"\#(long)"},
             {"text":"Go","link":"https://e.com"}]}
            """#
        )
        let content = try message.adapted().content.json
        #expect(content["title"] == "T" && content["media"] == nil)
        #expect(content["actions"] == [["id": "4", "text": "Go", "link": "https://e.com"]])
        let pairs = content["additionalData"]
        #expect(pairs?["mediaUrl"] == "file:///i.png")
        let preserved =
            #"{"1":{"text":"Shop","link":"www.shop.com"},"2":{"text":"Code","link":"javascript:x"},"3":{"text":"\#(long)"}}"#
        #expect(pairs?["actionList"] == JSON.string(preserved))
    }

    @Test func `of more than ten actions the first ten are kept`() throws {
        let actions = (1...12).map { #"{"text":"\#($0)"}"# }.joined(separator: ",")
        let content = try read(#"{"messageId":"1","title":"T","actionList":[\#(actions)]}"#).adapted().content.json
        #expect(content["actions"]?.arrayValue?.compactMap { $0["text"]?.stringValue } == (1...10).map { "\($0)" })
        #expect(content["additionalData"]?["actionList"] == #"{"11":{"text":"11"},"12":{"text":"12"}}"#)
    }

    @Test(arguments: [
        ("READ", MessageStatus.read), ("read", .read), ("UNREAD", .unread), ("Deleted", .deleted), ("", .unread),
    ])
    func `the status is read in any case`(_ text: String, _ expected: MessageStatus) throws {
        #expect(try read(#"{"status":"\#(text)"}"#).status == expected)
    }

    @Test(arguments: [
        ("[]", AdapterError.Reason.notAnObject, ""), (#"{"messageId":"1","title":"#, .notAnObject, ""),
        (#"{"messageId":"1","expirationTimestamp":"soon"}"#, .wrongDate, "/expirationTimestamp"),
        (#"{"messageId":"1","expirationTimestamp":1e20}"#, .wrongDate, "/expirationTimestamp"),
        ("{}", .noID, "/messageId"), (#"{"messageId":"1"}"#, .notAcceptable, ""),
        (#"{"messageId":"1","mediaUrl":"x"}"#, .notAcceptable, ""),
        (
            #"{"messageId":"1","title":"T","actionList":[{"text":"x","icon":"\#(String(repeating: "x", count: 8_193))"}]}"#,
            .notAcceptable, "/actionList"
        ),
        (
            #"{"messageId":"1","title":"T","additionalData":{"a/b":"\#(String(repeating: "x", count: 8_193))"}}"#,
            .notAcceptable, "/additionalData/a~1b"
        ),
    ])
    func `an unusable message is an error at its pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) {
        #expect {
            try read(text).adapted()
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer
        }
    }
}
