public import Foundation
public import InboxMail
import MailSignIn

/// InboxKit's entry point: the mail accounts that this device is signed in to.
///
/// It is isolated to the main actor, like all types of this module. The work itself happens off the main actor.
@MainActor
public final class INAPIManager {
    private static let instance = INAPIManager()
    private var signedIn: [INNamespace] = []
    /// The sign-in of people, for ``authenticate(email:)``. Set it when the app starts.
    public var signIn: INSignIn?

    package init() {}

    /// The app's manager.
    public static func shared() -> INAPIManager { instance }

    /// The accounts, in the order of sign-in. Empty before ``authenticate(email:)``.
    public func namespaces() -> [INNamespace] { signedIn }

    /// The addresses of the accounts.
    public func namespaceEmailAddresses() -> [String] { signedIn.map(\.emailAddress) }

    /// Whether an account is signed in.
    public func isAuthenticated() -> Bool { !signedIn.isEmpty }

    /// Opens a person's mail account on this device, also offline. An account that is already open is returned.
    ///
    /// It is for a server without OAuth, or an app with a sign-in of its own. ``authenticate(email:)`` signs in in the
    /// browser.
    ///
    /// - Parameters:
    ///   - server: The mail server, as for `Mail.open`.
    ///   - credentials: The person's credentials.
    ///   - account: The id of one of the accounts of `Mail.accounts()`. Nil for the primary one.
    ///   - directory: A folder for the app's mail. It is created if it doesn't exist.
    ///   - scope: Whether the device keeps the whole mailbox, or the threads that the app's providers request.
    ///   - configuration: The settings.
    /// - Throws: As `Mail.open`: `MailError` with `invalidArgument`, `storage` or `diskFull`.
    @discardableResult
    public func authenticate(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        directory: URL,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> INNamespace {
        if let existing = namespace(server, credentials, account) { return existing }
        let mail = try await Mail.open(
            server: server,
            credentials: credentials,
            account: account,
            directory: directory,
            scope: scope,
            configuration: configuration
        )
        let namespace = try await INNamespace(mail)
        // Another caller may have opened the same account meanwhile.
        if let existing = self.namespace(server, credentials, account) {
            await mail.close()
            return existing
        }
        signedIn.append(namespace)
        return namespace
    }

    /// Signs out of all accounts. Pending writes are sent for up to five seconds. Then all data is deleted from this
    /// device, and the tokens of ``authenticate(email:)`` are revoked.
    ///
    /// - Parameter discardsDrafts: Whether drafts that the server doesn't have, and mails that wait to be sent, may be
    ///   lost. By default, the call throws instead, and nothing has changed.
    /// - Returns: The number of mails with changes that couldn't be sent and are lost.
    /// - Throws: `MailError`: `unsentDrafts` if there are such drafts, and others if they can't be counted, such as
    ///   `diskFull`, and nothing has changed; another one if a file can't be deleted now. The next opening deletes it,
    ///   and the account is signed out nevertheless. One in which another process is writing stays signed in.
    ///   `SignInError` with the code `storage` if tokens can't be removed.
    @discardableResult
    public func unauthenticate(discardsDrafts: Bool = false) async throws -> Int {
        let namespaces = signedIn
        if !discardsDrafts {
            var drafts = 0
            for namespace in namespaces { drafts += try await namespace.unsentDraftCount() }
            guard drafts == 0 else { throw MailError.unsentDrafts(drafts) }
        }
        signedIn.removeAll { namespace in namespaces.contains { $0 === namespace } }
        var unsent = 0
        var failure: (any Error)?
        for namespace in namespaces {
            do {
                unsent += try await namespace.signOut(discardsDrafts: discardsDrafts)
                try await namespace.keeper?.signOut()
            } catch {
                failure = error
                // A draft was saved in this moment, or another process is writing.
                if namespace.isOpen || (error as? MailError)?.code == .unsentDrafts { signedIn.append(namespace) }
            }
        }
        if let failure { throw failure }
        return unsent
    }

    private func namespace(_ server: URL, _ credentials: MailCredentials, _ account: String?) -> INNamespace? {
        signedIn.first {
            $0.mail.server == server && $0.mail.user == credentials.user && $0.mail.account == account
        }
    }
}
