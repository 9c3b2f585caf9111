import Crypto
import Foundation
import Groundwork

@testable import InboxServer
@testable import InboxService

/// The credentials of a request, and the identity that the server has to derive from them.
struct Credential: Sendable {
    enum Holder: Sendable {
        case unknown
        case backend(Set<Scope>)
        case victim
        case victimInBrowser
    }

    let name: String
    let holder: Holder
    /// The values of the Authorization headers, in their order.
    var authorization: [String] = []
    var cookie: String?
    /// A parameter of the URL's query.
    var parameter: String?

    init(_ name: String, _ holder: Holder = .unknown, _ authorization: String...) {
        (self.name, self.holder, self.authorization) = (name, holder, authorization)
    }

    private init(_ name: String, _ holder: Holder = .unknown, cookie: String? = nil, parameter: String? = nil) {
        (self.name, self.holder, self.cookie, self.parameter) = (name, holder, cookie, parameter)
    }

    /// The page's cookie with a token.
    static func browser(_ token: String) -> Credential {
        Credential("the page's cookie", .victimInBrowser, cookie: "inbox=\(token)")
    }

    /// A valid token or key in places where the server doesn't look for one.
    static func misplaced(_ secret: String, of owner: String) -> [Credential] {
        [
            Credential("\(owner) without a scheme", .unknown, secret),
            Credential("\(owner) as Basic", .unknown, "Basic \(Data(secret.utf8).base64EncodedString())"),
            Credential("\(owner) as Basic, as it is", .unknown, "Basic \(secret)"),
            Credential("\(owner) and more", .unknown, "Bearer \(secret) \(secret)"),
            Credential("\(owner) in part", .unknown, "Bearer \(secret.dropLast())"),
            Credential("\(owner) in the address", parameter: "access_token=\(secret)"),
            Credential("\(owner) in the address as a header", parameter: "Authorization=Bearer%20\(secret)"),
            Credential("\(owner) in a cookie", cookie: "access_token=\(secret); Authorization=Bearer \(secret)"),
            Credential("\(owner) after another header", .unknown, "Bearer x", "Bearer \(secret)"),
            Credential("\(owner) before another header", .unknown, "Bearer \(secret)", "Bearer x"),
            Credential("\(owner) in two headers", .unknown, "Bearer \(secret)", "Bearer \(secret)"),
        ]
    }
}

/// Tokens forged in the right format, without the signing key.
struct TokenForge {
    /// A time at which the tokens are valid.
    let expiresAt: Int

    func token(
        of person: String,
        header: JSON = ["alg": "HS256", "typ": "JWT"],
        signedWith secret: Data,
        claims: [String: JSON] = [:]
    ) -> String {
        var payload = JSONObject([("sub", .string(person)), ("exp", JSON(expiresAt))])
        for (name, value) in claims { payload[name] = value == .null ? nil : value }
        let text = Base64URL.encode(Data(header.utf8)) + "." + Base64URL.encode(Data(JSON.object(payload).utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        return text + "." + Base64URL.encode(Data(code))
    }

    /// A token with the person's claims under the signature of another token.
    func token(of person: String, underSignatureOf token: String) -> String {
        let parts = token.split(separator: ".")
        let claims: JSON = ["sub": .string(person), "exp": JSON(expiresAt), "iss": "swift-inbox"]
        return "\(parts[0]).\(Base64URL.encode(Data(claims.utf8))).\(parts[2])"
    }

    /// A token's claims without a valid signature.
    func unsigned(_ token: String, keepingSignature: Bool) -> String {
        let parts = token.split(separator: ".")
        let header = Base64URL.encode(Data((["alg": "none", "typ": "JWT"] as JSON).utf8))
        return "\(header).\(parts[1])." + (keepingSignature ? String(parts[2]) : "")
    }
}
