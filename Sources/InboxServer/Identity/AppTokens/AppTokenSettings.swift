public import Foundation

/// Which tokens of the app's own backend the server takes, besides those that it makes itself.
public struct AppTokenSettings: Hashable, Sendable {
    /// The files with the keys: a PEM public key (P-256 for ES256, Ed25519 for EdDSA), a JSON Web Key Set, or the bytes of a secret
    /// for HS256.
    ///
    /// They are read at the start, and again when their content changes: a key that is gone from them is refused from then on.
    public var keys: [URL]
    /// What the tokens' `iss` has to be; nil for anything.
    public var issuer: String?
    /// What has to be among the tokens' `aud`; nil for anything.
    public var audience: String?

    /// Describes the tokens.
    public init(keys: [URL], issuer: String? = nil, audience: String? = nil) {
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
    }
}
