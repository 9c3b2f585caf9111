import Foundation
import Groundwork
import InboxModel
import Testing

/// The properties that are decoded when they are asked for: nobody can tell when that was.
@Suite struct MessageDetailsTests {
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
            pinned: full.pinned,
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

    @Test func detailsReadLate_equalThoseReadAtOnce() {
        let message = lazy(Samples.fullText)
        #expect(message.html == Samples.full.html)
        #expect(message.media == Samples.full.media)
        #expect(message.actions == Samples.full.actions)
        #expect(message.templateId == Samples.full.templateId)
        #expect(message.consentCategory == Samples.full.consentCategory)
        #expect(message.additionalData == Samples.full.additionalData)
        #expect(message.campaignId == Samples.full.campaignId)
        #expect(message == Samples.full)
        #expect(message.hashValue == Samples.full.hashValue)
        #expect(message.json == Samples.full.json)
    }

    @Test func sameDetailsInOtherText_areEqual() throws {
        let compact = try JSON(parsing: Samples.fullText.utf8).description
        #expect(compact != Samples.fullText)
        #expect(lazy(compact) == lazy(Samples.fullText))
        #expect(lazy(compact).hashValue == lazy(Samples.fullText).hashValue)
        #expect(lazy(#"{"html":"other"}"#) != lazy(Samples.fullText))
    }

    @Test func oneChangedDetail_leavesTheOthers() {
        var message = lazy(Samples.fullText)
        message.html = nil
        message.actions.removeLast()
        message.additionalData["key"] = "changed"
        message.media?.alt = nil
        message.templateId = "t2"
        message.consentCategory = nil
        #expect(message.html == nil)
        #expect(message.actions.count == 1)
        #expect(message.additionalData == ["key": "changed", "ä": "€"])
        var media = Samples.full.media
        media?.alt = nil
        #expect(message.media == media)
        #expect(message.templateId == "t2")
        #expect(message.consentCategory == nil)
        #expect(message.campaignId == "campaign")
        message.campaignId = nil
        #expect(message.campaignId == nil)
    }

    @Test(arguments: ["", "nonsense", "[]", "null", "{}"])
    func textThatHasNone_givesDefaults(text: String) {
        let message = lazy(text)
        #expect(message.html == nil)
        #expect(message.media == nil)
        #expect(message.actions.isEmpty)
        #expect(message.additionalData.isEmpty)
    }
}

extension MessageDetailsTests {
    @Test func theDetailsOfACard_areThoseOfTheMessage() throws {
        let text = """
            {"id": "m", "title": "T", "html": "<p>", "media": {"url": "https://e.com/a.png", "alt": "A"},
             "actions": [{"id": "1", "text": "Go", "link": "https://e.com/"}], "templateId": "Push", "link": "app://x",
             "dismissButton": "circle", "additionalData": {"a": "b"}, "campaignId": "c"}
            """
        for bytes in [Array(text.utf8), Array("[]".utf8), Array("{\"media\": 3, \"link\"".utf8), []] {
            let whole = MessageDetails.Source.text(bytes).value
            let card = MessageDetails.Source.text(bytes).cardValue
            #expect(card.media == whole.media && card.actions == whole.actions && card.link == whole.link)
            #expect(card.templateId == whole.templateId && card.dismissButton == whole.dismissButton)
            #expect(card.html == nil && card.additionalData.isEmpty)
        }
    }
}
