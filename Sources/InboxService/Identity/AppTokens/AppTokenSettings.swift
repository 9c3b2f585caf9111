public import Foundation

/// Which tokens of the app's own backend the server takes, besides those that it makes itself.
public struct AppTokenSettings: Hashable, Sendable {
    /// The files with public keys: a PEM public key (RSA for RS256, P-256 for ES256, P-384 for ES384, Ed25519 for
    /// EdDSA), or a JSON Web Key Set (RFC 7517), where RSA keys may be for PS256 too.
    ///
    /// They are read at the start, and again when their content changes: a key that is gone from them is refused from
    /// then on. A file that holds no such key is refused; a secret among them is.
    public var keys: [URL]
    /// The files with secrets for HS256, of 32 bytes at least each.
    ///
    /// They are read as ``keys`` are. What looks like a key is refused.
    public var secrets: [URL]
    /// What the tokens' `iss` has to be; nil for anything.
    public var issuer: String?
    /// What has to be among the tokens' `aud`; nil for anything.
    public var audience: String?

    /// Describes the tokens.
    public init(keys: [URL] = [], secrets: [URL] = [], issuer: String? = nil, audience: String? = nil) {
        self.keys = keys
        self.secrets = secrets
        self.issuer = issuer
        self.audience = audience
    }
}
