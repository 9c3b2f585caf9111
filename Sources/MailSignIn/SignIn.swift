public import Foundation
import Groundwork

/// A sign-in to a mail server from an address alone, with OAuth 2 in the browser.
///
/// ```swift
/// let signIn = try SignIn(address: "anna@example.com", browser: browser) { host in await ask("Is it \(host)?") }
/// let keeper = try await TokenKeeper(signIn.run(), storage: storage)
/// let mail = try await Mail.open(server: keeper.server, credentials: .signedIn(keeper))
/// ```
///
/// It finds the JMAP server by DNS (RFC 8620, section 2.2) and its authorization server (RFC 9728, RFC 8414, or OpenID
/// Connect Discovery), registers the app there (RFC 7591) or uses its client id, and signs in with a code and PKCE (RFC
/// 7636, RFC 9207). Requests go over https, redirects of metadata and tokens aren't followed, and each answer has to be
/// that of the server that was asked.
public actor SignIn {
    private let browser: any SignInBrowser
    private let configuration: SignInConfiguration
    private let confirm: @Sendable (String) async -> Bool
    private let address: String
    private let server: URL?
    // The run that is under way. The actor guards it.
    private var task: Task<SignInGrant, any Error>?
    private var isCancelled = false

    /// Creates a sign-in.
    ///
    /// - Parameters:
    ///   - address: The person's address, such as `anna@example.com`.
    ///   - server: The mail server's URL, if it is known. It is then used without DNS.
    ///   - browser: The browser: `LoopbackBrowser` in a terminal, `WebAuthenticationBrowser` on Apple's systems.
    ///   - configuration: The settings.
    ///   - confirm: Asks the person whether the address's mail is on a host. Called for hosts outside the address's
    ///     domain, before anything is sent there.
    /// - Throws: ``SignInError`` with the code `invalidAddress`.
    public init(
        address: String,
        server: URL? = nil,
        browser: any SignInBrowser,
        configuration: SignInConfiguration = SignInConfiguration(),
        confirm: @escaping @Sendable (_ host: String) async -> Bool
    ) throws {
        (self.address, self.server, self.browser) = (address, server, browser)
        (self.configuration, self.confirm) = (configuration, confirm)
        _ = try MailDomain(of: address)
    }

    /// Signs in. A second call returns the result of the first.
    ///
    /// - Throws: ``SignInError``.
    public func run() async throws -> SignInGrant {
        if isCancelled { throw SignInError.cancelled }
        let task = task ?? Task { try await self.signIn() }
        self.task = task
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels the sign-in: ``run()`` throws ``SignInError`` with the code `cancelled`.
    public func cancel() {
        isCancelled = true
        task?.cancel()
    }

    private func signIn() async throws -> SignInGrant {
        let redirectURI: URL
        do {
            redirectURI = try await browser.prepare()
        } catch let error as SignInError {
            throw error
        } catch is CancellationError {
            throw SignInError.cancelled
        }
        let result: Result<SignInGrant, any Error>
        do {
            result = .success(try await runMachine(redirectURI))
        } catch {
            result = .failure(error)
        }
        await browser.close()
        return try result.get()
    }

    private func runMachine(_ redirectURI: URL) async throws -> SignInGrant {
        var machine = try SignInMachine(
            SignInMachine.Input(
                address: address,
                server: server,
                issuer: configuration.issuer,
                clientID: configuration.clientID,
                clientName: configuration.clientName,
                scopes: configuration.scopes,
                redirectURI: redirectURI,
                state: AuthorizationRequest.randomText(configuration.random),
                verifier: AuthorizationRequest.randomText(configuration.random)
            )
        )
        var effect = machine.start()
        while true {
            if case .finish(let result) = effect { return try result.get() }
            let event = await event(after: effect, domain: machine.domain.name)
            guard let next = machine.handle(Task.isCancelled ? .cancelled : event) else {
                // Each effect has the events that belong to it.
                assertionFailure("an event without an effect")
                throw SignInError.cancelled
            }
            effect = next
        }
    }

    /// Carries out an effect, and returns the event that follows.
    private func event(after effect: SignInMachine.Effect, domain: String) async -> SignInMachine.Event {
        do {
            switch effect {
            case .lookUp(let service):
                return .records(try await configuration.resolver.records(of: service, in: domain))
            case .confirm(let host):
                return .confirmed(await confirm(host))
            case .send(let request):
                return .response(try await configuration.requests.send(request))
            case .exchange(let request):
                return .tokens(try await configuration.requests.send(request), at: configuration.clock.now)
            case .browse(let page):
                let browser = browser
                let url = try await withDeadline(seconds: configuration.browserTimeout, clock: configuration.clock) {
                    do {
                        return try await browser.open(page)
                    } catch is TransportError {
                        throw SignInError(.noBrowser, "The browser can't be opened.")
                    }
                }
                return .returned(url)
            case .finish:
                return .cancelled
            }
        } catch let error as TransportError {
            if case .browse = effect { return .overdue }
            return .failure(error)
        } catch {
            switch effect {
            case _ where error is CancellationError: return .cancelled
            case .lookUp: return .noDNS
            case .browse:
                let failure = error as? SignInError
                return .browserFailed(failure ?? SignInError(.noBrowser, "The browser can't be opened."))
            default: return .failure(.unreachable("the transport has failed."))
            }
        }
    }
}
