public import Foundation
public import InboxClient

/// The server of the messages and the person whose messages they are. An app states these instead of its site id and
/// secret.
public final class ZTConfig: NSObject, Sendable {
    let server: URL
    let directory: URL
    let person: String?
    private let configuration: InboxConfiguration
    private let token: @Sendable (String) async throws -> String

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - server: The URL of the inbox server, `http` or `https`.
    ///   - directory: A folder for the app's inboxes, such as one in Application Support. It is created if it doesn't
    ///   exist.
    ///   - person: The app's own id of the person. If it is nil, every call fails with the `InboxError`
    ///   `notIdentified`.
    ///   - configuration: The settings of the inbox. The defaults are Zeta's: 200 messages on the device, 50 at first.
    ///   - token: Returns a token of the person, which the app's backend gets from the server.
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
