import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobePropositionTests {
    private static let now = Date(timeIntervalSince1970: 1_777_622_400)

    private static let fullJSON = #"""
        {"id":"p1","scope":"mobileapp://com.example.app/inbox",
         "scopeDetails":{"decisionProvider":"AJO","activity":{"id":"a1","priority":7},"rank":2,"x":[1]},
         "items":[{"id":"i1","schema":"https://ns.adobe.com/personalization/message/content-card","data":{
           "contentType":"application/json","publishedDate":1777000000,"expiryDate":1877000000,
           "meta":{"adobe":{"template":"LargeImage"},"surface":"x"},"extra":{"n":1},
           "content":{"title":{"content":"T","lang":"en"},"body":{"content":"B"},"layout":"wide",
             "image":{"url":"https://a.example/i.png","alt":"A","width":3},"actionUrl":"app://x",
             "buttons":[{"interactId":"b1","text":{"content":"Go"},"actionUrl":"https://a.example","kind":"k"},{"bad":1}],
             "dismissBtn":{"style":"simple"}}}}]}
        """#

    private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

    /// An item's message as a device stores it.
    private func message(_ content: JSONObject, expiresAt: Date?) throws -> Message {
        let json = JSON.object(content)
        return Message(
            id: "m1",
            surface: json["surface"]?.stringValue ?? "",
            title: json["title"]?.stringValue ?? "",
            body: json["body"]?.stringValue ?? "",
            media: try json["media"].map { try JSONDecoder().decode(Media.self, from: Data($0.utf8)) },
            actions: (json["actions"]?.arrayValue ?? []).map {
                MessageAction(
                    id: $0["id"]?.stringValue ?? "",
                    text: $0["text"]?.stringValue ?? "",
                    link: $0["link"]?.stringValue ?? ""
                )
            },
            templateID: json["templateId"]?.stringValue,
            priority: json["priority"]?.intValue ?? 0,
            deliverAt: Self.now,
            expiresAt: expiresAt,
            additionalData: (json["additionalData"]?.objectValue ?? JSONObject()).members
                .reduce(into: [:]) { $0[$1.name] = $1.value.stringValue },
            link: json["link"]?.stringValue,
            dismissButton: json["dismissButton"]?.stringValue.map(DismissButton.init(rawValue:))
        )
    }

    private func parts(_ texts: String...) throws -> [AdobePart] {
        AdobePart.parts(of: try texts.map { JSONReader(try json($0)) }, now: Self.now)
    }

    private func adapted(_ text: String) throws -> AdaptedMessage {
        let part = try #require(try parts(text).first)
        guard case .message(let message) = try part.content.get() else {
            throw AdapterError(.unknownKind, at: JSONPointer(), "is no card")
        }
        return message
    }

    @Test func `a card is converted and back without loss`() throws {
        let proposition = try AdobeProposition(data: Data(Self.fullJSON.utf8))
        #expect(proposition.id == "p1" && proposition.activityId == "a1")
        #expect(proposition.priority == 7 && proposition.rank == 2)
        let message = try adapted(Self.fullJSON)
        #expect(message.externalID == "i1" && message.status == .unread)
        #expect(message.deliveredAt == Date(timeIntervalSince1970: 1_777_000_000))
        #expect(message.expiresAt == Date(timeIntervalSince1970: 1_877_000_000))
        let expected: JSON = [
            "surface": "mobileapp://com.example.app/inbox", "title": "T", "body": "B",
            "media": ["url": "https://a.example/i.png", "alt": "A"], "link": "app://x",
            "actions": [["id": "b1", "text": "Go", "link": "https://a.example"]], "dismissButton": "simple",
            "templateId": "LargeImage", "priority": 7,
            "additionalData": [
                "activityId": "a1", "propositionId": "p1", "itemId": "i1",
                "scopeDetails": #"{"decisionProvider":"AJO","activity":{"id":"a1","priority":7},"rank":2,"x":[1]}"#,
                "content": .string(
                    #"{"title":{"lang":"en"},"layout":"wide","image":{"width":3},"buttons":["#
                        + #"{"interactId":"b1","text":{"content":"Go"},"actionUrl":"https://a.example","kind":"k"},{"bad":1}]}"#
                ),
                "publishedDate": "1777000000", "meta": #"{"adobe":{"template":"LargeImage"},"surface":"x"}"#,
                "extra": #"{"n":1}"#,
            ],
        ]
        #expect(JSON.object(message.content.json) == expected)
        // And back.
        let ours = try self.message(message.content.json, expiresAt: message.expiresAt)
        #expect(AdobeProposition(ours).json == (try json(Self.fullJSON)))
    }

    /// Adobe's dates are whole seconds: the published date is rounded down, the expiry date up.
    @Test func `fractions of seconds never shorten a message`() throws {
        let message = Message(
            id: "m",
            title: "T",
            deliverAt: Date(milliseconds: 1_777_000_000_750),
            expiresAt: Date(milliseconds: 1_777_000_009_250)
        )
        let card = try AdobeCard(reading: try #require(AdobeProposition(message).items.first).dataReader)
        #expect(card.publishedDate == Date(milliseconds: 1_777_000_000_000))
        #expect(card.expiryDate == Date(milliseconds: 1_777_000_010_000))
    }

    @Test func `an edited message converts to its new content`() throws {
        let message = try adapted(Self.fullJSON)
        var ours = try self.message(message.content.json, expiresAt: nil)
        ours.title = "New"
        ours.actions = [MessageAction(id: "b2", text: "Other")]
        ours.templateID = "ImageOnly"
        ours.dismissButton = DismissButton.none
        let card = try AdobeCard(reading: try #require(AdobeProposition(ours).items.first).dataReader)
        #expect(card.title == "New" && card.buttons == ours.actions && card.template == .imageOnly)
        #expect(card.dismissButton == .none && card.expiryDate == nil)
    }

    @Test(arguments: [
        (Message(id: "m", title: "T", deliverAt: now), "SmallImage", "T"),
        (Message(id: "m", body: "B", deliverAt: now), "SmallImage", "B"),
        (Message(id: "m", body: "B", media: Media(icon: "x"), deliverAt: now), "ImageOnly", nil),
        (
            Message(id: "m", title: "T", media: Media(icon: "x"), templateID: "LargeImage", deliverAt: now),
            "LargeImage", "T"
        ),
        (Message(id: "m", title: "T", templateID: "ImageOnly", deliverAt: now), "SmallImage", "T"),
    ])
    func `a native message converts to a card that Adobe's rules accept`(
        _ message: Message,
        _ template: String,
        _ title: String?
    ) throws {
        let proposition = AdobeProposition(message)
        #expect(proposition.id == "m" && proposition.activityId == "m" && proposition.rank == -1)
        let read = try AdobeProposition(reading: JSONReader(proposition.json))
        let card = try AdobeCard(reading: try #require(read.items.first).dataReader)
        #expect(card.template.rawValue == template && card.title == title)
        #expect(card.publishedDate == Self.now)
    }

    @Test func `a message of HTML only converts to an HTML item`() throws {
        let message = Message(id: "m", html: "<p>x</p>", deliverAt: Self.now)
        let data = try #require(AdobeProposition(message).items.first).data
        #expect(data["contentType"] == "text/html" && data["content"] == "<p>x</p>")
    }

    @Test func `missing members have their defaults`() throws {
        let proposition = try AdobeProposition(
            data: Data(#"{"id":"p","scope":"s","scopeDetails":{"a":1},"items":[7,{"id":"i"}]}"#.utf8)
        )
        #expect(proposition.activityId == "" && proposition.priority == 0 && proposition.rank == -1)
        #expect(proposition.items.isEmpty)
        #expect(try AdobeProposition(data: Data(#"{"id":"p","scope":"s","scopeDetails":{"a":1}}"#.utf8)).items.isEmpty)
    }

    @Test(arguments: [
        ("[]", AdapterError.Reason.notAnObject, ""), ("{}", .noID, "/id"),
        (#"{"id":"p"}"#, .missing, "/scope"), (#"{"id":"p","scope":1}"#, .wrongType, "/scope"),
        (#"{"id":"p","scope":"s"}"#, .missing, "/scopeDetails"),
        (#"{"id":"p","scope":"s","scopeDetails":{}}"#, .missing, "/scopeDetails"),
        (#"{"id":"p","scope":"s","scopeDetails":[]}"#, .wrongType, "/scopeDetails"),
        (#"{"id":"p","scope":"s","scopeDetails":{"a":1},"items":{}}"#, .wrongType, "/items"),
    ])
    func `an invalid proposition is an error at its pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) {
        #expect {
            try AdobeProposition(data: Data(text.utf8))
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer
        }
    }

    private func card(rank: Int?, published: Int?, title: String) -> String {
        let rank = rank.map { #","rank":\#($0)"# } ?? ""
        let published = published.map { #","publishedDate":\#($0)"# } ?? ""
        return #"""
            {"id":"p","scope":"s","scopeDetails":{"activity":{"id":"a"}\#(rank)},"items":[{"id":"\#(title)",
             "schema":"https://ns.adobe.com/personalization/message/content-card","data":{
             "contentType":"application/json","meta":{"adobe":{"template":"SmallImage"}}\#(published),
             "content":{"title":{"content":"\#(title)"}}}}]}
            """#
    }

    /// Each part's delivery, in milliseconds before now.
    private func times(_ parts: [AdobePart]) throws -> [Int?] {
        try parts.map { part in
            guard case .message(let message) = try part.content.get() else { return nil }
            return message.deliveredAt.map { Self.now.milliseconds - $0.milliseconds }
        }
    }

    @Test func `rank is the order of delivery, and published dates are kept where they fit`() throws {
        let now = Int(Self.now.timeIntervalSince1970)
        // In the list's order; by rank it is d (-1), b (1), c (1), a (2).
        let mixed = try parts(
            card(rank: 2, published: now - 20, title: "a"),
            card(rank: 1, published: now - 10, title: "b"),
            card(rank: 1, published: now - 60, title: "c"),
            card(rank: nil, published: now - 90, title: "d")
        )
        #expect(try times(mixed) == [20_000, 10_000, 19_999, 9_999])
        // None has a published date.
        let undated = try parts(card(rank: 3, published: nil, title: "a"), card(rank: 1, published: nil, title: "b"))
        #expect(try times(undated) == [1, 0])
        // A published date in the future becomes now.
        let future = try parts(
            card(rank: 1, published: now + 9, title: "a"),
            card(rank: 2, published: now + 5, title: "b")
        )
        #expect(try times(future) == [0, 1])
        // A card without a date comes right after the one below it.
        let some = try parts(
            card(rank: 1, published: nil, title: "a"),
            card(rank: 2, published: now - 5, title: "b"),
            card(rank: 3, published: nil, title: "c")
        )
        let delays = try times(some)
        #expect(delays[0] == 4_999 && delays[1] == 5_000 && (delays[2] ?? 0) > 5_000)
    }

    @Test func `items are converted one by one`() throws {
        let parts = try parts(
            #"""
            {"id":"p","scope":"s","scopeDetails":{"a":1},"items":[7,{"id":"x","schema":"other","data":{}},
             {"id":"i","schema":"https://ns.adobe.com/personalization/message/inbox","data":{"content":{
               "layout":{"orientation":"vertical"},"capacity":0}}},
             {"id":"j","schema":"https://ns.adobe.com/personalization/message/inbox","data":{"content":{}}}]}
            """#,
            "{}"
        )
        #expect(parts.map(\.index) == [0, 0, 0, 0, 1] && parts.map(\.item) == [0, 1, 2, 3, nil])
        let pointers = parts.map { part -> String? in
            if case .failure(let error) = part.content { error.pointer } else { nil }
        }
        #expect(pointers == ["/items/0", "/items/1/schema", nil, "/items/3/data/content/layout", "/id"])
    }

    @Test func `a part that a message can't have is left out and preserved`() throws {
        let more = #"""
            "actionUrl":"www.shop.com","image":{"url":"x","darkUrl":"https://a.example/d.png","alt":"A"},"buttons":[
              {"interactId":"b","text":{"content":"1"}},{"interactId":"b","text":{"content":"2"}},
              {"interactId":"c","text":{"content":"3"},"actionUrl":"www.shop.com"},
              {"interactId":"d","text":{"content":"4"},"actionUrl":"data:x"}]
            """#
        let text = card(rank: 1, published: nil, title: "T")
            .replacingOccurrences(of: #""content":{"title""#, with: #""content":{\#(more),"title""#)
        let content = try adapted(text).content.json
        #expect(content["title"] == "T" && content["link"] == nil && content["media"] == nil)
        #expect(content["actions"] == [["id": "b", "text": "1"], ["id": "b.2", "text": "2"]])
        let kept = try json(try #require(content["additionalData"]?["content"]?.stringValue))
        #expect(kept["actionUrl"] == "www.shop.com" && kept["buttons"]?.arrayValue?.count == 4)
        #expect(kept["image"]?["url"] == "x")
        // And back.
        let ours = try message(content, expiresAt: nil)
        let back = try #require(AdobeProposition(ours).items.first).data["content"]
        #expect(back == (try json(text))["items"]?.arrayValue?.first?["data"]?["content"])
    }

    @Test func `of a picture only the part that a message can't have is left out`() throws {
        let image = #""image":{"url":"https://a.example/i.png","darkUrl":"x"}"#
        let text = card(rank: 1, published: nil, title: "T")
            .replacingOccurrences(of: #""content":{"title""#, with: #""content":{\#(image),"title""#)
        let content = try adapted(text).content.json
        #expect(content["media"] == ["url": "https://a.example/i.png"])
        #expect(content["additionalData"]?["content"] == #"{"image":{"darkUrl":"x"}}"#)
    }

    @Test func `of more than ten buttons the first ten are kept`() throws {
        let buttons = (1...12).map { #"{"interactId":"\#($0)","text":{"content":"\#($0)"}}"# }.joined(separator: ",")
        let text = card(rank: 1, published: nil, title: "T")
            .replacingOccurrences(of: #""content":{"title""#, with: #""content":{"buttons":[\#(buttons)],"title""#)
        let content = try adapted(text).content.json
        #expect(content["actions"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == (1...10).map { "\($0)" })
        let kept = try json(try #require(content["additionalData"]?["content"]?.stringValue))
        #expect(kept["buttons"]?.arrayValue?.count == 12)
    }

    @Test func `a card that can't be converted is an error at its pointer`() throws {
        let body = String(repeating: "x", count: 65_537)
        let text = card(rank: 1, published: nil, title: "T").replacingOccurrences(
            of: #""content":{"title""#,
            with: #""content":{"body":{"content":"\#(body)"},"title""#
        )
        let part = try #require(try parts(text).first)
        #expect {
            try part.content.get()
        } throws: { ($0 as? AdapterError)?.pointer == "/items/0/data/content/body/content" }
    }
}
