import Foundation
import Groundwork

/// The metadata of an authorization server (RFC 8414, or OpenID Connect Discovery 1.0).
struct AuthorizationServer: Hashable, Sendable {
    let issuer: String
    let authorizationEndpoint: URL
    let tokenEndpoint: URL
    let registrationEndpoint: URL?
    let revocationEndpoint: URL?
    /// The scopes that it supports; nil if it doesn't state them.
    let scopes: Set<String>?
    /// The method by which clients identify themselves.
    let clientMethod: ClientIdentity.Method
    /// Whether its redirects name it (RFC 9207).
    let namesIssuer: Bool

    var host: String { URL(string: issuer)?.shownHost ?? "The server" }

    /// Whether a text is the issuer of an authorization server: a URL without query and fragment (RFC 8414, section 2).
    static func isIssuer(_ text: String, local: Bool) -> Bool {
        guard text.utf8.count <= 2_048, let url = URL(string: text), url.isSafe(local: local) else { return false }
        return !text.contains("?") && !text.contains("#")
    }

    /// Returns the URLs of an issuer's metadata, in the order in which they are tried. Redirects aren't followed.
    static func sources(_ issuer: String) -> [URL] {
        guard let url = URL(string: issuer) else { return [] }
        let stem = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        return [
            url.inserting(wellKnown: "oauth-authorization-server"),
            URL(string: "\(stem)/.well-known/openid-configuration"),
        ]
        .compactMap { $0 }
    }

    /// Reads an issuer's metadata.
    ///
    /// - Throws: ``SignInError``: `wrongIssuer` if it is that of another issuer (RFC 8414, section 3.3),
    ///   `invalidAnswer`; `noAuthorizationServer` if the server can't do what a sign-in needs.
    init(_ body: [UInt8], issuer: String, local: Bool) throws(SignInError) {
        let host = URL(string: issuer)?.shownHost ?? "the server"
        guard let json = try? JSON(parsing: body, depthLimit: 32), json.objectValue != nil else {
            throw SignInError(.invalidAnswer, "The metadata of \(host) can't be read.")
        }
        guard let stated = json["issuer"]?.stringValue, stated.utf8.elementsEqual(issuer.utf8) else {
            throw SignInError(.wrongIssuer, "The metadata of \(host) is that of another issuer.")
        }
        func endpoint(_ name: String) throws(SignInError) -> URL? {
            guard let value = json[name], value != .null else { return nil }
            guard let url = value.stringValue.flatMap({ URL(string: $0) }), url.isSafe(local: local) else {
                throw SignInError(.invalidAnswer, "The metadata of \(host) has an address that isn't https.")
            }
            return url
        }
        guard let authorization = try endpoint("authorization_endpoint"), let token = try endpoint("token_endpoint")
        else { throw SignInError(.invalidAnswer, "The metadata of \(host) is incomplete.") }
        func lacks(_ value: String, in name: String) -> Bool {
            json[name]?.arrayValue.map { !$0.contains(.string(value)) } ?? false
        }
        guard !lacks("code", in: "response_types_supported"), !lacks("S256", in: "code_challenge_methods_supported"),
            !lacks("authorization_code", in: "grant_types_supported")
        else {
            throw SignInError(
                .noAuthorizationServer,
                "\(host) doesn't support signing in with a code and PKCE (RFC 7636)."
            )
        }
        self.issuer = issuer
        (authorizationEndpoint, tokenEndpoint) = (authorization, token)
        registrationEndpoint = try endpoint("registration_endpoint")
        revocationEndpoint = try endpoint("revocation_endpoint")
        scopes = json["scopes_supported"]?.arrayValue.map { Set($0.compactMap(\.stringValue)) }
        clientMethod = .best(
            of: json["token_endpoint_auth_methods_supported"]?.arrayValue.map { $0.compactMap(\.stringValue) }
        )
        namesIssuer = json["authorization_response_iss_parameter_supported"]?.boolValue ?? false
    }
}
