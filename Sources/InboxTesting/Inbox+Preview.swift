public import Foundation
public import Groundwork
public import InboxClient
public import InboxModel

extension Inbox {
    /// An inbox that needs no server, for previews and tests: it has these messages, and everything can be done to
    /// them.
    ///
    /// - Parameters:
    ///   - messages: What is in it.
    ///   - directory: Where its file goes; a new folder among the temporary ones by default.
    ///   - clock: What time it is.
    /// - Throws: `InboxError` with the code `storage` when the file can't be opened.
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
