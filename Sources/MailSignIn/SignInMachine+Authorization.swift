import Foundation
import Groundwork

/// From the mail server to its authorization server, and to tokens.
extension SignInMachine {
    mutating func findResource(of server: DiscoveredServer) -> Effect {
        if let issuer = input.issuer { return findIssuer(issuer, server) }
        return tryResource(ProtectedResource.sources(for: server)[...], server)
    }

    private mutating func tryResource(_ sources: ArraySlice<ProtectedResource.Source>, _ server: DiscoveredServer)
        -> Effect
    {
        guard let source = sources.first else {
            guard server.metadata == nil else {
                return fail(
                    SignInError(
                        .noAuthorizationServer,
                        "\(server.session.shownHost) names no authorization server that can be used."
                    )
                )
            }
            // Servers without this metadata are often their own authorization servers.
            return findIssuer(server.session.originText ?? "", server)
        }
        state = .findingResource(server, source, rest: Array(sources.dropFirst()))
        return .send(TransportRequest(url: source.url, headers: ["Accept": "application/json"]))
    }

    mutating func foundResource(
        _ response: TransportResponse,
        _ server: DiscoveredServer,
        _ source: ProtectedResource.Source,
        _ rest: [ProtectedResource.Source]
    ) -> Effect {
        guard response.status == 200 else { return tryResource(rest[...], server) }
        do {
            guard let issuer = try ProtectedResource.issuer(in: response.body, from: source, local: server.isLocal)
            else { return tryResource(rest[...], server) }
            return findIssuer(issuer, server)
        } catch {
            return fail(error)
        }
    }

    private mutating func findIssuer(_ issuer: String, _ server: DiscoveredServer) -> Effect {
        guard AuthorizationServer.isIssuer(issuer, local: server.isLocal) else {
            return fail(SignInError(.noAuthorizationServer, "The authorization server has no https address."))
        }
        return tryIssuer(issuer, AuthorizationServer.sources(issuer)[...], server)
    }

    private mutating func tryIssuer(_ issuer: String, _ sources: ArraySlice<URL>, _ server: DiscoveredServer) -> Effect
    {
        guard let url = sources.first else {
            let host = URL(string: issuer)?.shownHost ?? issuer
            return fail(
                SignInError(.noAuthorizationServer, "\(host) has no metadata of an authorization server (RFC 8414).")
            )
        }
        state = .findingIssuer(server, issuer: issuer, rest: Array(sources.dropFirst()))
        return .send(TransportRequest(url: url, headers: ["Accept": "application/json"]))
    }

    mutating func foundIssuer(
        _ response: TransportResponse,
        _ server: DiscoveredServer,
        _ issuer: String,
        _ rest: [URL]
    ) -> Effect {
        guard response.status == 200 else { return tryIssuer(issuer, rest[...], server) }
        do {
            let authorization = try AuthorizationServer(response.body, issuer: issuer, local: server.isLocal)
            if let clientID = input.clientID { return browse(ClientIdentity(id: clientID), server, authorization) }
            guard let endpoint = authorization.registrationEndpoint else {
                return fail(
                    SignInError(
                        .noRegistration,
                        "\(authorization.host) registers no apps. A client id has to be configured."
                    )
                )
            }
            state = .registering(server, authorization)
            return .send(
                ClientRegistration.request(
                    endpoint,
                    name: input.clientName,
                    redirectURI: input.redirectURI,
                    scope: scope(for: authorization),
                    method: authorization.clientMethod
                )
            )
        } catch {
            return fail(error)
        }
    }

    mutating func registered(
        _ response: TransportResponse,
        _ server: DiscoveredServer,
        _ authorization: AuthorizationServer
    ) -> Effect {
        do {
            return browse(
                try ClientRegistration.client(
                    in: response,
                    from: authorization.host,
                    requested: authorization.clientMethod
                ),
                server,
                authorization
            )
        } catch {
            return fail(error)
        }
    }

    /// The scopes to request: those that the server supports, if it says.
    private func scope(for authorization: AuthorizationServer) -> String? {
        let scopes = input.scopes.filter { authorization.scopes?.contains($0) ?? true }
        return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }

    private mutating func browse(
        _ client: ClientIdentity,
        _ server: DiscoveredServer,
        _ authorization: AuthorizationServer
    ) -> Effect {
        let request = AuthorizationRequest(
            server: authorization,
            client: client,
            redirectURI: input.redirectURI,
            state: input.state,
            verifier: input.verifier,
            scope: scope(for: authorization),
            address: input.address
        )
        guard let url = request.url else {
            return fail(SignInError(.invalidAnswer, "The address of \(authorization.host) can't be read."))
        }
        state = .inBrowser(server, request)
        return .browse(url)
    }

    mutating func returned(_ url: URL, _ server: DiscoveredServer, _ request: AuthorizationRequest) -> Effect {
        do {
            let code = try request.code(in: url)
            state = .exchanging(server, request)
            return .exchange(TokenRequest.exchange(code, of: request))
        } catch {
            return fail(error)
        }
    }

    mutating func exchanged(
        _ response: TransportResponse,
        _ now: Date,
        _ server: DiscoveredServer,
        _ request: AuthorizationRequest
    ) -> Effect {
        do {
            let answer = try TokenResponse(response, host: request.server.host, now: now)
            state = .finished
            return .finish(.success(SignInGrant(input.address, server, request, answer)))
        } catch {
            return fail(error)
        }
    }
}
