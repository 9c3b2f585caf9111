import Foundation
import Groundwork
import InboxClient
import RunningServer

/// A person's inbox on a device whose network can be cut.
struct Phone {
    let inbox: Inbox
    let transport: TestTransport

    static func open(
        _ server: RunningServer,
        person: String = "alice",
        name: String = "phone",
        transport: TestTransport = TestTransport(),
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Phone {
        var configuration = InboxConfiguration()
        configuration.isLive = false
        // Phones with the same folder work like separate processes.
        configuration.sharesEngine = false
        configuration.transport = transport
        configure(&configuration)
        let inbox = try await Inbox.open(
            server: server.url,
            person: person,
            directory: server.folder.appending(path: name),
            configuration: configuration
        ) {
            try await server.token(of: person)
        }
        return Phone(inbox: inbox, transport: transport)
    }
}
