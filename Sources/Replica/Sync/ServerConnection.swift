package import Foundation
package import Groundwork
package import JMAP

/// Talks to one server for one person: finds the session, adds the token, keeps deadlines.
///
/// Guarded by the actor: the session, once known, and the token in use. Both may change while a request waits; each
/// request takes what is there when it is sent.
package actor ServerConnection {
    package struct Limits: Sendable {
        /// The deadline of a request, in seconds.
        package var deadline = 30.0
        /// How large an answer may be, in bytes.
        package var maxAnswer = 64 * 1_048_576

        package init() {}
    }

    private let server: URL
    private let person: String?
    /// Who was behind the first session: nobody else may be behind a later one.
    private var username: String?
    private let scheme: AuthorizationScheme
    private let askForToken: @Sendable () async throws -> String
    private let transport: any Transport
    private let clock: any WallClock
    private let limits: Limits
    private var token: String?
    /// Under way while the app is asked for a token.
    private var asking: Task<String, any Error>?
    /// A token that was given in place of a refused one, and that the server hasn't taken yet. Where it is refused too,
    /// by whichever request comes first, none is asked for in its place, unless it may have run out meanwhile.
    private var replacement: Replacement?
    /// A new token was refused too: none is asked for until ``askAgain()`` or ``renewToken()``.
    private var refused: Refused?
    /// Why the server didn't take a token the last time.
    private var refusal = TokenRefusal(.unspecified)
    private var session: Session?
    /// The person signs out: whoever gives tokens may already give those of the next.
    private var keepsToken = false

    /// - Parameters:
    ///   - server: The server's URL; the session is looked for at its `/.well-known/jmap`; where the person isn't known
    ///     beforehand and the URL has a path, at the URL itself.
    ///   - person: Who has to be behind the token; a session of somebody else is refused. Nil where the server's own
    ///     name for the person isn't known.
    ///   - scheme: How the token is sent.
    ///   - token: Gives the token to send; asked again once when the server no longer takes it.
    package init(
        server: URL,
        person: String?,
        scheme: AuthorizationScheme = .bearer,
        token: @escaping @Sendable () async throws -> String,
        transport: any Transport,
        clock: any WallClock,
        limits: Limits = Limits()
    ) {
        self.server = server
        self.person = person
        self.scheme = scheme
        askForToken = token
        self.transport = transport
        self.clock = clock
        self.limits = limits
    }

    /// The session, asked for once.
    ///
    /// - Throws: ``SyncError``.
    package func currentSession() async throws -> Session {
        if let session { return session }
        return try take(try await send(sessionRequest))
    }

    private var sessionRequest: TransportRequest {
        let hasPath = person == nil && !["", "/"].contains(server.path)
        return TransportRequest(url: hasPath ? server : server.appendingPathComponent(".well-known/jmap"))
    }

    /// Takes the session that the server tells, where it is the person's.
    private func take(_ response: TransportResponse) throws(SyncError) -> Session {
        let found: Session
        do {
            found = try Session(json: JSON(parsing: response.body), base: response.url)
        } catch {
            throw SyncError.malformed("the session, \(error)")
        }
        // By bytes: to String, two spellings of one name are equal.
        guard (person ?? username).map({ found.username.utf8.elementsEqual($0.utf8) }) ?? true else {
            refused = Refused(token: token, error: .otherPerson)
            (token, session) = (nil, nil)
            throw SyncError.otherPerson
        }
        // Of a server on this machine too: what stands elsewhere gets the token over https alone.
        guard server.scheme?.lowercased() == "https" ? found.isSecure : found.maySeeSecrets else {
            throw SyncError.malformed(
                "the session leads to addresses without https, where the token would be read on the way"
            )
        }
        username = found.username
        session = found
        return found
    }

    /// Forgets the session, so that the next request asks for it.
    package func forgetSession() {
        session = nil
    }

    /// Forgets the token, so that the next request asks for one.
    package func forgetToken() {
        token = nil
    }

    /// Asks for a token again, after one was refused: somebody may have signed in.
    func askAgain() {
        (refused, replacement) = (nil, nil)
    }

    /// Asks the app for a token in place of a refused one.
    ///
    /// One that the server has refused isn't sent again, unless it was too early for it.
    ///
    /// - Returns: Whether there is one to try.
    func renewToken() async -> Bool {
        guard refused != nil else { return !keepsToken }
        guard !keepsToken, let new = try? await requestToken().token else { return false }
        // While the app was asked, ``askAgain()`` may have been called.
        guard let refused else { return true }
        guard new != refused.token || refused.error.tokenRefusal?.code == .notYetValid else { return false }
        // It may be somebody else's, who signed in meanwhile: the session shows whose.
        (token, session, self.refused, replacement) = (new, nil, nil, nil)
        return true
    }

    /// From now on asks for no token in place of one that the server has taken, or refused.
    func keepToken() {
        keepsToken = true
    }

    /// Sends method calls.
    ///
    /// - Throws: ``SyncError``.
    package func call(_ request: Request) async throws -> Response {
        let session = try await currentSession()
        guard let url = URL(string: session.apiUrl) else { throw SyncError.malformed("apiUrl isn't a URL") }
        let response = try await send(
            TransportRequest(
                method: "POST",
                url: url,
                headers: ["Content-Type": "application/json"],
                body: request.json.utf8
            )
        )
        let parsed: Response
        do {
            parsed = try Response(parsing: response.body)
        } catch {
            throw SyncError.malformed(String(describing: error))
        }
        // The server's limits, accounts or addresses have changed: look at them before the next request.
        if parsed.sessionState != session.state { forgetSession() }
        return parsed
    }

    /// Opens the event source (RFC 8620 §7.3).
    ///
    /// - Parameter ping: How often the server is to say that it is there, in seconds.
    /// - Throws: ``SyncError``; status 204, 404, 405 or 501 mean that there is none.
    package func events(types: [String], ping: Int) async throws -> TransportStream {
        let session = try await currentSession()
        guard let url = session.eventSourceURL(types: types, ping: ping) else {
            throw SyncError.malformed("eventSourceUrl isn't a URL")
        }
        let transport = transport
        return try await authorized { token in
            let request = TransportRequest(
                url: url,
                headers: [
                    "Accept": "text/event-stream", "Cache-Control": "no-cache",
                    "Authorization": self.scheme.header(token),
                ]
            )
            let stream = try await withDeadline(seconds: self.limits.deadline, clock: self.clock) {
                try await transport.stream(request)
            }
            guard stream.status == 200 else { return .failure(await self.failure(of: stream)) }
            return .success(stream)
        }
    }

    /// Begins to download.
    ///
    /// - Parameter start: How many bytes are there already.
    /// - Returns: The answer, of the status 206 where it begins there, of 200 where it begins anew.
    /// - Throws: ``SyncError``.
    package func download(_ url: URL, from start: Int) async throws -> TransportStream {
        let transport = transport
        return try await authorized { token in
            var request = TransportRequest(url: url, headers: ["Authorization": self.scheme.header(token)])
            if start > 0 { request.headers["Range"] = "bytes=\(start)-" }
            let sent = request
            let stream = try await withDeadline(seconds: self.limits.deadline, clock: self.clock) {
                try await transport.stream(sent)
            }
            let isContinued = stream.headers["content-range"]?.hasPrefix("bytes \(start)-") ?? false
            guard stream.status == 200 || (stream.status == 206 && isContinued) else {
                return .failure(await self.failure(of: stream))
            }
            return .success(stream)
        }
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await authorized { token in try await self.send(request, token) }
    }

    private func send(_ request: TransportRequest, _ token: String) async throws -> Exchange<TransportResponse> {
        let (transport, limits, clock) = (transport, limits, clock)
        var request = request
        request.headers["Authorization"] = scheme.header(token)
        if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        let sent = request
        let response = try await withDeadline(seconds: limits.deadline, clock: clock) {
            try await transport.send(sent, maxBytes: limits.maxAnswer)
        }
        guard (200..<300).contains(response.status) else {
            return .failure((response.status, Self.error(of: response, at: clock.now)))
        }
        return .success(response)
    }

    /// Runs an exchange with a token, and once more with a new one where the server answers 401.
    private func authorized<Answer>(
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer {
        do {
            let used = try await currentToken()
            if let answer = try await answer(with: used, exchange) { return answer }
            var refusedToken = used
            while true {
                guard !keepsToken else { throw SyncError.unauthorized(refusal) }
                if let replacement, replacement.token == refusedToken, !replacement.mayHaveRunOut(at: clock.now) {
                    throw refuse(refusedToken)
                }
                let new = try await currentToken()
                if new != refusedToken, replacement?.token != new {
                    replacement = Replacement(token: new, given: clock.now)
                }
                if let answer = try await answer(withNew: new, exchange) { return answer }
                guard new != refusedToken else { throw refuse(new) }
                refusedToken = new
            }
        } catch let error as TransportError {
            throw SyncError.transport(error)
        } catch {
            // An app's own transport may throw anything.
            if error is SyncError || error is CancellationError { throw error }
            throw SyncError.transport(.unreachable(String(describing: error)))
        }
    }

    /// Runs an exchange with a token that the app has just given; nil where the server doesn't take it.
    private func answer<Answer>(
        withNew new: String,
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer? {
        // The app may have got it for somebody else, who signed in meanwhile: nothing else is asked with it before that
        // is known.
        if session != nil {
            guard let session = try await answer(with: new, { try await self.send(self.sessionRequest, $0) }) else {
                return nil
            }
            _ = try take(session)
        }
        return try await answer(with: new, exchange)
    }

    /// A token in place of a refused one.
    private struct Replacement {
        let token: String
        let given: Date

        /// Whether so much time has passed that it may have been good when it was given: a device can sleep for days
        /// between two steps.
        ///
        /// At most once a minute is anybody asked for another in this way.
        func mayHaveRunOut(at now: Date) -> Bool { now.timeIntervalSince(given) >= 60 }
    }

    /// A token that the server doesn't take, in place of which none is asked for.
    private struct Refused {
        let token: String?
        let error: SyncError
    }

    private func refuse(_ token: String) -> SyncError {
        let error = SyncError.unauthorized(refusal)
        refused = Refused(token: token, error: error)
        return error
    }

    /// Runs an exchange with a token. Nil where the server doesn't take it; it is forgotten then.
    private func answer<Answer>(
        with used: String,
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer? {
        switch try await exchange(used) {
        case .success(let answer):
            if replacement?.token == used { replacement = nil }
            return answer
        case .failure((401, let error)):
            refusal = error.tokenRefusal ?? TokenRefusal(.unspecified)
            // Another request may have brought a new one while this one waited.
            if token == used { token = nil }
            return nil
        case .failure((_, let error)): throw error
        }
    }

    private enum Exchange<Answer> {
        case success(Answer)
        case failure((status: Int, error: SyncError))
    }

    private func currentToken() async throws -> String {
        if let token { return token }
        if let refused { throw refused.error }
        if keepsToken && session != nil { throw SyncError.unauthorized(refusal) }
        do {
            let (new, isFirst) = try await requestToken()
            if isFirst { token = new }
            return new
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw SyncError.noToken(String(describing: error))
        }
    }

    /// Asks the app for a token. Requests that need one at the same time share it.
    ///
    /// - Returns: The token, and whether this is the first of those requests that has it.
    private func requestToken() async throws -> (token: String, isFirst: Bool) {
        let asking = asking ?? Task { try await askForToken() }
        self.asking = asking
        do {
            let new = try await asking.value
            let isFirst = self.asking == asking
            if isFirst { self.asking = nil }
            return (new, isFirst)
        } catch {
            if self.asking == asking { self.asking = nil }
            throw error
        }
    }

    /// What an answer of another status means that was to be a stream. Of 401 its body is read: it says why the token
    /// isn't taken.
    private func failure(of stream: TransportStream) async -> (status: Int, error: SyncError) {
        let status = stream.status
        guard status == 401 else { return (status, .status(status, retryAfter: nil, detail: nil)) }
        let body = try? await withDeadline(seconds: Self.bodyDeadline, clock: clock) {
            var body: [UInt8] = []
            for try await piece in stream.body where body.count < Self.longestProblem { body += piece }
            return body
        }
        return (status, .unauthorized(Self.refusal(body.flatMap { try? JSON(parsing: $0) })))
    }

    /// How long the reason for a refused stream may take, in seconds, and how long it may be, in bytes.
    private static let bodyDeadline = 5.0
    private static let longestProblem = 65_536

    private static func refusal(_ problem: JSON?) -> TokenRefusal {
        TokenRefusal(problem: problem?["type"]?.stringValue, detail: problem?["detail"]?.stringValue)
    }

    private static func error(of response: TransportResponse, at now: Date) -> SyncError {
        let problem = try? JSON(parsing: response.body)
        if response.status == 401 { return .unauthorized(refusal(problem)) }
        // Too many requests at a time pass by themselves; of too large a one, half may do.
        let isRetryable = problem?["limit"]?.stringValue?.hasPrefix("maxConcurrent") ?? false
        if !isRetryable, let type = problem?["type"]?.stringValue,
            type.hasSuffix(":error:limit") || response.status == 413
        {
            return .method(.requestTooLarge(problem?["detail"]?.stringValue ?? type))
        }
        if response.status == 413 { return .method(.requestTooLarge("status 413")) }
        return .status(
            response.status,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) },
            detail: problem?["detail"]?.stringValue
        )
    }
}
