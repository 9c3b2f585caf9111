import Foundation
import Groundwork
import InboxModel

/// A message with every field, and one with the required fields only.
enum Samples {
    static let full = Message(
        id: "m1",
        surface: "offers",
        title: "Title",
        body: "Body",
        html: "<p>HTML</p>",
        media: Media(
            url: "https://example.com/a.png",
            darkURL: "https://example.com/b.png",
            bundle: "a",
            darkBundle: "b",
            icon: "tray",
            alt: "A picture",
            width: 1200,
            height: 800
        ),
        actions: [
            MessageAction(
                id: "1",
                text: "Open",
                type: "primary",
                value: "open",
                link: "myapp://open",
                actionType: .webBrowser
            ),
            MessageAction(id: "2", text: "Later", actionType: .other("hologram")),
        ],
        templateID: "template",
        category: "News",
        groupKey: "group",
        priority: -7,
        isPinned: true,
        deliverAt: Date(milliseconds: 1_777_622_400_250),
        expiresAt: Date(milliseconds: 1_777_722_400_000),
        consentCategory: "marketing",
        additionalData: ["key": "value", "ä": "€"],
        campaignID: "campaign",
        link: "myapp://offers/7",
        dismissButton: .circle,
        seenAt: Date(milliseconds: 1_777_622_401_000),
        readAt: Date(milliseconds: 1_777_622_402_000),
        archivedAt: Date(milliseconds: 1_777_622_403_000),
        snoozedUntil: Date(milliseconds: 1_777_622_404_000),
        deletedAt: Date(milliseconds: 1_777_622_405_000)
    )

    static let bare = Message(id: "m2", deliverAt: Date(milliseconds: 0))

    /// The full message as a server sends it.
    static let fullText = #"""
        {"id":"m1","surface":"offers","title":"Title","body":"Body","html":"<p>HTML</p>",
         "media":{"url":"https://example.com/a.png","darkUrl":"https://example.com/b.png","bundle":"a","darkBundle":"b",
                  "icon":"tray","alt":"A picture","width":1200,"height":800},
         "actions":[{"id":"1","text":"Open","type":"primary","value":"open","link":"myapp://open","actionType":"webBrowser"},
                    {"id":"2","text":"Later","actionType":"hologram"}],
         "templateId":"template","category":"News","groupKey":"group","priority":-7,"pinned":true,
         "deliverAt":"2026-05-01T08:00:00.25Z","expiresAt":"2026-05-02T11:46:40Z","consentCategory":"marketing",
         "additionalData":{"key":"value","ä":"€"},"campaignId":"campaign","link":"myapp://offers/7",
         "dismissButton":"circle","seenAt":"2026-05-01T08:00:01Z",
         "readAt":"2026-05-01T08:00:02Z","archivedAt":"2026-05-01T08:00:03Z","snoozedUntil":"2026-05-01T08:00:04Z",
         "deletedAt":"2026-05-01T08:00:05Z"}
        """#
}
