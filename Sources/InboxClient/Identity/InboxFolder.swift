import Foundation
import Replica

/// The folder with the inboxes of an app, and the arguments for opening them.
struct InboxFolder: Sendable {
    let server: URL
    let directory: URL
    let configuration: InboxConfiguration
    let token: @Sendable (_ person: String) async throws -> String

    func identity(_ person: String) -> Identity { Identity(server: server.absoluteString, person: person) }

    /// Opens a person's inbox on the server.
    func open(_ person: String) async throws -> Inbox { try await open(person, configuration) }

    private func open(_ person: String, _ configuration: InboxConfiguration) async throws -> Inbox {
        try await Inbox.open(
            server: server,
            person: person,
            directory: directory,
            configuration: configuration
        ) { [token] in
            try await token(person)
        }
    }

    /// Signs out a person whose inbox isn't open. An inbox that can't be opened, or that belongs to another server, is
    /// deleted without sending: tokens are for this server only.
    ///
    /// - Throws: ``InboxError`` if some of the data remains.
    func delete(_ identity: Identity) async throws {
        guard let url = URL(string: identity.server) else { return }
        let location = StoreLocation(directory: directory, server: url, person: identity.person)
        guard location.exists else { return }
        if identity == self.identity(identity.person) {
            do {
                var quiet = configuration
                quiet.isLive = false
                try await open(identity.person, quiet).signOut()
                return
            } catch {}
        }
        do {
            try location.deleteClosed()
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
