import Replica

/// How a person shows a mail server who they are.
public struct MailCredentials: Sendable {
    /// The name under which the person signs in; the store's file is named by it.
    public let user: String
    let scheme: AuthorizationScheme
    let token: @Sendable () async throws -> String

    /// A name and a password (RFC 7617). Only over `https`, or to this machine itself.
    ///
    /// - Parameters:
    ///   - user: Without a colon.
    ///   - password: Called when it is needed, and again once when the server no longer takes it.
    public static func basic(
        user: String,
        password: @escaping @Sendable () async throws -> String
    ) -> MailCredentials {
        MailCredentials(user: user, scheme: .basic) { "\(user):\(try await password())" }
    }

    /// A token, such as that of an OAuth sign-in (RFC 6750).
    ///
    /// - Parameters:
    ///   - user: The person's name for this account; only the store's file depends on it.
    ///   - token: Called when one is needed, and again once when the server no longer takes it.
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
