public import Foundation
public import InboxClient

/// Where the messages come from and whose they are: what an app has to say instead of its site id and secret.
public final class ZTConfig: NSObject, Sendable {
    let server: URL
    let directory: URL
    let person: String?
    private let configuration: InboxConfiguration
    private let token: @Sendable (String) async throws -> String

    /// - Parameters:
    ///   - server: Where the inbox server is, an `http` or `https` URL.
    ///   - directory: A folder for the app's inboxes, such as one in Application Support. Made where it doesn't exist.
    ///   - person: The app's own id for the person; nil for nobody: then every call fails with `InboxError`'s
    ///     `notIdentified`.
    ///   - configuration: What may be set about the inbox. Its defaults are Zeta's: 200 messages on the device, 50 at
    ///     first.
    ///   - token: Gives a token of the person's, which the app's backend gets from the server.
    public init(
        server: URL,
        directory: URL,
        person: String?,
        configuration: InboxConfiguration = InboxConfiguration(),
        token: @escaping @Sendable (_ person: String) async throws -> String
    ) {
        self.server = server
        self.directory = directory
        self.person = person
        self.configuration = configuration
        self.token = token
    }

    func makeInbox() -> CurrentInbox {
        CurrentInbox(server: server, directory: directory, configuration: configuration, token: token)
    }
}
