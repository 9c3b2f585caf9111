import Foundation
import Groundwork

/// The requests for tokens, and to revoke them.
enum TokenRequest {
    /// Exchanges a code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
    static func exchange(_ code: String, of request: AuthorizationRequest) -> TransportRequest {
        request.client.request(
            request.server.tokenEndpoint,
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", request.redirectURI.absoluteString), ("code_verifier", request.verifier),
            ]
        )
    }

    /// Requests an access token for a refresh token (RFC 6749, section 6).
    static func refresh(_ refreshToken: String, of grant: SignInGrant) -> TransportRequest {
        grant.client.request(
            grant.tokenEndpoint,
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        )
    }

    /// Revokes the tokens of a grant (RFC 7009); nil if the server can't.
    static func revocation(of grant: SignInGrant) -> TransportRequest? {
        guard let endpoint = grant.revocationEndpoint else { return nil }
        let (token, kind) =
            grant.refreshToken.map { ($0, "refresh_token") } ?? (grant.accessToken, "access_token")
        return grant.client.request(endpoint, [("token", token), ("token_type_hint", kind)])
    }
}
