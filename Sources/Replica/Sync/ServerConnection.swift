package import Foundation
package import Groundwork
package import JMAP

/// A connection to one server for one person. It finds the session, adds the token and applies deadlines.
///
/// The actor guards the session, once known, and the state of the token. Both may change while a request waits. Each
/// request uses the values at the time of sending.
package actor ServerConnection {
    package struct Limits: Sendable {
        /// The deadline of a request, in seconds.
        package var deadline = 30.0
        /// The maximum size of an answer, in bytes.
        package var maxAnswer = 64 * 1_048_576

        package init() {}
    }

    private let server: URL
    private let person: String?
    /// The user name of the first session. Later sessions must have the same one.
    private var username: String?
    private let scheme: AuthorizationScheme
    private let tokenProvider: @Sendable () async throws -> String
    private let transport: any Transport
    private let clock: any WallClock
    private let limits: Limits
    private var tokens = TokenState()
    /// The request for a token that the app is answering.
    private var tokenTask: Task<String, any Error>?
    private var session: Session?
    /// The header field `Date` of the last answer to method calls, and the time at which it arrived.
    private var lastDate: (text: String, arrival: Date)?

    /// - Parameters:
    ///   - server: The server's URL. The session is at its `/.well-known/jmap`, or at the URL itself if the person
    ///     isn't known beforehand and the URL has a path.
    ///   - person: The person of the token. A session of another person is rejected. Nil if the server's name for the
    ///     person isn't known.
    ///   - scheme: The form in which the token is sent.
    ///   - token: Returns the token to send. It is called again if the server rejects the token.
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
        tokenProvider = token
        self.transport = transport
        self.clock = clock
        self.limits = limits
    }

    /// The time by which the server's clock was ahead of the device's at the last answer to method calls, to a second
    /// or two; nil if the answer had no date (RFC 9110, section 6.6.1).
    package var clockDifference: TimeInterval? {
        guard let lastDate, let date = HTTPDate.date(lastDate.text) else { return nil }
        return date.timeIntervalSince(lastDate.arrival)
    }

    /// The session, if it is known already.
    package var knownSession: Session? { session }

    /// Returns the session. It is requested once.
    ///
    /// - Throws: ``SyncError``.
    package func currentSession() async throws -> Session {
        if let session { return session }
        return try adoptSession(from: try await send(sessionRequest))
    }

    private var sessionRequest: TransportRequest {
        let hasPath = person == nil && !["", "/"].contains(server.path)
        return TransportRequest(url: hasPath ? server : server.appendingPathComponent(".well-known/jmap"))
    }

    /// Stores the session of an answer, if it is the person's.
    private func adoptSession(from response: TransportResponse) throws(SyncError) -> Session {
        let found: Session
        do {
            found = try Session(json: JSON(parsing: response.body), base: response.url)
        } catch {
            throw SyncError.malformed("the session, \(error)")
        }
        // Compared by bytes: two Unicode spellings of one name are equal as strings.
        guard (person ?? username).map({ found.username.utf8.elementsEqual($0.utf8) }) ?? true else {
            tokens.rejectOtherPerson()
            session = nil
            throw SyncError.otherPerson
        }
        // A server on this machine may be used without HTTPS, but its session must not send the token elsewhere without
        // it.
        guard server.scheme?.lowercased() == "https" ? found.isSecure : found.allowsCredentials else {
            throw SyncError.malformed(
                "the session contains URLs without https, which would expose the token"
            )
        }
        username = found.username
        session = found
        return found
    }

    /// Forgets the session, so that the next request asks for it.
    package func clearSession() {
        session = nil
    }

    /// Forgets the rejection of a token, so that the app is asked again. The person may have signed in.
    func clearRefusal() {
        tokens.clearRejection()
    }

    /// Asks the app for a token in place of a rejected one.
    ///
    /// A token that the server has rejected isn't sent again, unless it wasn't valid yet.
    ///
    /// - Returns: Whether there is a token to try.
    func renewToken() async -> Bool {
        guard tokens.rejection != nil else { return !tokens.isKept }
        guard !tokens.isKept, let new = try? await requestToken().token else { return false }
        // ``clearRefusal()`` may have been called while the app was asked.
        guard tokens.rejection != nil else { return true }
        guard tokens.renew(with: new) else { return false }
        // Another person may have signed in meanwhile. The session shows whose token it is.
        session = nil
        return true
    }

    /// Keeps the current token from now on. The app isn't asked for a replacement of one that the server has accepted
    /// or rejected.
    func keepToken() {
        tokens.isKept = true
    }

    /// Sends method calls.
    ///
    /// - Throws: ``SyncError``.
    package func call(_ request: Request) async throws -> Response {
        let session = try await currentSession()
        guard let url = URL(string: session.apiURL) else { throw SyncError.malformed("apiUrl isn't a URL") }
        let response = try await send(
            TransportRequest(
                method: "POST",
                url: url,
                headers: ["Content-Type": "application/json"],
                body: request.json.utf8
            )
        )
        lastDate = response.headers["date"].map { (text: $0, arrival: clock.now) }
        let parsed: Response
        do {
            parsed = try Response(parsing: response.body)
        } catch {
            throw SyncError.malformed(String(describing: error))
        }
        // The server's limits, accounts or addresses have changed. The next request reads the session again.
        if parsed.sessionState != session.state { clearSession() }
        return parsed
    }

    /// Opens the event source (RFC 8620, section 7.3).
    ///
    /// - Parameter ping: The interval of the server's pings, in seconds.
    /// - Throws: ``SyncError``. Status 204, 404, 405 or 501 mean that the server has no event source.
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

    /// Begins a download.
    ///
    /// - Parameter start: The number of bytes that have already been downloaded.
    /// - Returns: The answer. Its status is 206 if it begins at `start`, and 200 if it begins at 0.
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

    /// Uploads bytes (RFC 8620, section 6.1).
    ///
    /// - Parameters:
    ///   - type: The media type.
    ///   - account: The account that the blob is to belong to.
    /// - Returns: The blob's id.
    /// - Throws: ``SyncError``: `malformed` if the server has received another number of bytes.
    package func upload(_ bytes: [UInt8], type: String, account: String) async throws -> String {
        guard let url = try await currentSession().uploadURL(account: account) else {
            throw SyncError.malformed("uploadUrl isn't a URL")
        }
        let request = TransportRequest(method: "POST", url: url, headers: ["Content-Type": type], body: bytes)
        // A slow connection is given the time that it needs for the bytes.
        let deadline = limits.deadline + Double(bytes.count) / Self.slowestUpload
        let response = try await authorized { token in try await self.send(request, token, deadline: deadline) }
        let answer = try? JSON(parsing: response.body)
        guard let blobID = answer?["blobId"]?.stringValue else {
            throw SyncError.malformed("the answer to an upload has no blobId")
        }
        // Cut off on the way, it would be sent as it is.
        guard answer?["size"]?.intValue ?? bytes.count == bytes.count else {
            throw SyncError.malformed("the server has another size of an upload")
        }
        return blobID
    }

    /// The speed below which an upload counts as failed, in bytes per second.
    private static let slowestUpload = 8_192.0

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await authorized { token in try await self.send(request, token) }
    }

    private func send(
        _ request: TransportRequest,
        _ token: String,
        deadline: Double? = nil
    ) async throws -> Exchange<TransportResponse> {
        let (transport, limits, clock) = (transport, limits, clock)
        var request = request
        request.headers["Authorization"] = scheme.header(token)
        if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        let sent = request
        let response = try await withDeadline(seconds: deadline ?? limits.deadline, clock: clock) {
            try await transport.send(sent, maxBytes: limits.maxAnswer)
        }
        guard (200..<300).contains(response.status) else {
            return .failure((response.status, SyncError(of: response, at: clock.now)))
        }
        return .success(response)
    }

    /// Runs an exchange with a token, and again with a new one if the server answers 401.
    private func authorized<Answer>(
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer {
        do {
            let used = try await currentToken()
            if let answer = try await answer(with: used, exchange) { return answer }
            var rejectedToken = used
            while true {
                try tokens.checkReplaceable(rejectedToken, at: clock.now)
                let new = try await currentToken()
                tokens.replaced(rejectedToken, with: new, at: clock.now)
                if let answer = try await answer(withNew: new, exchange) { return answer }
                guard new != rejectedToken else { throw tokens.reject(new) }
                rejectedToken = new
            }
        } catch let error as TransportError {
            throw SyncError.transport(error)
        } catch {
            // An app's own transport may throw any error.
            if error is SyncError { throw error }
            // That of an app's transport or token closure isn't this task's.
            if error is CancellationError, Task.isCancelled { throw error }
            throw SyncError.transport(.unreachable(String(describing: error)))
        }
    }

    /// Runs an exchange with a token that the app has just returned.
    ///
    /// - Returns: The answer; nil if the server rejects the token.
    private func answer<Answer>(
        withNew new: String,
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer? {
        // The token may belong to another person who signed in meanwhile. The session is verified before any other
        // request.
        if session != nil {
            guard let session = try await answer(with: new, { try await self.send(self.sessionRequest, $0) }) else {
                return nil
            }
            _ = try adoptSession(from: session)
        }
        return try await answer(with: new, exchange)
    }

    /// Runs an exchange with a token.
    ///
    /// - Returns: The answer; nil if the server rejects the token. The token is forgotten then.
    private func answer<Answer>(
        with used: String,
        _ exchange: (_ token: String) async throws -> Exchange<Answer>
    ) async throws -> Answer? {
        switch try await exchange(used) {
        case .success(let answer):
            tokens.accepted(used)
            return answer
        case .failure((401, let error)):
            tokens.refused(used, error.tokenRefusal ?? TokenRefusal(.unspecified))
            return nil
        case .failure((_, let error)): throw error
        }
    }

    private enum Exchange<Answer> {
        case success(Answer)
        case failure((status: Int, error: SyncError))
    }

    private func currentToken() async throws -> String {
        if let token = tokens.token { return token }
        if let rejection = tokens.rejection { throw rejection }
        if tokens.isKept && session != nil { throw tokens.keptError }
        do {
            let (new, isFirst) = try await requestToken()
            if isFirst { tokens.store(new) }
            return new
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw SyncError.noToken(String(describing: error))
        }
    }

    /// Asks the app for a token. Requests that need one at the same time share it.
    ///
    /// - Returns: The token, and whether this request is the first of those that share it.
    private func requestToken() async throws -> (token: String, isFirst: Bool) {
        let tokenTask = tokenTask ?? Task { try await tokenProvider() }
        self.tokenTask = tokenTask
        do {
            let new = try await tokenTask.value
            let isFirst = self.tokenTask == tokenTask
            if isFirst { self.tokenTask = nil }
            return (new, isFirst)
        } catch {
            if self.tokenTask == tokenTask { self.tokenTask = nil }
            throw error
        }
    }

    /// Returns the error of an answer that should have been a stream. The body of a 401 is read for its reason.
    private func failure(of stream: TransportStream) async -> (status: Int, error: SyncError) {
        let status = stream.status
        guard status == 401 else { return (status, .status(status, retryAfter: nil, detail: nil)) }
        let body = try? await withDeadline(seconds: Self.bodyDeadline, clock: clock) {
            var body: [UInt8] = []
            for try await piece in stream.body where body.count < Self.maxProblemSize { body += piece }
            return body
        }
        return (status, .unauthorized(TokenRefusal(problem: body.flatMap { try? JSON(parsing: $0) })))
    }

    /// The deadline for the body of a rejected stream, in seconds, and its maximum size, in bytes.
    private static let bodyDeadline = 5.0
    private static let maxProblemSize = 65_536
}
