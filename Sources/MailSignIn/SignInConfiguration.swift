public import Groundwork

/// The settings of signing in. The defaults suit servers that register clients (RFC 7591).
public struct SignInConfiguration: Sendable {
    /// The app's name, which the authorization server may show to the person.
    public var clientName = "swift-inbox"
    /// The client id that the authorization server has given to the app; nil to register the app at each sign-in.
    public var clientID: String?
    /// The issuer of the authorization server; nil for the one that the mail server names.
    public var issuer: String?
    /// The scopes to request, if the server supports them. By default, mail and a refresh token.
    public var scopes = ["urn:ietf:params:oauth:scope:mail", "offline_access"]
    /// The time for each request, in seconds. 20 by default.
    public var requestTimeout = 20.0
    /// The time for the person's answer and for the browser, in seconds. 15 minutes by default.
    public var browserTimeout = 900.0
    /// The maximum size of an answer, in bytes. 256 KiB by default.
    public var maxAnswerSize = 262_144
    /// The clock.
    public var clock: any WallClock = SystemClock()
    /// The source of randomness.
    public var random = RandomSource.system
    /// The resolver of SRV records.
    public var resolver: any ServiceResolver = SystemServiceResolver()
    /// The transport of requests; nil for the system's URL loading. It must not follow redirects.
    public var transport: (any Transport)?

    /// Creates the default settings.
    public init() {}

    var requests: SignInRequests {
        SignInRequests(
            transport: transport ?? URLSessionTransport(redirects: .never),
            clock: clock,
            timeout: requestTimeout,
            maxAnswerSize: maxAnswerSize
        )
    }
}

/// Sends the requests of a sign-in within limits.
struct SignInRequests: Sendable {
    let transport: any Transport
    let clock: any WallClock
    let timeout: Double
    let maxAnswerSize: Int

    /// Sends a request, within the limits of time and size.
    ///
    /// - Throws: `TransportError`, `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (transport, size) = (transport, maxAnswerSize)
        do {
            return try await withDeadline(seconds: timeout, clock: clock) {
                try await transport.send(request, maxBytes: size)
            }
        } catch let error as TransportError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // An app's own transport may throw any error. Its text may contain the request.
            throw TransportError.unreachable("the transport has failed.")
        }
    }
}
