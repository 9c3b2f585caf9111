import Coverage
import Foundation
import Groundwork
import InboxClient
import RunningServer
import Testing
import ZetaCompatibility

/// Messages imported from Zeta, on a device.
@Suite(.timeLimit(.minutes(10))) struct ImportedTests {
    /// Alice's inbox on a device that has fetched messages which were imported by the backend's API.
    private func inbox(_ server: RunningServer, importing messages: JSON...) async throws -> any ZTAppInboxManagable {
        let body: JSON = ["person": "alice", "messages": .array(messages)]
        let answer = try await server.rest("POST", "v1/import/zeta", body)
        #expect(answer["imported"]?.intValue == messages.count, "\(answer)")
        var configuration = InboxConfiguration()
        configuration.isLive = false
        let client = ZetaClient()
        client.initialize(
            config: ZTConfig(
                server: server.url,
                directory: server.folder.appending(path: "device"),
                person: "alice",
                configuration: configuration
            ) {
                try await server.token(of: $0)
            }
        )
        let inbox = try #require(client.inbox)
        _ = try await inbox.fetchMessages()
        return inbox
    }

    @Test(.shows(.z17, .z18, .z19, .z20, .z21, .z22, .z23, .z24, .z25, .z26, .z45))
    func `an imported message has Zeta's values, and is found by Zeta's id`() async throws {
        try await RunningServer.run { server in
            let action: JSON = [
                "text": "Track it", "type": "primary", "value": "track", "link": "https://shop.example/7",
                "actionType": "webBrowser",
            ]
            let inbox = try await inbox(
                server,
                importing: [
                    "messageId": "MSG-001", "title": "Your parcel", "body": "On Friday", "status": "READ",
                    "mediaUrl": "https://shop.example/i.png", "templateId": "card",
                    "expirationTimestamp": 4_102_444_800_000, "actionList": [action],
                    "additionalData": ["route": "offers"],
                ]
            )
            let message = try #require(try await inbox.getMessage(for: "MSG-001"))
            #expect(message.title == "Your parcel" && message.body == "On Friday" && message.status == .read)
            #expect(message.mediaUrl == "https://shop.example/i.png" && message.templateId == "card")
            #expect(message.expirationTimestamp?.doubleValue == 4_102_444_800_000)
            #expect(message.additionalData == ["route": "offers", "messageId": "MSG-001"])
            let read = try #require(message.actionList?.first)
            #expect(read.text == "Track it" && read.type == "primary" && read.value == "track")
            #expect(read.link == "https://shop.example/7" && read.actionType == "webBrowser")
            #expect(message.messageId != "MSG-001" && message.id == message.messageId)
            #expect(try await inbox.getMessage(for: message.messageId)?.title == message.title)
            #expect(try await inbox.getMessage(for: "MSG-002") == nil)
        }
    }

    @Test(.shows(.z35, .z36, .z37, .z38))
    func `imported messages are marked and deleted by Zeta's ids`() async throws {
        try await RunningServer.run { server in
            let inbox = try await inbox(
                server,
                importing: ["messageId": "a", "title": "A"],
                ["messageId": "b", "title": "B"],
                ["messageId": "c", "title": "C"]
            )
            try await inbox.markMessageAsRead(messageId: "a")
            #expect(try await inbox.getReadMessages().map(\.title) == ["A"])
            #expect(try await inbox.markAllMessagesAsRead(ids: ["b", "unknown", "b", "a"]) == ["b", "a"])
            #expect(try await inbox.getUnreadMessages().map(\.title) == ["C"])
            // It is known, so the call doesn't throw.
            try await inbox.onMessageClicked(messageId: "b", actionValue: "")
            try await inbox.markMessageAsDeleted(messageId: "a")
            #expect(try await inbox.getMessage(for: "a") == nil)
            #expect(try await inbox.markAllMessagesAsDeleted(ids: ["c", "unknown", "a"]) == ["c", "a"])
            #expect(try await inbox.fetchMessages().map(\.title) == ["B"])
            let error = await #expect(throws: InboxError.self) { try await inbox.markMessageAsRead(messageId: "x") }
            #expect(error?.code == .unknownMessage)
        }
    }

    @Test(.shows(.z23, .z41)) func `an imported message is shown without a part that it can't have`() async throws {
        try await RunningServer.run { server in
            let inbox = try await inbox(
                server,
                importing: [
                    "messageId": "a", "title": "A", "mediaUrl": "i.png", "expirationTimestamp": 0,
                    "actionList": [
                        ["text": "Shop", "link": "www.shop.example"], ["text": "Go", "link": "https://shop.example"],
                    ],
                ]
            )
            let message = try #require(try await inbox.getMessage(for: "a"))
            #expect(message.title == "A" && message.mediaUrl == nil && message.expirationTimestamp == nil)
            #expect(message.actionList?.map(\.text) == ["Go"])
            #expect(message.additionalData["mediaUrl"] == "i.png")
            #expect(message.additionalData["actionList"] == #"{"1":{"text":"Shop","link":"www.shop.example"}}"#)
        }
    }
}
