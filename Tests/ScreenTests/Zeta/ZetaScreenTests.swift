import Coverage
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import Screens
import Testing
import ZetaCompatibility

@testable import SwiftUI

/// The complete screen of Zeta's document. Serialized, because it asks the app's only client.
@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor
struct ZetaScreenTests {
    /// A row with a picture, over what the client gives.
    private struct PictureRow: View {
        let message: ZTAppInboxMessage

        var body: some View {
            HStack {
                AsyncImage(url: message.mediaUrl.flatMap { URL(string: $0) }) { phase in
                    if let picture = phase.image { picture } else { ProgressView() }
                }
                InboxRow(message: message) {
                } onCTA: { _ in
                }
            }
        }
    }

    private func initialize(_ messages: Message...) -> ScriptedServer {
        let server = ScriptedServer(person: "alice")
        for message in messages { server.deliver(message) }
        var configuration = InboxConfiguration()
        configuration.transport = server.transport
        configuration.isLive = false
        ZetaClient.shared.initialize(
            config: ZTConfig(
                server: URL(string: "https://inbox.example")!,
                directory: FileManager.default.temporaryDirectory.appending(path: "inbox-zeta-\(UUID())"),
                person: "alice",
                configuration: configuration
            ) { _ in "token" }
        )
        return server
    }

    private func recent(_ id: String, minutesAgo: Double = 1, _ change: (inout Message) -> Void = { _ in }) -> Message {
        message(id) {
            $0.deliverAt = Date().addingTimeInterval(-60 * minutesAgo)
            change(&$0)
        }
    }

    @Test(.shows(.z44, .z50)) func `the screen fetches, shows a badge, marks read on a tap and reports a button`()
        async throws
    {
        let server = initialize(
            recent("m1") {
                $0.actions = [MessageAction(id: "buy", text: "Buy", value: "order", link: "https://shop.example/buy")]
            },
            recent("m2", minutesAgo: 2)
        )
        let person = Person(InboxView())
        #expect(!person.sees("Title m1") && person.badge == 0)
        try await person.waits(for: "Title m2")
        try await person.waits("the badge") { person.badge == 2 }
        #expect(person.sees("Title m1") && person.sees("Body") && person.title == "Inbox")
        try person.taps("Title m2")
        try await person.waits("the badge") { person.badge == 1 }
        let inbox = try #require(ZetaClient.shared.inbox)
        #expect(try await inbox.getUnreadMessages().map(\.messageId) == ["m1"])
        UIApplication.shared.opened = []
        try person.taps("Buy")
        #expect(UIApplication.shared.opened == ["https://shop.example/buy"])
        try await person.waits("the report") {
            // A sync sends what was recorded.
            _ = try await inbox.fetchMessages()
            return server.events.contains { $0.message == "m1" && $0.action == "buy" }
        }
    }

    @Test(.shows(.z34)) func `a row has title, text, picture, a dot if unread, and a button`() async throws {
        let url = try #require(URL(string: "https://shop.example/picture.png"))
        _ = initialize(
            recent("m1") {
                $0.media = Media(url: url.absoluteString)
                $0.actions = [MessageAction(id: "buy", text: "Buy", value: "order")]
            }
        )
        let inbox = try #require(ZetaClient.shared.inbox)
        let message = try #require(try await inbox.fetchMessages().first)
        let pictures = Pictures()
        let person = Person(PictureRow(message: message)) { $0.pictures = pictures }
        #expect(person.texts == ["…", "Title m1", "Body", "Buy"] && person.hasDot)
        pictures.set(.success(Image("picture")), of: url)
        try await person.waits(for: "picture")
        #expect(person.texts == ["picture", "Title m1", "Body", "Buy"])
        try await inbox.markMessageAsRead(messageId: "m1")
        let read = Person(PictureRow(message: try #require(try await inbox.fetchMessages().first)))
        #expect(read.sees("Title m1") && !read.hasDot)
    }

    // Here because of the app's only client.
    @Test func `the gallery draws every view, and a sentence where the document has none`() async throws {
        for entry in try await Gallery.entries(of: ZetaGallery()) {
            #expect(entry.scene.unknown.isEmpty, "\(entry.file): \(entry.scene.unknown)")
            #expect(entry.scene.hasScreen != [.detail, .button, .html].contains(entry.state))
        }
    }
}

extension Person {
    fileprivate var badge: Int? {
        for node in display.nodes { if case .modifier(.badge(let count)) = node.kind { return count } }
        return nil
    }

    fileprivate var title: String? {
        for node in display.nodes { if case .modifier(.title(let title)) = node.kind { return title } }
        return nil
    }

    fileprivate var hasDot: Bool { display.nodes.contains { if case .shape = $0.kind { true } else { false } } }
}
