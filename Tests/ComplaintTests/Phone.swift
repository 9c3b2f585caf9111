import Foundation
import Groundwork
import InboxClient
import RunningServer

/// A person's inbox on a device of theirs, whose network can be cut.
struct Phone {
    let inbox: Inbox
    let wire: Wire

    static func open(
        _ server: RunningServer,
        person: String = "alice",
        name: String = "phone",
        wire: Wire = Wire(),
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Phone {
        var configuration = InboxConfiguration()
        configuration.isLive = false
        // Phones with one folder are as processes of their own.
        configuration.sharesEngine = false
        configuration.transport = wire
        configure(&configuration)
        let inbox = try await Inbox.open(
            server: server.url,
            person: person,
            directory: server.folder.appending(path: name),
            configuration: configuration
        ) {
            try await server.token(of: person)
        }
        return Phone(inbox: inbox, wire: wire)
    }
}
