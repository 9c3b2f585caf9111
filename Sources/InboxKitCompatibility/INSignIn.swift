public import Foundation
public import InboxMail
public import MailSignIn

/// The sign-in of the app's people to their mail, in a browser: ``INAPIManager/signIn``.
///
/// ```swift
/// import InboxKitCompatibility
/// import MailSignIn
///
/// let browser = LinkBrowser(redirectURI: URL(string: "com.example.mail:/signed-in")!) { page in await open(page) }
/// INAPIManager.shared().signIn = INSignIn(browser: browser, storage: storage, directory: folder) { host in
///     await ask("Is your mail on \(host)?")
/// }
/// ```
public struct INSignIn: Sendable {
    /// The key of Info.plist for the app's client id, as in InboxKit.
    public static let appIDKey = "INAppID"

    /// The browser: a `LinkBrowser` for an app that the system opens with a link, `WebAuthenticationBrowser` for the
    /// sheet of Apple's systems, `LoopbackBrowser` elsewhere.
    public var browser: any SignInBrowser
    /// The storage of the tokens: `KeychainGrantStorage` on Apple's systems, elsewhere `FileGrantStorage`.
    public var storage: any GrantStorage
    /// A folder for the app's mail. It is created if it doesn't exist.
    public var directory: URL
    /// The mail server's URL, if it is known. Nil, the default, for the one of the address's domain.
    public var server: URL?
    /// The settings of the sign-in. Its client id is ``appIDKey`` of the app's Info.plist, if there is one.
    public var configuration: SignInConfiguration
    /// Whether the device keeps the whole mailbox, the default, or the threads that the app's providers request.
    public var scope = MailScope.everything
    /// The settings of the mail.
    public var mail = MailConfiguration()
    /// Asks the person whether their mail is on a host outside their address's domain.
    public var confirm: @Sendable (_ host: String) async -> Bool
    /// Asks the person for their address, for a sign-in without one. It returns nil, as by default, if they cancel.
    public var askForEmail: @Sendable () async -> String? = { nil }

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - browser: The browser.
    ///   - storage: The storage of the tokens.
    ///   - directory: A folder for the app's mail.
    ///   - confirm: Asks the person whether their mail is on a host outside their address's domain. It is called before
    ///     anything is sent there.
    public init(
        browser: any SignInBrowser,
        storage: any GrantStorage,
        directory: URL,
        confirm: @escaping @Sendable (_ host: String) async -> Bool
    ) {
        (self.browser, self.storage, self.directory, self.confirm) = (browser, storage, directory, confirm)
        configuration = SignInConfiguration()
        configuration.clientID = Bundle.main.object(forInfoDictionaryKey: Self.appIDKey) as? String
    }
}
