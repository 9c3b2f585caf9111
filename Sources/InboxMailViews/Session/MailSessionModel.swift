public import Foundation
public import InboxMail
import InboxViews
public import MailSignIn
public import Observation

/// The accounts that a person is signed in to on this device: opened when the app starts, added by a sign-in in the
/// browser, removed by a sign-out.
///
/// It is all that an app has to keep. Without an account, the sign-in is on screen.
///
/// ```swift
/// let session = MailSessionModel(browser: browser, storage: storage)
/// await session.open()
/// // In SwiftUI: MailSessionView(session) { MailScreen(session.accounts) }
/// ```
@MainActor
@Observable
public final class MailSessionModel {
    /// Whether the accounts are known.
    public enum State: Hashable, Sendable {
        /// The stored accounts are being opened.
        case opening
        /// The accounts that could be opened are in ``MailSessionModel/accounts``.
        case open
        /// The stored sign-ins can't be read, such as before the device was unlocked. ``MailSessionModel/open()`` tries
        /// again.
        case failed
    }

    /// The accounts, for a screen.
    public let accounts: MailAccountsModel
    /// Whether the accounts are known.
    public private(set) var state = State.opening
    /// The sign-in that is on screen; nil for none. There is one whenever there is no account.
    public private(set) var signIn: SignInModel?
    /// The addresses of accounts whose mail couldn't be opened, such as without space. ``open()`` tries again.
    public private(set) var unopened: [String] = []
    /// The account that has drafts which a sign-out would lose: the person is asked (``signOutAnyway()``). Nil for
    /// none.
    public private(set) var askedAbout: Mail?
    /// Whether the tokens of the last sign-out couldn't be removed from this device.
    public private(set) var hasSignOutFailed = false

    /// An account with its tokens.
    private struct Entry {
        let keeper: TokenKeeper
        let mail: Mail
    }

    @ObservationIgnored private var entries: [Entry] = []
    @ObservationIgnored private let browser: any SignInBrowser
    @ObservationIgnored private let storage: any GrantStorage
    @ObservationIgnored private let directory: URL
    @ObservationIgnored private let server: URL?
    @ObservationIgnored private let scope: MailScope
    @ObservationIgnored private let configuration: SignInConfiguration
    @ObservationIgnored private let mail: MailConfiguration
    /// The opening that is under way.
    @ObservationIgnored private var opening: Task<Void, Never>?

    /// Creates a model of the accounts on this device.
    ///
    /// - Parameters:
    ///   - browser: The browser of sign-ins.
    ///   - storage: The storage of the tokens, which also has the addresses of the accounts.
    ///   - directory: A folder for the app's mail. It is created if it doesn't exist.
    ///   - server: The mail server's URL, if it is known. It is then used for every address, without DNS.
    ///   - scope: Whether the device keeps whole mailboxes, or the threads that lists request.
    ///   - configuration: The settings of sign-ins.
    ///   - mail: The settings of the mail. Its clock is that of the screens too.
    public init(
        browser: any SignInBrowser,
        storage: any GrantStorage,
        directory: URL = Mail.defaultDirectory,
        server: URL? = nil,
        scope: MailScope = .everything,
        configuration: SignInConfiguration = SignInConfiguration(),
        mail: MailConfiguration = MailConfiguration()
    ) {
        (self.browser, self.storage, self.directory, self.server) = (browser, storage, directory, server)
        (self.scope, self.configuration, self.mail) = (scope, configuration, mail)
        accounts = MailAccountsModel(clock: mail.clock)
    }

    /// Opens the accounts that aren't open: all at the app's start, later those that couldn't be opened. It waits for
    /// the files on this device, never for the network.
    public func open() async {
        if let opening { return await opening.value }
        let task = Task {
            await openStored()
            opening = nil
        }
        opening = task
        await task.value
    }

    private func openStored() async {
        if state == .failed { state = .opening }
        let addresses: [String]
        do {
            addresses = try await storage.addresses()
        } catch {
            if entries.isEmpty { state = .failed }
            return
        }
        var unopened: [String] = []
        for address in addresses where !isOpen(address) {
            do {
                let keeper = try await TokenKeeper(address: address, storage: storage, configuration: configuration)
                try await add(keeper)
            } catch let error as SignInError where error.code == .signInRequired {
                // It was signed out meanwhile.
            } catch {
                unopened.append(address)
            }
        }
        self.unopened = unopened
        state = .open
        if entries.isEmpty, unopened.isEmpty, signIn == nil { beginSignIn() }
    }

