public import Foundation

/// The tokens of the app's own backend that the server accepts in addition to its own.
public struct AppTokenSettings: Hashable, Sendable {
    /// The files with public keys: a PEM public key (RSA for RS256, P-256 for ES256, P-384 for ES384, Ed25519 for
    /// EdDSA), or a JSON Web Key Set (RFC 7517), whose RSA keys may also be for PS256.
    ///
    /// They are read at startup and again when their content changes. Tokens of a removed key are rejected from then
    /// on. A file without a supported key is rejected, and so is a file with a secret.
    public var keys: [URL]
    /// The files with secrets for HS256, of at least 32 bytes each.
    ///
    /// They are read in the same way as ``keys``. Content that looks like a key is rejected.
    public var secrets: [URL]
    /// The required `iss` of the tokens. Nil accepts any.
    public var issuer: String?
    /// The required value among the tokens' `aud`. Nil accepts any.
    public var audience: String?

    /// Creates the settings.
    public init(keys: [URL] = [], secrets: [URL] = [], issuer: String? = nil, audience: String? = nil) {
        self.keys = keys
        self.secrets = secrets
        self.issuer = issuer
        self.audience = audience
    }
}
