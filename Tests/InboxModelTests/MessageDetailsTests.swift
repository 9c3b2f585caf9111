import Foundation
import Groundwork
import InboxModel
import Testing

/// The properties that are decoded on first access, with the same results.
@Suite(.timeLimit(.minutes(5))) struct MessageDetailsTests {
    private func lazy(_ text: String) -> Message {
        let full = Samples.full
        var message = Message(
            id: full.id,
            surface: full.surface,
            title: full.title,
            body: full.body,
            category: full.category,
            groupKey: full.groupKey,
            priority: full.priority,
            isPinned: full.isPinned,
            deliverAt: full.deliverAt,
            expiresAt: full.expiresAt,
            details: .text(Array(text.utf8))
        )
        message.seenAt = full.seenAt
        message.readAt = full.readAt
        message.archivedAt = full.archivedAt
        message.snoozedUntil = full.snoozedUntil
        message.deletedAt = full.deletedAt
        return message
    }

    @Test func `details decoded late equal details decoded at once`() {
        let message = lazy(Samples.fullText)
        #expect(message.html == Samples.full.html)
        #expect(message.media == Samples.full.media)
        #expect(message.actions == Samples.full.actions)
        #expect(message.templateID == Samples.full.templateID)
        #expect(message.consentCategory == Samples.full.consentCategory)
        #expect(message.additionalData == Samples.full.additionalData)
        #expect(message.campaignID == Samples.full.campaignID)
        #expect(message == Samples.full)
        #expect(message.hashValue == Samples.full.hashValue)
        #expect(message.json == Samples.full.json)
    }

    @Test func `equal details in different text are equal`() throws {
        let compact = try JSON(parsing: Samples.fullText.utf8).description
        #expect(compact != Samples.fullText)
        #expect(lazy(compact) == lazy(Samples.fullText))
        #expect(lazy(compact).hashValue == lazy(Samples.fullText).hashValue)
        #expect(lazy(#"{"html":"other"}"#) != lazy(Samples.fullText))
    }

    @Test func `changing one detail leaves the others`() {
        var message = lazy(Samples.fullText)
        message.html = nil
        message.actions.removeLast()
        message.additionalData["key"] = "changed"
        message.media?.alt = nil
        message.templateID = "t2"
        message.consentCategory = nil
        #expect(message.html == nil)
        #expect(message.actions.count == 1)
        #expect(message.additionalData == ["key": "changed", "ä": "€"])
        var media = Samples.full.media
        media?.alt = nil
        #expect(message.media == media)
        #expect(message.templateID == "t2")
        #expect(message.consentCategory == nil)
        #expect(message.campaignID == "campaign")
        message.campaignID = nil
        #expect(message.campaignID == nil)
    }

    @Test(arguments: ["", "nonsense", "[]", "null", "{}"])
    func `text without details has the defaults`(text: String) {
        let message = lazy(text)
        #expect(message.html == nil)
        #expect(message.media == nil)
        #expect(message.actions.isEmpty)
        #expect(message.additionalData.isEmpty)
    }
}

extension MessageDetailsTests {
    @Test func `a card's details are the message's`() throws {
        let text = """
            {"id": "m", "title": "T", "html": "<p>", "media": {"url": "https://e.com/a.png", "alt": "A"},
             "actions": [{"id": "1", "text": "Go", "link": "https://e.com/"}], "templateId": "Push", "link": "app://x",
             "dismissButton": "circle", "additionalData": {"a": "b"}, "campaignId": "c"}
            """
        for bytes in [Array(text.utf8), Array("[]".utf8), Array("{\"media\": 3, \"link\"".utf8), []] {
            let whole = MessageDetails.Source.text(bytes).value
            let card = MessageDetails.Source.text(bytes).cardValue
            #expect(card.media == whole.media && card.actions == whole.actions && card.link == whole.link)
            #expect(card.templateID == whole.templateID && card.dismissButton == whole.dismissButton)
            #expect(card.html == nil && card.additionalData.isEmpty)
        }
    }

    @Test(arguments: [
        "{}", "[]", "3",
        #"{"title": "A\u0000\n\"", "body": "\ud83d\ude00 ü", "category": "", "groupKey": "g", "surface": "s"}"#,
        #"{ "pinned" : true , "priority" : -3 , "media" : null , "actions" : {} , "link" : 3 , "templateID" : [] }"#,
        #"{"pinned": 1, "priority": "1", "title": null, "media": {"url": "", "icon": "tray", "alt": 3}, "actions": [3, {}]}"#,
        #"{"\u0074itle": "Escaped", "medi\u0061": {"\u0075rl": "https://e.com/"}, "titlf": "x", "titl": "y", "": ""}"#,
        #"{"media": {"alt": "none"}, "actions": [{"id": "1", "actionType": "new", "other": [{"id": "2"}], "text": "T"}]}"#,
        Samples.fullText,
    ])
    func `a list reads the same values as the message`(text: String) throws {
        let sent = try JSON(parsing: text.utf8)
        var object = sent.objectValue ?? JSONObject()
        object["id"] = "m"
        object["deliverAt"] = "2026-05-01T08:00:00Z"
        let whole = try Message(json: .object(object))
        let listed = Array(text.utf8).withUnsafeBytes { bytes in
            Message(id: "m", deliverAt: whole.deliverAt, readAt: nil, content: bytes)
        }
        #expect(listed.title == whole.title && listed.body == whole.body && listed.category == whole.category)
        #expect(listed.surface == whole.surface && listed.groupKey == whole.groupKey)
        #expect(listed.isPinned == whole.isPinned && listed.priority == whole.priority)
        #expect(listed.html == whole.html && listed.additionalData == whole.additionalData)
        for card in [listed.cardDetails, MessageDetails.Source.text(Array(text.utf8)).cardValue] {
            #expect(card.media == whole.media && card.actions == whole.actions && card.link == whole.link)
            #expect(card.templateID == whole.templateID && card.dismissButton == whole.dismissButton)
        }
    }

    @Test func `of members with the same name, a card uses the first`() {
        let card = MessageDetails.Source.text(
            Array(#"{"link": "a:b", "link": "c:d", "media": 3, "media": {"icon": "x"}}"#.utf8)
        )
        .cardValue
        #expect(card.link == "a:b")
        #expect(card.media == nil)
    }
}
