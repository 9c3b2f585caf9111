import Groundwork
public import InboxMail

extension MailCredentials {
    /// Credentials with the tokens of a sign-in. Each `Mail.open` takes its own.
    ///
    /// Where the access has ended, the connection's state becomes `unauthorized`. The mail on this device stays
    /// readable, and changes wait until the person has signed in again.
    public static func signedIn(_ keeper: TokenKeeper) -> MailCredentials {
        // Guarded by its lock. The connection asks again only if the server has rejected the last token.
        let last = Locked<String?>(nil)
        return .bearer(user: keeper.address) {
            let rejected = last.withLock { $0 }
            var token: String
            do {
                token = try await keeper.accessToken(replacing: rejected)
            } catch let error as SignInError where error.code == .signInRequired {
                // The server rejects it, and the app then shows that the person has to sign in.
                token = await keeper.lastToken()
            }
            last.withLock { $0 = token }
            return token
        }
    }
}
