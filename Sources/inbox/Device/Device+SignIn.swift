import Foundation
import InboxMail
import MailSignIn
import Replica

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
                return .bearer(user: login.user) { try await lateToken(of: login) }
            }
        }
    }

    /// Returns the token of a login whose tokens weren't there: the person may have logged in again meanwhile.
    private func lateToken(of login: MailLogin) async throws -> String {
        let current = try? mailLogin()
        let isSame = current.map { ($0.server, $0.user) == (login.server, login.user) } ?? false
        guard let keeper = try? await self.keeper(of: isSame ? current ?? login : login) else {
            let missing = missingTokens(of: login).description
            throw Failure("\(missing) Log in again with: \(login.command)", code: .notLoggedIn)
        }
        return try await keeper.accessToken()
    }

    /// The failure of a login whose tokens can't be read.
    private func missingTokens(of login: MailLogin) -> MailError {
        MailError(.missingTokens, "The tokens of the login are missing in \(tokens(of: login).path), or can't be read.")
    }

    /// Returns the failure of an opened mail's login whose tokens can't be read; nil if they can, or if there are none.
    static func missingTokens(of mail: Mail) async -> MailError? {
        let device = Device(directory: mail.store.location.file.deletingLastPathComponent())
        guard let login = try? device.mailLogin(), login.scheme == .oauth else { return nil }
        let keeper = try? await device.keeper(of: login)
        return keeper == nil ? device.missingTokens(of: login) : nil
    }

    static var signInConfiguration: SignInConfiguration {
        var configuration = SignInConfiguration()
        configuration.clientName = "inbox"
        configuration.transport = SystemTransport.make(followsRedirects: false)
        return configuration
    }
}

extension MailError.Code {
    /// The tokens of a sign-in in the browser aren't on this device any more, or can't be read: log in again.
    static let missingTokens = MailError.Code("missingTokens")
}
