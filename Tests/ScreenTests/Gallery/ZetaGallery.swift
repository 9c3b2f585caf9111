import Foundation
import InboxClient
import InboxModel
import InboxTesting
import Screens
import ZetaCompatibility

@testable import SwiftUI

/// The complete screen of Zeta's document, over the app's only client.
struct ZetaGallery: GalleryVendor {
    let name = "Zeta"
    let isShared = true

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        switch state {
        case .detail: return .words("None in Zeta’s document “App Inbox”: “Your app owns the view layer”.")
        case .button: return .words("None in Zeta’s document “App Inbox”: its screen has the count as a tab’s badge.")
        case .html: return .words("None in Zeta’s document “App Inbox”: a message is a title, a text and a picture.")
        case .list, .empty, .loading, .error: break
        }
        let gate = Gate()
        let server = ScriptedServer(person: "alice")
        if state != .empty { for message in GalleryMessages.list() { server.deliver(message) } }
        let transport = server.transport
        if state == .error { transport.answer { _ in throw TransportError.unreachable("no network") } }
        if state == .loading {
            transport.answer { request in
                await gate.wait()
                return server.answer(request)
            }
        }
        Self.initialize(over: transport)
        let person = Person(InboxView(), look)
        if state == .list {
            try await person.waits(for: "Your rider is two streets away")
            try await person.waits("the badge") {
                person.display.nodes.contains { if case .modifier(.badge(2)) = $0.kind { true } else { false } }
            }
        }
        var scene = person.scene
        if state != .list {
            scene.box = Box(
                "div",
                class: "column",
                [
                    scene.box.style("flex", "1 1 auto"),
                    Box("p", class: "hint", text: "The screen of Zeta’s document “App Inbox” shows no more than this."),
                ]
            )
        }
        await gate.open()
        person.display.close()
        return scene
    }

    private static func initialize(over transport: ScriptedTransport) {
        var configuration = InboxConfiguration()
        configuration.transport = transport
        configuration.isLive = false
        ZetaClient.shared.initialize(
            config: ZTConfig(
                server: URL(string: "https://inbox.example")!,
                directory: FileManager.default.temporaryDirectory.appending(path: "inbox-zeta-\(UUID())"),
                person: "alice",
                configuration: configuration
            ) { _ in "token" }
        )
    }
}

/// InboxKit has no screens.
struct InboxKitGallery: GalleryVendor {
    let name = "InboxKit"

    func scene(_ state: GalleryState, _ look: GalleryLook) async throws -> GalleryScene {
        .words("None in InboxKit’s documents: it hands threads and messages to the app’s own screens.")
    }
}
