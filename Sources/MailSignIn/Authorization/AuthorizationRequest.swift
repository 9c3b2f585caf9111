import Crypto
import Foundation
import Groundwork

/// A request to sign in, which the browser takes to an authorization server (RFC 6749, section 4.1, with PKCE).
struct AuthorizationRequest: Hashable, Sendable {
    let server: AuthorizationServer
    let client: ClientIdentity
    let redirectURI: URL
    /// The text that ties the browser's return to this request.
    let state: String
    /// The text whose digest the request has (RFC 7636). The server gets the text itself with the code.
    let verifier: String
    let scope: String?
    let address: String

    /// Random texts of a request: 43 characters with 256 bits each (RFC 7636, section 4.1).
    static func randomText(_ random: RandomSource) -> String { Base64URL.encode(Data(random.bytes(32))) }

    /// The URL for the browser.
    var url: URL? {
        var fields = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirectURI.absoluteString),
            ("state", state), ("code_challenge", Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))),
            ("code_challenge_method", "S256"), ("login_hint", address),
        ]
        if let scope { fields.append(("scope", scope)) }
        let endpoint = server.authorizationEndpoint.absoluteString
        return URL(string: endpoint + (endpoint.contains("?") ? "&" : "?") + FormData.text(fields))
    }

    /// Returns the code in the URL with which the browser returns.
    ///
    /// - Throws: ``SignInError``: `invalidRedirect` if the URL is the answer to another request, `wrongIssuer` if it is
    ///   another server's (RFC 9207), `denied`, `refused` and others if the server states an error.
    func code(in url: URL) throws(SignInError) -> String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        guard url.scheme?.lowercased() == redirectURI.scheme?.lowercased(), url.host() == redirectURI.host(),
            url.port == redirectURI.port, url.path() == redirectURI.path(), url.fragment() ?? "" == "",
            let fields = FormData.fields(parts?.percentEncodedQuery ?? ""),
            let returned = fields["state"], returned.utf8.elementsEqual(state.utf8)
        else {
            throw SignInError(.invalidRedirect, "The browser has returned with an answer to another request.")
        }
        if let issuer = fields["iss"] {
            guard issuer.utf8.elementsEqual(server.issuer.utf8) else { throw Self.wrongIssuer }
        } else if server.namesIssuer {
            throw Self.wrongIssuer
        }
        if let error = fields["error"] { throw SignInError.refused(error, by: server.host) }
        guard let code = fields["code"], !code.isEmpty else {
            throw SignInError(.invalidAnswer, "\(server.host) has returned no code.")
        }
        return code
    }

    private static let wrongIssuer = SignInError(
        .wrongIssuer,
        "The browser has returned with the answer of another server than the one that was asked."
    )
}
