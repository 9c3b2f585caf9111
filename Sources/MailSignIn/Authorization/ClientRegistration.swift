import Foundation
import Groundwork

/// The registration of this client with an authorization server (RFC 7591): without a secret, where the server supports
/// that.
enum ClientRegistration {
    static func request(
        _ endpoint: URL,
        name: String,
        redirectURI: URL,
        scope: String?,
        method: ClientIdentity.Method
    ) -> TransportRequest {
        var client = JSONObject([
            ("client_name", .string(name)), ("redirect_uris", [.string(redirectURI.absoluteString)]),
            ("grant_types", ["authorization_code", "refresh_token"]), ("response_types", ["code"]),
            ("token_endpoint_auth_method", .string(method.rawValue)), ("application_type", "native"),
        ])
        if let scope { client["scope"] = .string(scope) }
        return TransportRequest(
            method: "POST",
            url: endpoint,
            headers: ["Content-Type": "application/json", "Accept": "application/json"],
            body: JSON.object(client).utf8
        )
    }

    /// Returns the client id, and the secret if there is one, that the server has assigned.
    ///
    /// - Parameter requested: The method that the server is assumed to have registered if it doesn't say.
    /// - Throws: ``SignInError``.
    static func client(
        in response: TransportResponse,
        from host: String,
        requested: ClientIdentity.Method
    ) throws(SignInError) -> ClientIdentity {
        let json = try? JSON(parsing: response.body, depthLimit: 32)
        switch response.status {
        case 200, 201:
            guard let id = json?["client_id"]?.stringValue, (1...1_024).contains(id.utf8.count) else {
                throw SignInError(.invalidAnswer, "The registration at \(host) can't be read.")
            }
            let secret = json?["client_secret"]?.stringValue
            let stated = json?["token_endpoint_auth_method"]?.stringValue ?? requested.rawValue
            guard let method = ClientIdentity.Method(rawValue: stated), method == .none || secret?.isEmpty == false
            else { throw SignInError(.noRegistration, "\(host) registers only clients of another kind.") }
            return ClientIdentity(id: id, secret: method == .none ? nil : secret, method: method)
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
