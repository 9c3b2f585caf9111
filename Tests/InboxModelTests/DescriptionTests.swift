import Foundation
import InboxModel
import Testing

/// Descriptions of values: one line, without texts.
@Suite(.timeLimit(.minutes(5))) struct DescriptionTests {
    static let secret = "Your test was positive"

    var message: Message {
        Message(
            id: "m1",
            title: Self.secret,
            body: Self.secret,
            html: Self.secret,
            media: Media(url: "https://example.com/\(Self.secret)", alt: Self.secret),
            actions: [
                MessageAction(id: "1", text: Self.secret, value: Self.secret, link: Self.secret),
                MessageAction(id: "2", text: Self.secret, actionType: .webBrowser),
            ],
            isPinned: true,
            deliverAt: Date(timeIntervalSince1970: 1_777_622_400),
            additionalData: ["key": Self.secret],
            link: Self.secret
        )
    }

    @Test func `a message's description is one line`() {
        #expect(
            "\(message)" == "Message(m1, surface: inbox, delivered 2026-05-01T08:00:00Z, unread, pinned, 2 actions)"
        )
        var read = message
        (read.readAt, read.archivedAt, read.isPinned, read.actions) = (Date(), Date(), false, [])
        (read.snoozedUntil, read.expiresAt) = (message.deliverAt, message.deliverAt)
        let date = "2026-05-01T08:00:00Z"
        #expect(
            "\(read)"
                == "Message(m1, surface: inbox, delivered \(date), read, archived, snoozed until \(date), expires \(date))"
        )
    }

    @Test func `a description has texts only where they are requested`() {
        let event = MessageEvent(uid: "e", message: "m1", type: .clicked, data: ["key": .string(Self.secret)])
        let settings = InboxSettings(title: Self.secret, emptyMessage: Self.secret)
        let values: [(any CustomStringConvertible, String)] = [
            (message, message.descriptionWithTexts), (event, event.descriptionWithTexts),
            (settings, settings.descriptionWithTexts),
        ]
        for (value, withTexts) in values {
            #expect(!"\(value)".contains(Self.secret))
            #expect(!String(reflecting: [value]).contains(Self.secret))
            #expect(withTexts.contains(Self.secret))
        }
        #expect(message.descriptionWithTexts.components(separatedBy: Self.secret).count == 12)
        for action in message.actions { #expect(!"\(action)".contains(Self.secret)) }
        #expect(!"\(message.media as Any)".contains(Self.secret))
    }

    @Test func `descriptions of actions, events and settings are one line`() {
        #expect("\(message.actions)" == "[MessageAction(1, with a link), MessageAction(2, webBrowser)]")
        let event = MessageEvent(uid: "e", message: "m1", type: .opened, action: "a", data: ["b": .number(1)])
        #expect("\(event)" == "MessageEvent(e, opened, message: m1, action: a, 1 value)")
        #expect(
            "\(InboxSettings(title: "x"))"
                == "InboxSettings(vertical, deviceLimit: 200, newDeviceLimit: 50, unread marks: topLeft, texts: title)"
        )
    }
}
