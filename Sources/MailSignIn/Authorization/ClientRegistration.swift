import Foundation
import Groundwork

/// The registration of this client with an authorization server (RFC 7591): public, without a secret.
enum ClientRegistration {
    static func request(_ endpoint: URL, name: String, redirectURI: URL, scope: String?) -> TransportRequest {
        var client = JSONObject([
            ("client_name", .string(name)), ("redirect_uris", [.string(redirectURI.absoluteString)]),
            ("grant_types", ["authorization_code", "refresh_token"]), ("response_types", ["code"]),
            ("token_endpoint_auth_method", "none"), ("application_type", "native"),
        ])
        if let scope { client["scope"] = .string(scope) }
        return TransportRequest(
            method: "POST",
            url: endpoint,
            headers: ["Content-Type": "application/json", "Accept": "application/json"],
            body: JSON.object(client).utf8
        )
    }

    /// Returns the client id that the server has assigned.
    ///
    /// - Throws: ``SignInError``.
    static func clientID(in response: TransportResponse, from host: String) throws(SignInError) -> String {
        let json = try? JSON(parsing: response.body, depthLimit: 32)
        switch response.status {
        case 200, 201:
            guard let id = json?["client_id"]?.stringValue, (1...1_024).contains(id.utf8.count) else {
                throw SignInError(.invalidAnswer, "The registration at \(host) can't be read.")
            }
            if let method = json?["token_endpoint_auth_method"]?.stringValue, method != "none" {
                throw SignInError(.noRegistration, "\(host) registers only clients that can keep a secret.")
            }
            return id
        case 429, 500...:
            throw SignInError(.serverError, "\(host) answered with status \(response.status).")
        default:
            throw SignInError(
                .noRegistration,
                "\(host) doesn't register this app (status \(response.status)). Configure a client id."
            )
        }
    }
}
