public import Foundation
public import Groundwork
public import InboxClient
public import InboxModel

extension Inbox {
    /// Opens an inbox without a server, for previews and tests. It contains the given messages and supports every
    /// action.
    ///
    /// - Parameters:
    ///   - messages: The messages of the inbox.
    ///   - directory: The directory of the store. The default is a new temporary directory.
    ///   - clock: The clock of the inbox.
    /// - Throws: `InboxError` with the code `storage` if the store can't be opened.
    public static func preview(
        _ messages: [Message] = Message.samples(now: Date()),
        directory: URL = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-preview-\(UUID())"),
        clock: any WallClock = SystemClock()
    ) async throws -> Inbox {
        let server = ScriptedServer(person: "preview")
        for message in messages { server.deliver(message) }
        var configuration = InboxConfiguration()
        configuration.transport = server.transport
        configuration.clock = clock
        var address = URLComponents()
        (address.scheme, address.host) = ("https", "preview.invalid")
        let inbox = try await open(
            server: address.url ?? directory,
            person: server.person,
            directory: directory,
            configuration: configuration
        ) {
            "preview"
        }
        try await inbox.sync()
        return inbox
    }
}
