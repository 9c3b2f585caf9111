import Replica

/// The credentials with which a person signs in to a mail server.
public struct MailCredentials: Sendable {
    /// The name with which the person signs in. It is part of the store's file name.
    public let user: String
    let scheme: AuthorizationScheme
    let token: @Sendable () async throws -> String

    /// Credentials with a name and a password (RFC 7617). They are sent over `https` only, or to this machine itself.
    ///
    /// - Parameters:
    ///   - user: The name, without a colon.
    ///   - password: Returns the password. Called when one is needed, and again once if the server rejects it.
    public static func basic(
        user: String,
        password: @escaping @Sendable () async throws -> String
    ) -> MailCredentials {
        MailCredentials(user: user, scheme: .basic) { "\(user):\(try await password())" }
    }

    /// Credentials with a token, such as that of an OAuth sign-in (RFC 6750).
    ///
    /// - Parameters:
    ///   - user: The person's name for this account. Only the store's file depends on it.
    ///   - token: Returns the token. Called when one is needed, and again once if the server rejects it.
    public static func bearer(
        user: String,
        token: @escaping @Sendable () async throws -> String
    ) -> MailCredentials {
        MailCredentials(user: user, scheme: .bearer, token: token)
    }

    private init(user: String, scheme: AuthorizationScheme, token: @escaping @Sendable () async throws -> String) {
        (self.user, self.scheme, self.token) = (user, scheme, token)
    }
}
