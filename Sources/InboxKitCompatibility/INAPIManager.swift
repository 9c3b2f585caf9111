public import Foundation
public import InboxMail

/// InboxKit's entry point: the mail accounts that this device is signed in to.
///
/// On the main actor, as all of this layer; nothing but handing over is done there.
@MainActor
public final class INAPIManager {
    private static let instance = INAPIManager()
    private var signedIn: [INNamespace] = []

    package init() {}

    /// The one manager of the app.
    public static func shared() -> INAPIManager { instance }

    /// The accounts, in the order in which they were signed in to; none before
    /// ``authenticate(server:credentials:account:directory:scope:configuration:)``.
    public func namespaces() -> [INNamespace] { signedIn }

    /// The addresses of the accounts.
    public func namespaceEmailAddresses() -> [String] { signedIn.map(\.emailAddress) }

    /// Whether there is an account.
    public func isAuthenticated() -> Bool { !signedIn.isEmpty }

    /// Opens a person's mail account on this device, also offline; an account that is open already is given back.
    ///
    /// It stands in for InboxKit's sign-in, for the hosted service behind that is gone.
    ///
    /// - Parameters:
    ///   - server: The mail server, as for `Mail.open`.
    ///   - credentials: How the person shows who they are.
    ///   - account: The id of one of the accounts that `Mail.accounts()` tells; nil for the primary one.
    ///   - directory: A folder for the app's mail. Made where it doesn't exist.
    ///   - scope: Whether the whole mailbox is to be on the device, or what the app's providers ask for.
    ///   - configuration: What may be set.
    /// - Throws: As `Mail.open`: `InboxError` with `invalidArgument`, `storage` or `diskFull`.
    @discardableResult
    public func authenticate(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        directory: URL,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> INNamespace {
        if let known = namespace(server, credentials, account) { return known }
        let mail = try await Mail.open(
            server: server,
            credentials: credentials,
            account: account,
            directory: directory,
            scope: scope,
            configuration: configuration
        )
        let namespace = try await INNamespace(mail)
        // Somebody else may have asked for the same one meanwhile.
        if let known = self.namespace(server, credentials, account) {
            await mail.close()
            return known
        }
        signedIn.append(namespace)
        return namespace
    }

    /// Signs out of all accounts: there are no namespaces any more, at once; what the person did is tried for five
    /// seconds; then all of it is deleted from this device, so that nobody after them sees or sends anything of it.
    ///
    /// - Returns: How many mails had changes that couldn't be sent, and are lost.
    /// - Throws: `InboxError` where a file can't be deleted now; the next opening deletes it. All accounts are left
    ///   nevertheless.
    @discardableResult
    public func unauthenticate() async throws -> Int {
        let leaving = signedIn
        signedIn = []
        var lost = 0
        var failure: (any Error)?
        for namespace in leaving {
            do { lost += try await namespace.leave() } catch { failure = error }
        }
        if let failure { throw failure }
        return lost
    }

    private func namespace(_ server: URL, _ credentials: MailCredentials, _ account: String?) -> INNamespace? {
        signedIn.first {
            $0.mail.server == server && $0.mail.user == credentials.user && $0.mail.account == account
        }
    }
}