    private func isOpen(_ address: String) -> Bool { entries.contains { $0.keeper.address == address } }

    /// Opens the mail of a sign-in. That of an open account gets its new tokens from the storage.
    private func add(_ keeper: TokenKeeper) async throws {
        if let index = entries.firstIndex(where: { $0.keeper.address == keeper.address }) {
            let open = entries[index].mail
            if open.server == keeper.server {
                Task { try? await open.sync() }
                return
            }
            // The person's mail has moved. The tokens of the new server aren't for the one before.
            entries.remove(at: index)
            await open.close()
        }
        let opened = try await Mail.open(
            server: keeper.server,
            credentials: .signedIn(keeper),
            directory: directory,
            scope: scope,
            configuration: mail
        )
        // Another sign-in may have opened it meanwhile.
        guard !isOpen(keeper.address) else { return await opened.close() }
        entries.append(Entry(keeper: keeper, mail: opened))
        unopened.removeAll { $0 == keeper.address }
        showAccounts()
    }

    private func showAccounts() { accounts.update(entries.map(\.mail)) }

    // MARK: - Signing in

    /// Begins a sign-in: to another account, or again to one whose access has ended. Its mail is then the same object.
    ///
    /// - Parameter address: The address, if it is known, such as `Mail.user`.
    public func beginSignIn(address: String = "") {
        signIn?.cancel()
        signIn = SignInModel(
            address: address,
            server: server,
            browser: browser,
            storage: storage,
            configuration: configuration
        ) { [weak self] keeper in
            guard let self else { return }
            try await add(keeper)
            (signIn, state) = (nil, .open)
        }
    }

    /// Whether the sign-in can be closed: there is mail without it.
    public var canEndSignIn: Bool { !accounts.accounts.isEmpty }

    /// Closes the sign-in, if there is mail without it.
    public func endSignIn() {
        guard canEndSignIn else { return }
        signIn?.cancel()
        signIn = nil
    }

    // MARK: - Signing out

    /// Signs out of an account: sends pending writes for up to five seconds, deletes its mail from this device, and
    /// revokes its tokens. If drafts would be lost, nothing is done and the person is asked (``askedAbout``).
    public func signOut(of mail: Mail) async { await signOut(of: mail, discardsDrafts: false) }

    /// Signs out of the account that the person was asked about. Its drafts are lost.
    public func signOutAnyway() async {
        guard let mail = askedAbout else { return }
        await signOut(of: mail, discardsDrafts: true)
    }

    /// Ends the question without signing out.
    public func staySignedIn() { askedAbout = nil }

    private func signOut(of mail: Mail, discardsDrafts: Bool) async {
        guard let entry = entries.first(where: { $0.mail === mail }) else { return }
        (askedAbout, hasSignOutFailed) = (nil, false)
        do {
            try await mail.signOut(discardsDrafts: discardsDrafts)
        } catch let error as MailError where error.code == .unsentDrafts {
            askedAbout = mail
            return
        } catch {
            // The next opening deletes what couldn't be deleted.
        }
        entries.removeAll { $0.mail === mail }
        showAccounts()
        do { try await entry.keeper.signOut() } catch { hasSignOutFailed = true }
        if entries.isEmpty, signIn == nil { beginSignIn() }
    }

    /// Clears ``hasSignOutFailed``.
    public func dismissFailure() { hasSignOutFailed = false }
}

#if canImport(AuthenticationServices)
    extension MailSessionModel {
        /// Creates a session for an app on Apple's systems: sign-ins are in the system's sheet
        /// (`WebAuthenticationBrowser`), the tokens in the keychain.
        ///
        /// - Parameters:
        ///   - scheme: A scheme of the app's own, in reverse domain notation, such as `com.example.mail`. It isn't
        ///   registered anywhere else.
        ///   - appName: The app's name, which the authorization server may show to the person.
        ///   - mail: The settings of the mail.
        public convenience init(
            scheme: String,
            appName: String,
            mail: MailConfiguration = MailConfiguration()
        ) {
            var configuration = SignInConfiguration()
            configuration.clientName = appName
            #if canImport(Security)
                let storage = KeychainGrantStorage(service: scheme)
            #else
                let storage = FileGrantStorage(directory: Mail.defaultDirectory.appending(path: "Tokens"))
            #endif
            self.init(
                browser: WebAuthenticationBrowser(scheme: scheme),
                storage: storage,
                configuration: configuration,
                mail: mail
            )
        }
    }
#endif
