import Foundation
import InboxMail
import MailSignIn

/// The tokens of a device: what a sign-in in the browser stores.
extension Device {
    /// The folder of the tokens, which only the person can read.
    private var grants: FileGrantStorage {
        FileGrantStorage(directory: directory.appendingPathComponent("tokens", isDirectory: true))
    }

    /// Stores the tokens of a sign-in, and keeps them valid.
    func keep(_ grant: SignInGrant) async throws -> TokenKeeper {
        try await TokenKeeper(grant, storage: grants, configuration: Self.signInConfiguration)
    }

    /// Keeps the tokens of a login valid.
    ///
    /// - Throws: `SignInError`, with the code `signInRequired` if there are none.
    func keeper(of login: MailLogin) async throws -> TokenKeeper {
        try await TokenKeeper(address: login.user, storage: grants, configuration: Self.signInConfiguration)
    }

    /// The credentials of a login. Without tokens the mail can still be opened: what is on the device is readable.
    ///
    /// - Parameter secret: Returns the secret of a login that has one.
    func credentials(
        of login: MailLogin,
        secret: @escaping @Sendable () throws -> String
    ) async -> MailCredentials {
        switch login.scheme {
        case .basic: return .basic(user: login.user, password: secret)
        case .bearer: return .bearer(user: login.user, token: secret)
        case .oauth:
            do {
                return .signedIn(try await keeper(of: login))
            } catch {
                return .bearer(user: login.user) { throw error }
            }
        }
    }

    static var signInConfiguration: SignInConfiguration {
        var configuration = SignInConfiguration()
        configuration.clientName = "inbox"
        configuration.transport = SystemTransport.make(followsRedirects: false)
        return configuration
    }
}
