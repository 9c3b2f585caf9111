public import Foundation
import Groundwork

/// A person's access to a mail server: the result of a sign-in, which is stored for the next start.
///
/// It has the tokens, which its descriptions and mirrors don't show. A ``TokenKeeper`` keeps them valid.
public struct SignInGrant: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The address with which the person signed in.
    public let address: String
    /// The mail server's URL, for `Mail.open`.
    public let server: URL
    /// The issuer of the tokens: the URL of the authorization server.
    public let issuer: String
    let client: ClientIdentity
    let tokenEndpoint: URL
    let revocationEndpoint: URL?
    var accessToken: String
    var refreshToken: String?
    /// The expiry of the access token; nil if the server doesn't state it.
    var expiresAt: Date?

    init(_ address: String, _ server: DiscoveredServer, _ request: AuthorizationRequest, _ answer: TokenResponse) {
        self.address = address
        self.server = server.server
        issuer = request.server.issuer
        client = request.client
        tokenEndpoint = request.server.tokenEndpoint
        revocationEndpoint = request.server.revocationEndpoint
        (accessToken, refreshToken, expiresAt) = (answer.accessToken, answer.refreshToken, answer.expiresAt)
    }

    /// Replaces the tokens by those of an answer. Without a refresh token in it, the earlier one stays.
    mutating func adopt(_ answer: TokenResponse) {
        (accessToken, expiresAt) = (answer.accessToken, answer.expiresAt)
        if let new = answer.refreshToken { refreshToken = new }
    }

    /// The address and the server.
    public var description: String { "\(address) at \(server.absoluteString)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The address, the server and the issuer.
    public var customMirror: Mirror {
        Mirror(self, children: ["address": address, "server": server, "issuer": issuer])
    }
}

extension SignInGrant {
    /// The bytes that a ``GrantStorage`` stores. They contain the tokens.
    public var storedForm: [UInt8] {
        var object = JSONObject([
            ("version", 1), ("address", .string(address)), ("server", .string(server.absoluteString)),
            ("issuer", .string(issuer)), ("clientID", .string(client.id)),
            ("clientMethod", .string(client.method.rawValue)),
            ("tokenEndpoint", .string(tokenEndpoint.absoluteString)), ("accessToken", .string(accessToken)),
        ])
        object["revocationEndpoint"] = revocationEndpoint.map { .string($0.absoluteString) }
        object["clientSecret"] = client.secret.map(JSON.string)
        object["refreshToken"] = refreshToken.map(JSON.string)
        object["expiresAt"] = expiresAt.map { JSON(Int($0.timeIntervalSince1970)) }
        return JSON.object(object).utf8
    }

    /// Reads bytes that were stored.
    ///
    /// - Returns: Nil if they aren't a grant.
    public init?(storedForm bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes, depthLimit: 8), json["version"]?.intValue == 1,
            let address = json["address"]?.stringValue, let issuer = json["issuer"]?.stringValue,
            let clientID = json["clientID"]?.stringValue, let token = json["accessToken"]?.stringValue,
            let server = json["server"]?.stringValue.flatMap({ URL(string: $0) }),
            let endpoint = json["tokenEndpoint"]?.stringValue.flatMap({ URL(string: $0) }), endpoint.allowsCredentials
        else { return nil }
        (self.address, self.server, self.issuer) = (address, server, issuer)
        client = ClientIdentity(
            id: clientID,
            secret: json["clientSecret"]?.stringValue,
            method: json["clientMethod"]?.stringValue.flatMap(ClientIdentity.Method.init) ?? .none
        )
        (tokenEndpoint, accessToken) = (endpoint, token)
        let revocation = json["revocationEndpoint"]?.stringValue.flatMap { URL(string: $0) }
        revocationEndpoint = revocation.flatMap { $0.allowsCredentials ? $0 : nil }
        refreshToken = json["refreshToken"]?.stringValue
        expiresAt = json["expiresAt"]?.intValue.map { Date(timeIntervalSince1970: Double($0)) }
    }
}
