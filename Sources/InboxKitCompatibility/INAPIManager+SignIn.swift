public import Foundation
import InboxMail
public import InboxMailViews
import MailSignIn

extension INAPIManager {
    /// Opens a person's mail account, after a sign-in in the browser if this device has none. InboxKit's
    /// `authenticateWithEmail:andCompletionBlock:`.
    ///
    /// The mail of an address that is signed in is opened without the browser, offline too. Where the server has ended
    /// the access, the mail stays readable, and another call signs in again, for the same namespace.
    ///
    /// - Parameter email: The person's address. Nil to ask for it with ``INSignIn/askForEmail``.
    /// - Throws: `SignInError`, with the code of the failure: `cancelled`, `denied`, `noJMAP` and others. `MailError`
    ///   with `invalidArgument` without ``signIn``, and as `Mail.open`.
    @discardableResult
    public func authenticate(email: String? = nil) async throws -> INNamespace {
        guard let signIn else {
            throw MailError(.invalidArgument, "Set INAPIManager.shared().signIn when the app starts.")
        }
        guard let address = if let email { email } else { await signIn.askForEmail() } else {
            throw SignInError(.cancelled, "The sign-in was cancelled.")
        }
        let existing = namespaces().first { $0.keeper?.address == address }
        let keeper: TokenKeeper
        if let stored = try await stored(address, signIn, existing) {
            keeper = stored
        } else {
            let run = try SignIn(
                address: address,
                server: signIn.server,
                browser: signIn.browser,
                configuration: signIn.configuration,
                confirm: signIn.confirm
            )
            // The keeper of an open account finds the new tokens in the storage.
            keeper = try await TokenKeeper(
                run.run(),
                storage: signIn.storage,
                configuration: signIn.configuration
            )
            if let existing { try? await existing.mail.sync() }
        }
        return try await open(keeper, signIn)
    }

    /// Returns the state of a screen that asks for the address and signs in, which `SignInScreen` shows. InboxKit's
    /// prompt for the address.
    ///
    /// It asks about a host outside the address's domain itself (``INSignIn/confirm`` isn't called).
    ///
    /// - Parameters:
    ///   - email: The address, if it is known.
    ///   - completion: Receives the account, which is among ``namespaces()``. An account that was open stays the same
    ///   object.
    /// - Throws: `MailError` with `invalidArgument` without ``signIn``.
    public func signInModel(
        email: String? = nil,
        completion: @escaping @MainActor (INNamespace) -> Void = { _ in }
    ) throws -> SignInModel {
        guard let signIn else {
            throw MailError(.invalidArgument, "Set INAPIManager.shared().signIn when the app starts.")
        }
        return SignInModel(
            address: email ?? "",
            server: signIn.server,
            browser: signIn.browser,
            storage: signIn.storage,
            configuration: signIn.configuration
        ) { keeper in
            let existing = self.namespaces().first { $0.keeper?.address == keeper.address }
            // The keeper of an open account finds the new tokens in the storage.
            if let existing { try? await existing.mail.sync() }
            completion(try await self.open(keeper, signIn))
        }
    }

    /// Opens the account of an address that is signed in, or returns the one that is open.
    private func open(_ keeper: TokenKeeper, _ signIn: INSignIn) async throws -> INNamespace {
        if let existing = namespaces().first(where: { $0.keeper?.address == keeper.address }) { return existing }
        let namespace = try await authenticate(
            server: keeper.server,
            credentials: .signedIn(keeper),
            directory: signIn.directory,
            scope: signIn.scope,
            configuration: signIn.mail
        )
        namespace.keeper = namespace.keeper ?? keeper
        return namespace
    }

    /// Hands over a link that the system has opened the app with. InboxKit's `handleURL:`.
    ///
    /// - Returns: Whether the link belongs to a sign-in that waits for it in a `LinkBrowser`. Others are the app's.
    @discardableResult
    public func handle(url: URL) -> Bool {
        (signIn?.browser as? LinkBrowser)?.handle(url: url) ?? false
    }

    /// The tokens of an address that this device has; nil if the person has to sign in.
    private func stored(_ address: String, _ signIn: INSignIn, _ namespace: INNamespace?) async throws -> TokenKeeper? {
        if case .unauthorized? = namespace?.mail.connectionState { return nil }
        do {
            let keeper: TokenKeeper
            if let existing = namespace?.keeper {
                keeper = existing
            } else {
                keeper = try await TokenKeeper(
                    address: address,
                    storage: signIn.storage,
                    configuration: signIn.configuration
                )
            }
            do {
                _ = try await keeper.accessToken()
            } catch let error as SignInError where error.code != .signInRequired && error.code != .signedOut {
                // The mail is opened offline.
            }
            return keeper
        } catch let error as SignInError where error.code == .signInRequired || error.code == .signedOut {
            return nil
        }
    }
}
