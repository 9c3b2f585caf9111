public import Foundation
public import InboxModel

extension Message {
    /// Sample messages for previews: unread and read, without and with buttons, in several scripts.
    ///
    /// - Parameter now: The current time. The newest message is one minute older.
    public static func samples(now: Date) -> [Message] {
        func ago(_ minutes: Double) -> Date { now.addingTimeInterval(-60 * minutes) }
        return [
            Message(
                id: "sample-parcel",
                title: "Your parcel is on its way",
                body: "It arrives tomorrow between 9 and 12.",
                actions: [
                    MessageAction(
                        id: "track",
                        text: "Track",
                        value: "track",
                        link: "https://parcels.example/track/7",
                        actionType: .webBrowser
                    )
                ],
                category: "orders",
                deliverAt: ago(1)
            ),
            Message(
                id: "sample-welcome",
                title: "Welcome",
                body: "Good to have you here. This is where we'll write to you.",
                isPinned: true,
                deliverAt: ago(60),
                readAt: ago(30)
            ),
            Message(
                id: "sample-arabic",
                title: "طلبك في الطريق",
                body: "سيصل غدًا بين التاسعة والثانية عشرة.",
                deliverAt: ago(26 * 60)
            ),
            Message(
                id: "sample-japanese",
                title: "お荷物を発送しました",
                body: "明日の午前中に届く予定です。",
                deliverAt: ago(3 * 24 * 60),
                seenAt: ago(2 * 24 * 60)
            ),
        ]
    }
}
