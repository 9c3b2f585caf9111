import Foundation
import MailSignIn

/// A sign-in in the person's browser.
struct BrowserSignIn {
    let address: String
    /// The mail server; nil to find it.
    let server: URL?
    /// The client id of an authorization server that registers none; nil to register.
    let clientID: String?

    /// Opens the browser, and waits until the person has signed in.
    ///
    /// - Throws: ``Failure``.
    func run() async throws -> SignInGrant {
        var configuration = Device.signInConfiguration
        configuration.clientID = clientID
        let browser = LoopbackBrowser { page in
            let isOpen = SystemBrowser().open(page)
            Output.note(
                (isOpen ? "Sign in in the browser. If it doesn't open, go to:" : "Go to this page to sign in:")
                    + "\n\n  \(page.absoluteString)\n"
            )
        }
        do {
            let signIn = try SignIn(
                address: address,
                server: server,
                browser: browser,
                configuration: configuration
            ) { host in
                let question = "The mail of \(address.plainLine) is on \(host). Sign in there? [y/N] "
                return Question.ask(question, ["yes", "no"], default: "no") == "yes"
            }
            return try await signIn.run()
        } catch let error as SignInError {
            throw Failure(error)
        }
    }
}
