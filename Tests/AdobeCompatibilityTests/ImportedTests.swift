import AdobeCompatibility
import Foundation
import Groundwork
import InboxAdapters
import InboxClient
import RunningServer
import Testing

/// Messages imported from Adobe, on a device.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ImportedTests {
    private let surface = Surface("mobileapp://com.example.app/inbox")

    private func proposition(_ id: String, rank: Int, _ item: JSON) -> JSON {
        [
            "id": .string(id), "scope": .string(surface.uri),
            "scopeDetails": ["activity": ["id": .string("activity-\(id)")], "rank": JSON(rank)], "items": [item],
        ]
    }

    private func card(_ id: String) -> JSON {
        [
            "id": .string("item-\(id)"), "schema": "https://ns.adobe.com/personalization/message/content-card",
            "data": [
                "contentType": "application/json", "publishedDate": 1_700_000_000,
                "meta": ["adobe": ["template": "SmallImage"]], "content": ["title": ["content": .string(id)]],
            ],
        ]
    }

    private let settings: JSON = [
        "id": "s", "schema": "https://ns.adobe.com/personalization/message/inbox",
        "data": [
            "content": ["layout": ["orientation": "vertical"], "capacity": 9, "heading": ["content": "News"]]
        ],
    ]

    @Test func `imported cards are shown by rank and convert back to propositions`() async throws {
        try await RunningServer.run { server in
            let cards = [
                proposition("last", rank: 3, card("last")), proposition("first", rank: 1, card("first")),
                proposition("middle", rank: 2, card("middle")),
            ]
            let body: JSON = ["person": "alice", "propositions": .array(cards + [proposition("s", rank: 0, settings)])]
            let answer = try await server.rest("POST", "v1/import/adobe", body)
            #expect(answer["imported"] == 4)
            var configuration = InboxConfiguration()
            configuration.isLive = false
            let inbox = try await Inbox.open(
                server: server.url,
                person: "alice",
                directory: server.folder.appending(path: "device"),
                configuration: configuration
            ) {
                try await server.token(of: "alice")
            }
            let ui = InboxUI(surface: surface, inbox: inbox, requiresSettings: true)
            await ui.refreshed()
            #expect(ui.state.cards.map { $0.card.title?.content } == ["first", "middle", "last"])
            #expect(ui.inboxSchemaData?.heading?.content == "News" && ui.inboxSchemaData?.isUnreadEnabled == false)
            let messages = try await inbox.messages(surface: surface.name)
            #expect(messages.map { AdobeProposition($0).json } == [cards[1], cards[2], cards[0]])
            await inbox.close()
        }
    }
}
