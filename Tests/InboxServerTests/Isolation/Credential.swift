import Crypto
import Foundation
import Groundwork

@testable import InboxServer
@testable import InboxService

/// What a request may come with to show who sends it, and whom the server has to take it for.
struct Credential: Sendable {
    enum Holder: Sendable {
        case nobody
        case backend(Set<Scope>)
        case victim
        case victimInBrowser
    }

    let name: String
    let holder: Holder
    /// The values of the Authorization headers, in their order.
    var authorization: [String] = []
    var cookie: String?
    /// A parameter of the address.
    var parameter: String?

    init(_ name: String, _ holder: Holder = .nobody, _ authorization: String...) {
        (self.name, self.holder, self.authorization) = (name, holder, authorization)
    }

    private init(_ name: String, _ holder: Holder = .nobody, cookie: String? = nil, parameter: String? = nil) {
        (self.name, self.holder, self.cookie, self.parameter) = (name, holder, cookie, parameter)
    }

    /// The page's cookie with a token.
    static func browser(_ token: String) -> Credential {
        Credential("the page's cookie", .victimInBrowser, cookie: "inbox=\(token)")
    }

    /// A token or a key that holds, in places where none is looked for.
    static func misplaced(_ secret: String, of owner: String) -> [Credential] {
        [
            Credential("\(owner) without a scheme", .nobody, secret),
            Credential("\(owner) as Basic", .nobody, "Basic \(Data(secret.utf8).base64EncodedString())"),
            Credential("\(owner) as Basic, as it is", .nobody, "Basic \(secret)"),
            Credential("\(owner) and more", .nobody, "Bearer \(secret) \(secret)"),
            Credential("\(owner) in part", .nobody, "Bearer \(secret.dropLast())"),
            Credential("\(owner) in the address", parameter: "access_token=\(secret)"),
            Credential("\(owner) in the address as a header", parameter: "Authorization=Bearer%20\(secret)"),
            Credential("\(owner) in a cookie", cookie: "access_token=\(secret); Authorization=Bearer \(secret)"),
            Credential("\(owner) after another header", .nobody, "Bearer x", "Bearer \(secret)"),
            Credential("\(owner) before another header", .nobody, "Bearer \(secret)", "Bearer x"),
            Credential("\(owner) in two headers", .nobody, "Bearer \(secret)", "Bearer \(secret)"),
        ]
    }
}

/// Tokens as somebody makes them who knows how, but not what they are signed with.
struct TokenForge {
    /// Some second while the tokens hold.
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

    /// A token with the claims of another one's place, under its signature.
    func token(of person: String, underSignatureOf token: String) -> String {
        let parts = token.split(separator: ".")
        let claims: JSON = ["sub": .string(person), "exp": JSON(expiresAt), "iss": "swift-inbox"]
        return "\(parts[0]).\(Base64URL.encode(Data(claims.utf8))).\(parts[2])"
    }

    /// A token's claims that nobody signed.
    func unsigned(_ token: String, keepingSignature: Bool) -> String {
        let parts = token.split(separator: ".")
        let header = Base64URL.encode(Data((["alg": "none", "typ": "JWT"] as JSON).utf8))
        return "\(header).\(parts[1])." + (keepingSignature ? String(parts[2]) : "")
    }
}
