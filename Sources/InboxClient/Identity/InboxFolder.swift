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
    func open(_ person: String) async throws -> Inbox {
        try await Inbox.open(
            server: server,
            person: person,
            directory: directory,
            configuration: configuration
        ) { [token] in
            try await token(person)
        }
    }

    /// Opens an inbox without syncing it.
    private func openWithoutSync(_ identity: Identity, _ server: URL) async throws -> Inbox {
        var quiet = configuration
        quiet.isLive = false
        let isOurs = isOurs(identity)
        return try await Inbox.open(
            server: server,
            person: identity.person,
            directory: directory,
            configuration: quiet
        ) { [token] in
            guard isOurs else { throw InboxError(.invalidArgument, "Tokens are for another server.") }
            return try await token(identity.person)
        }
    }

    /// Whether an identity is one on this server.
    private func isOurs(_ identity: Identity) -> Bool { identity == self.identity(identity.person) }

    /// Signs out a person whose inbox isn't open. An inbox that can't be opened, or that belongs to another server, is
    /// deleted without sending: tokens are for this server only.
    ///
    /// - Throws: ``InboxError`` if some of the data remains: `unsentDrafts` if all of it does, for unsent drafts of
    ///   mail; `otherProcess`, `diskFull` and `newerVersion` if it isn't known whether there are any, and all of it
    ///   remains too.
    func delete(_ identity: Identity) async throws {
        guard let url = URL(string: identity.server) else { return }
        let location = StoreLocation(directory: directory, server: url, person: identity.person)
        guard location.exists else { return }
        do {
            let inbox = try await openWithoutSync(identity, url)
            do {
                if isOurs(identity) {
                    try await inbox.signOut()
                    return
                }
                let drafts = try await inbox.markSignedOut()
                if drafts > 0 { throw InboxError.unsentDrafts(drafts) }
            } catch {
                await inbox.close()
                throw error
            }
            await inbox.close()
        } catch let error as InboxError
            where [.unsentDrafts, .otherProcess, .diskFull, .newerVersion].contains(error.code)
        {
            // A retryable failure doesn't delete a file that could have drafts.
            throw error
        } catch {}
        do {
            try location.deleteClosed()
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
