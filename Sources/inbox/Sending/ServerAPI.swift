import Foundation
import Groundwork
import Replica

/// A client of the server's REST API for senders.
struct ServerAPI: Sendable {
    let url: URL
    let key: String
    var transport: any Transport = SystemTransport.make()

    /// The timeout of one request, in seconds.
    private static let timeout = 30.0

    /// The confirmation that the server has stored a message durably.
    struct Receipt: Sendable {
        let json: JSON
        var id: String { json["id"]?.stringValue ?? "" }
        /// The number of recipients. Nil if the server doesn't report it.
        var recipients: Int? { json["recipients"]?.intValue }
    }

    /// Sends one message.
    ///
    /// - Parameters:
    ///   - request: The object with `to` and `message`.
    ///   - key: The idempotency key. A repeat with the same key within 24 hours sends nothing.
    /// - Throws: ``ServerAPIError``.
    func send(_ request: JSON, idempotencyKey key: String) async throws -> Receipt {
        Receipt(json: try await post(["v1", "messages"], request, headers: ["Idempotency-Key": key]))
    }

    /// Requests a token for a person.
    ///
    /// - Parameter lifetime: The lifetime in seconds. Nil for the server's default.
    /// - Throws: ``ServerAPIError``.
    func makeToken(for person: String, lifetime: Int? = nil) async throws -> (text: String, expiresAt: Date?) {
        var body = JSONObject()
        body["expiresIn"] = lifetime.map { JSON($0) }
        let answer = try await post(["v1", "people", person, "tokens"], .object(body))
        guard let token = answer["token"]?.stringValue else { throw ServerAPIError.malformed }
        return (token, answer["expiresAt"]?.stringValue.flatMap { RFC3339.date(from: $0) })
    }

    private func post(_ path: [String], _ body: JSON, headers: [String: String] = [:]) async throws -> JSON {
        guard let answer = try await call("POST", path, body: body, headers: headers) else {
            throw ServerAPIError.malformed
        }
        return answer
    }

    /// Calls the REST API.
    ///
    /// - Returns: The response body, or nil if the response has no content.
    /// - Throws: ``ServerAPIError``.
    func call(
        _ method: String,
        _ path: [String],
        query: [(name: String, value: String)] = [],
        body: JSON? = nil,
        headers: [String: String] = [:]
    ) async throws -> JSON? {
        var request = TransportRequest(
            method: method,
            url: address(path, query: query),
            headers: headers,
            body: body?.utf8
        )
        request.headers["Authorization"] = "Bearer \(key)"
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let sent = request
        let response: TransportResponse
        do {
            response = try await withDeadline(seconds: Self.timeout, clock: SystemClock()) { [transport] in
                try await transport.send(sent, maxBytes: 1_048_576)
            }
        } catch let error as TransportError {
            throw ServerAPIError.unreachable(error)
        }
        let json = try? JSON(parsing: response.body)
        guard (200..<300).contains(response.status) else {
            let wait = response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: Date()) }
            throw ServerAPIError.refused(Problem(status: response.status, json: json, retryAfter: wait))
        }
        if response.status == 204 { return nil }
        guard let json else { throw ServerAPIError.malformed }
        return json
    }

    /// Returns the URL of a path. A person's id may contain any characters, including those with a meaning in URLs.
    private func address(_ path: [String], query: [(name: String, value: String)]) -> URL {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.")
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        let parameters = query.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        let suffix = path.map(encoded).joined(separator: "/") + (parameters.isEmpty ? "" : "?" + parameters)
        var base = url.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        return URL(string: "\(base)/\(suffix)") ?? url
    }
}

/// The problem document of a request that the server refused (RFC 9457).
struct Problem: Hashable, Sendable {
    let status: Int
    let detail: String?
    /// The part of the request that caused the problem, as a JSON pointer.
    let pointer: String?
    /// The delay before a retry, in seconds.
    let retryAfter: Double?

    init(status: Int, json: JSON?, retryAfter: Double?) {
        self.status = status
        detail = json?["detail"]?.stringValue ?? json?["title"]?.stringValue
        pointer = json?["pointer"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        self.retryAfter = retryAfter
    }
}

/// The reason why a message wasn't sent.
enum ServerAPIError: Error, Sendable, CustomStringConvertible {
    case unreachable(TransportError)
    case refused(Problem)
    case malformed

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .unreachable(.tooLarge), .malformed: false
        case .unreachable: true
        case .refused(let problem): problem.status == 429 || problem.status >= 500
        }
    }

    /// Whether the server refuses the key.
    var refusesKey: Bool {
        if case .refused(let problem) = self { [401, 403].contains(problem.status) } else { false }
    }

    /// Whether every other request would fail too.
    var affectsAll: Bool {
        switch self {
        case .unreachable, .malformed: true
        case .refused(let problem): [401, 403, 404, 429].contains(problem.status) || problem.status >= 500
        }
    }

    var retryAfter: Double? {
        if case .refused(let problem) = self { problem.retryAfter } else { nil }
    }

    var pointer: String? {
        if case .refused(let problem) = self { problem.pointer } else { nil }
    }

    var description: String {
        switch self {
        case .unreachable(let error): error.description
        case .malformed: "The response isn't from an inbox server. Is the address right?"
        case .refused(let problem):
            switch problem.status {
            case 401: "The server doesn't accept the API key. Check --key-file or INBOX_KEY."
            case 404: "There is no inbox server at this address (status 404)."
            default: problem.detail?.plainLine ?? "The server responded with status \(problem.status)."
            }
        }
    }
}
