import Foundation
import Groundwork

/// The requests of a public client for tokens, and to revoke them.
enum TokenRequest {
    /// Exchanges a code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
    static func exchange(_ code: String, of request: AuthorizationRequest) -> TransportRequest {
        form(
            request.server.tokenEndpoint,
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", request.redirectURI.absoluteString), ("client_id", request.clientID),
                ("code_verifier", request.verifier),
            ]
        )
    }

    /// Requests an access token for a refresh token (RFC 6749, section 6).
    static func refresh(_ refreshToken: String, of grant: SignInGrant) -> TransportRequest {
        form(
            grant.tokenEndpoint,
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken), ("client_id", grant.clientID)]
        )
    }

    /// Revokes the tokens of a grant (RFC 7009); nil if the server can't.
    static func revocation(of grant: SignInGrant) -> TransportRequest? {
        guard let endpoint = grant.revocationEndpoint else { return nil }
        let (token, kind) =
            grant.refreshToken.map { ($0, "refresh_token") } ?? (grant.accessToken, "access_token")
        return form(endpoint, [("token", token), ("token_type_hint", kind), ("client_id", grant.clientID)])
    }

    private static func form(_ url: URL, _ fields: [(String, String)]) -> TransportRequest {
        TransportRequest(
            method: "POST",
            url: url,
            headers: ["Content-Type": FormData.type, "Accept": "application/json"],
            body: Array(FormData.text(fields).utf8)
        )
    }
}
