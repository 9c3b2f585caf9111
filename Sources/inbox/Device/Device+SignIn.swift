import Foundation
import InboxMail
import MailSignIn

/// The tokens of a device, which a sign-in in the browser stores.
extension Device {
    /// The folder of a login's tokens, which only the person can read.
    private func tokens(of login: MailLogin) -> URL {
        directory.appendingPathComponent(login.tokens, isDirectory: true)
    }

    private func grants(of login: MailLogin) -> FileGrantStorage { FileGrantStorage(directory: tokens(of: login)) }

    /// Stores the tokens of a sign-in.
    func keep(_ grant: SignInGrant, of login: MailLogin) async throws {
        _ = try await TokenKeeper(grant, storage: grants(of: login), configuration: Self.signInConfiguration)
    }

    /// Deletes the tokens of a login that isn't used any more.
    func removeTokens(of login: MailLogin) {
        if login.scheme == .oauth { try? FileManager.default.removeItem(at: tokens(of: login)) }
    }

    /// Keeps the tokens of a login valid.
    ///
    /// - Throws: `SignInError`, with the code `signInRequired` if there are none.
    func keeper(of login: MailLogin) async throws -> TokenKeeper {
        try await TokenKeeper(
            address: login.user,
            storage: grants(of: login),
            configuration: Self.signInConfiguration
        )
    }

    /// The credentials of a login. Without tokens the mail on the device can still be opened and read.
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
