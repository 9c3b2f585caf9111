import Foundation
import Groundwork

/// A sign-in as a state machine without input and output: each event leads to the next effect.
///
/// One effect is under way at a time. The events that don't belong to it are ignored, so a late or repeated redirect
/// does nothing.
struct SignInMachine: Sendable {
    /// The values that a sign-in begins with.
    struct Input: Sendable {
        var address: String
        /// The mail server, if the person named it.
        var server: URL?
        /// The authorization server, if the app names it.
        var issuer: String?
        /// The client id, if the app has one.
        var clientID: String?
        var clientName = "swift-inbox"
        var scopes: [String] = []
        var redirectURI: URL
        var state: String
        var verifier: String
    }

    enum Event: Sendable {
        /// The records of a service.
        case records([ServiceRecord])
        /// No DNS server has answered.
        case noDNS
        /// The response to a request. A redirect isn't followed.
        case response(TransportResponse)
        case failure(TransportError)
        /// The person's answer to the question whether a host is right.
        case confirmed(Bool)
        /// The URL with which the browser has returned.
        case returned(URL)
        /// The tokens' response, with the time.
        case tokens(TransportResponse, at: Date)
        /// The person has cancelled.
        case cancelled
        /// The person has taken too long.
        case overdue
        /// The browser can't be used.
        case browserFailed(SignInError)
    }

    enum Effect: Sendable {
        /// Look up the records of a service in the domain.
        case lookUp(service: String)
        /// Ask the person whether the address's mail is on this host.
        case confirm(host: String)
        case send(TransportRequest)
        /// Send the request for tokens.
        case exchange(TransportRequest)
        case browse(URL)
        case finish(Result<SignInGrant, SignInError>)
    }

    enum State: Sendable {
        case idle
        case lookingUpServer
        case confirming(URL, ServerSearch)
        case findingServer(ServerSearch)
        case lookingUpIMAP(rest: [String], findings: [String])
        case findingResource(DiscoveredServer, ProtectedResource.Source, rest: [ProtectedResource.Source])
        case findingIssuer(DiscoveredServer, issuer: String, rest: [URL])
        case registering(DiscoveredServer, AuthorizationServer)
        case inBrowser(DiscoveredServer, AuthorizationRequest)
        case exchanging(DiscoveredServer, AuthorizationRequest)
        case finished
    }

    let input: Input
    let domain: MailDomain
    var state = State.idle
    /// The URL of the request that is under way.
    var askedURL: URL?

    /// - Throws: ``SignInError`` with the code `invalidAddress`, also for a server's URL that isn't https.
    init(_ input: Input) throws(SignInError) {
        self.input = input
        domain = try MailDomain(of: input.address)
        if let server = input.server, !server.isSafe(local: server.isLocal) {
            throw SignInError(.invalidAddress, "The server's URL must start with https:// and have a host.")
        }
    }

    /// Begins.
    mutating func start() -> Effect {
        guard case .idle = state else { return fail(.cancelled) }
        guard let server = input.server else {
            state = .lookingUpServer
            return .lookUp(service: "_jmap._tcp")
        }
        let hasPath = !["", "/"].contains(server.path())
        guard let url = hasPath ? server : server.inserting(wellKnown: "jmap") else {
            return fail(SignInError(.invalidAddress, "The server's URL has no host."))
        }
        var search = ServerSearch([], first: url, isFromDNS: true)
        // The person has named it.
        search.confirmedHosts = [server.host()?.lowercased() ?? ""]
        return proceed(search)
    }

    /// Returns the effect of an event; nil if the event doesn't belong to the current step.
    mutating func handle(_ event: Event) -> Effect? {
        if case .finished = state { return nil }
        if case .cancelled = event { return fail(.cancelled) }
        if let elsewhere = answeredElsewhere(event) { return fail(elsewhere) }
        let effect = effect(of: event)
        switch effect {
        case .send(let request), .exchange(let request): askedURL = request.url
        default: break
        }
        return effect
    }

    /// The failure for a transport that has followed a redirect of metadata, a registration or tokens.
    private func answeredElsewhere(_ event: Event) -> SignInError? {
        switch (state, event) {
        case (.findingServer, _): return nil
        case (_, .response(let response)), (_, .tokens(let response, _)):
            guard let askedURL, !response.url.isSameResource(as: askedURL) else { return nil }
            return SignInError(.wrongIssuer, "\(askedURL.shownHost) has redirected the request to another address.")
        default: return nil
        }
    }

    private mutating func effect(of event: Event) -> Effect? {
        switch (state, event) {
        case (.lookingUpServer, .records(let records)):
            return search(among: records)
        case (.lookingUpServer, .noDNS):
            return search(among: nil)
        case (.confirming(let url, let search), .confirmed(let isRight)):
            return isRight ? confirm(url, search) : fail(.cancelled)
        case (.findingServer(let search), .response(let response)):
            return found(response, search)
        case (.findingServer(let search), .failure(let error)):
            return failed(error, search)
        case (.lookingUpIMAP(let rest, let findings), .records(let records)):
            return foundIMAP(records, rest, findings)
        case (.lookingUpIMAP(_, let findings), .noDNS):
            return fail(noJMAP(findings))
        case (.findingResource(let server, let source, let rest), .response(let response)):
            return foundResource(response, server, source, rest)
        case (.findingResource(_, let source, _), .failure(let error)):
            return fail(.unreachable(source.url.shownHost, error))
        case (.findingIssuer(let server, let issuer, let rest), .response(let response)):
            return foundIssuer(response, server, issuer, rest)
        case (.findingIssuer(_, let issuer, _), .failure(let error)):
            return fail(.unreachable(URL(string: issuer)?.shownHost ?? issuer, error))
        case (.registering(let server, let authorization), .response(let response)):
            return registered(response, server, authorization)
        case (.registering(_, let authorization), .failure(let error)):
            return fail(.unreachable(authorization.host, error))
        case (.inBrowser(let server, let request), .returned(let url)):
            return returned(url, server, request)
        case (.inBrowser, .overdue):
            return fail(SignInError(.expired, "The sign-in took too long. Sign in again."))
        case (.inBrowser, .browserFailed(let error)):
            return fail(error)
        case (.exchanging(let server, let request), .tokens(let response, let now)):
            return exchanged(response, now, server, request)
        case (.exchanging(_, let request), .failure(let error)):
            return fail(.unreachable(request.server.host, error))
        default:
            return nil
        }
    }

    /// Ends with a failure.
    mutating func fail(_ error: SignInError) -> Effect {
        state = .finished
        return .finish(.failure(error))
    }
}
