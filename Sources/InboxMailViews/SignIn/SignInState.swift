public import MailSignIn

/// The step of a ``SignInModel``.
public enum SignInState: Hashable, Sendable {
    /// The person enters their address.
    case address
    /// The search for the mail server of the address.
    case findingServer
    /// The person is asked whether their mail is on a host outside their address's domain. Nothing was sent there.
    case asking(host: String)
    /// The person signs in in the browser.
    case inBrowser
    /// The browser has returned, and the tokens are requested and stored.
    case finishing
    /// The person is signed in with an address.
    case signedIn(address: String)
    /// The sign-in has failed. ``SignInModel/start()`` tries it again.
    case failed(SignInError)

    /// Whether something is in progress that the person can cancel.
    public var isRunning: Bool {
        switch self {
        case .findingServer, .asking, .inBrowser, .finishing: true
        case .address, .signedIn, .failed: false
        }
    }
}
