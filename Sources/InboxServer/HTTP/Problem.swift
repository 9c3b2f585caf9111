import Groundwork
import Hummingbird
import InboxService
import JMAP

/// The error of a request, as a problem document (RFC 9457). It contains nothing of the request except the location of
/// the error.
struct Problem: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    let json: JSON
    var headers: HTTPFields = [:]

    /// The kind of a problem that a client may have to distinguish from others with the same status: the last part of
    /// the problem's `type`.
    enum Kind: String {
        case idempotencyKeyReused = "idempotency-key-reused"
        case idempotencyKeyInUse = "idempotency-key-in-use"
        case messageExpired = "message-expired"
        case tooManyBroadcasts = "too-many-broadcasts"
        case tooManySurfaces = "too-many-surfaces"
        case missingScope = "missing-scope"
        case lastKey = "last-key"
        case tooManyWebhooks = "too-many-webhooks"
        case tooManyKeys = "too-many-keys"
        case rateLimited = "rate-limited"
        case overloaded = "overloaded"
        case tooManySigningKeys = "too-many-signing-keys"
        case tooManyAttempts = "too-many-attempts"
        case tokenExpired = "token-expired"
        case tokenNotYetValid = "token-not-yet-valid"
        case tokenWithoutPerson = "token-no-person"
        case tokenOfInvalidPerson = "token-invalid-person"
        case tokenWithoutExpiry = "token-no-expiry"
        case tokenOfInvalidTime = "token-invalid-time"

        /// Identifies the kind. Clients compare it and don't open it.
        var uri: String { "https://swift-inbox.example/problems/\(rawValue)" }

        /// The same for every problem of a kind, as RFC 9457, section 3.1.3 requires.
        fileprivate var title: String {
            switch self {
            case .idempotencyKeyReused: "Idempotency-Key used for another body"
            case .idempotencyKeyInUse: "Request still running"
            case .messageExpired: "Message expired"
            case .tooManyBroadcasts: "Too many messages to everyone"
            case .tooManySurfaces: "Too many surfaces"
            case .missingScope: "Scope missing"
            case .lastKey: "Last key that can create keys"
            case .tooManyWebhooks: "Too many webhooks"
            case .tooManyKeys: "Too many keys"
            case .rateLimited: "Too many requests"
            case .overloaded: "Too many connections"
            case .tooManySigningKeys: "Too many signing keys"
            case .tooManyAttempts: "Too many attempts with wrong keys"
            case .tokenExpired: "Token expired"
            case .tokenNotYetValid: "Token not yet valid"
            case .tokenWithoutPerson: "Token without a person"
            case .tokenOfInvalidPerson: "Token with an invalid person id"
            case .tokenWithoutExpiry: "Token without an expiry"
            case .tokenOfInvalidTime: "Token with an invalid time"
            }
        }
    }

    /// - Parameters:
    ///   - detail: The problem and how to fix it.
    ///   - kind: The kind, if the status isn't specific enough.
    ///   - pointer: The part of the request's body with the problem.
    init(
        _ status: HTTPResponse.Status,
        _ detail: String,
        kind: Kind? = nil,
        pointer: JSONPointer? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.headers = headers
        var object = JSONObject([
            ("type", .string(kind?.uri ?? "about:blank")), ("title", .string(kind?.title ?? status.reasonPhrase)),
            ("status", JSON(status.code)), ("detail", .string(detail)),
        ])
        object["pointer"] = pointer.map { .string($0.description) }
        json = .object(object)
    }

    init(_ error: JSONValueError) {
        self.init(.badRequest, error.sentence(about: "The request"), pointer: error.pointer)
    }

    init(_ error: JSONSyntaxError) {
        self.init(.badRequest, "The body isn't JSON: \(error.description).")
    }

    /// - Parameter status: A more specific status than the error's own, if HTTP has one.
    init(_ error: RequestError, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]) {
        self.status = status ?? HTTPResponse.Status(code: error.status)
        self.headers = headers
        var object = error.json.objectValue ?? JSONObject()
        object["status"] = JSON(self.status.code)
        json = .object(object)
    }

    /// - Parameter isRead: Whether the request writes nothing.
    init(_ failure: StorageFailure, isRead: Bool = false) {
        switch failure {
        case .full:
            self.init(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
                "The server's disk is full. Nothing was stored; try again when there is space.",
                headers: [.retryAfter: "60"]
            )
        case .busy where isRead, .incomplete where isRead, .unknown where isRead:
            self.init(
                .serviceUnavailable,
                "The server can't read its database at the moment. Try again later.",
                headers: [.retryAfter: "10"]
            )
        case .busy, .incomplete:
            self.init(
                .serviceUnavailable,
                "The server can't use its database at the moment. Nothing was stored; try again later.",
                headers: [.retryAfter: "10"]
            )
        case .unknown:
            self.init(
                .serviceUnavailable,
                "The database didn't confirm the write, so it may have been stored. Try again later; with an "
                    + "Idempotency-Key, a message is sent once all the same.",
                headers: [.retryAfter: "10"]
            )
        }
    }

    /// The same for a missing, a wrong and an expired key.
    static func unauthorized(realm: String) -> Problem {
        Problem(.unauthorized, validNeeded(realm), headers: [.wwwAuthenticate: "Bearer realm=\"\(realm)\""])
    }

    static func validNeeded(_ realm: String) -> String { "Send a valid \(realm) as Authorization: Bearer." }

    /// Returns the problem of a valid key without the scope (RFC 6750, section 3.1).
    static func missingScope(_ scope: Scope, pointer: JSONPointer? = nil) -> Problem {
        Problem(
            .forbidden,
            "This requires an API key with the scope \(scope.rawValue).",
            kind: .missingScope,
            pointer: pointer,
            headers: [
                .wwwAuthenticate: "Bearer realm=\"API key\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
            ]
        )
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.utf8)))
    }
}
