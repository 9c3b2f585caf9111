import InboxService

/// The settings that are read and checked before the database is opened, so that a mistake makes no file and begins no
/// migration: keys, certificates and addresses.
struct CheckedSettings: Sendable {
    /// Nil if the server doesn't use TLS.
    let identity: TLSIdentity?
    /// Nil if the app's backend signs no tokens.
    let appTokens: AppTokens?
    let proxies: TrustedProxies

    /// - Throws: ``ServerSetupError`` if one of them is invalid or can't be read.
    init(_ configuration: InboxServerConfiguration) async throws {
        try Storage.check(configuration.pooler, of: configuration.database)
        if let key = configuration.adminKey { try APIKeys.check(key) }
        proxies = try TrustedProxies(configuration.trustedProxies)
        identity = try configuration.certificate.map { try TLSIdentity($0) }
        if let settings = configuration.appTokens {
            appTokens = try await AppTokens(settings)
        } else {
            appTokens = nil
        }
    }
}
