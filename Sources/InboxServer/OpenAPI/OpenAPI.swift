import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The description of the REST API as an OpenAPI 3.1 document, generated from the constants that the server enforces.
enum OpenAPI {
    static var document: JSON {
        var paths = JSONObject()
        for operation in operations {
            var path = paths[operation.path]?.objectValue ?? JSONObject()
            path.add(operation.method.rawValue, operation.json)
            paths[operation.path] = .object(path)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "swift-inbox", "version": "1", "description": .string(introduction),
                "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "key": [
                        "type": "http", "scheme": "bearer",
                        "description": "An API key. Each operation requires a scope.",
                    ]
                ],
                "responses": .object(Failure.responses),
                "schemas": .object(
                    JSONObject(
                        messageSchemas + analyticsSchemas + importSchemas + peopleSchemas + personMessageSchemas
                            + keySchemas + auditSchemas + surfaceSchemas + webhookSchemas + commonSchemas
                    )
                ),
            ],
        ]
    }

    static let operations =
        messageOperations + analyticsOperations + importOperations + peopleOperations + personMessageOperations
        + keyOperations + auditOperations + surfaceOperations + webhookOperations + systemOperations

    private static let introduction = """
        The API with which an app's backend sends messages and manages people. An unknown field or parameter, a wrong \
        type or a value beyond its limit is rejected with a problem document (RFC 9457), whose `pointer` locates the \
        error. In a request, an optional field that is null counts as omitted. Limits of texts are in bytes of UTF-8, \
        although `maxLength` counts characters. An unsupported method of a URL gets 405.
        """
}

extension OpenAPI {
    /// One method of one path.
    struct Operation: Sendable {
        enum Method: String { case get, put, post, patch, delete }

        let method: Method
        let path: String
        let id: String
        let summary: String
        /// The scope that the API key must have, or nil if no key is required.
        let scope: Scope?
        var parameters: [JSON] = []
        var body: JSON?
        let successes: [Success]
        /// The failures besides those that follow from the scope, the path, the body and the method.
        var failures: [Failure] = []
        /// The failures that would follow, and that the operation doesn't have.
        var excluding: [Failure] = []

        var json: JSON {
            var object = JSONObject([
                ("operationId", .string(id)), ("summary", .string(summary)),
                ("security", scope.map { [["key": [.string($0.rawValue)]]] } ?? []),
            ])
            if !parameters.isEmpty { object.add("parameters", .array(parameters)) }
            object["requestBody"] = body
            var responses = JSONObject(successes.map { (String($0.status), $0.json) })
            for failure in allFailures {
                responses.add(String(failure.status), ["$ref": .string("#/components/responses/\(failure.rawValue)")])
            }
            object.add("responses", .object(responses))
            return .object(object)
        }

        private var allFailures: [Failure] {
            var all: [Failure] = []
            if scope != nil { all += [.badRequest, .unauthorized, .forbidden, .tooManyRequests, .unavailable] }
            if path.contains("{") { all.append(.notFound) }
            if body != nil { all += [.contentTooLarge, .unsupportedMediaType] }
            if scope != nil, method != .get { all.append(.insufficientStorage) }
            return (all + failures).filter { !excluding.contains($0) }
        }
    }

    /// A response of an operation that succeeds.
    struct Success: Sendable {
        let status: Int
        let description: String
        /// The name of the response's schema, or nil if it has no content.
        let schema: String?
        let type: String
        /// Whether the response has an `ETag` header.
        let isTagged: Bool

        init(
            _ status: Int,
            _ description: String,
            _ schema: String? = nil,
            type: String = "application/json",
            isTagged: Bool = false
        ) {
            (self.status, self.description, self.schema) = (status, description, schema)
            (self.type, self.isTagged) = (type, isTagged)
        }

        /// Returns the response of a list in pages.
        static func page(_ schema: String) -> Success {
            Success(200, "A page. `next` is present if there is more.", schema)
        }

        var json: JSON {
            var object = JSONObject([("description", .string(description))])
            if isTagged { object.add("headers", ["ETag": ["required": true, "schema": ["type": "string"]]]) }
            if let schema {
                let content: JSON = ["schema": OpenAPI.reference(schema)]
                object.add("content", .object(JSONObject([(type, content)])))
            }
            return .object(object)
        }
    }

    /// A response of an operation that fails: a problem document.
    enum Failure: String, CaseIterable, Sendable {
        case badRequest, unauthorized, forbidden, notFound, conflict, preconditionFailed, contentTooLarge,
            unsupportedMediaType, tooManyRequests, unavailable, insufficientStorage

        var status: Int {
            switch self {
            case .badRequest: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .notFound: 404
            case .conflict: 409
            case .preconditionFailed: 412
            case .contentTooLarge: 413
            case .unsupportedMediaType: 415
            case .tooManyRequests: 429
            case .unavailable: 503
            case .insufficientStorage: 507
            }
        }

        private var description: String {
            switch self {
            case .badRequest: "The request is invalid; `pointer` locates the error in the body."
            case .unauthorized: "The API key is missing, invalid, revoked or expired."
            case .forbidden: "The API key doesn't have the scope."
            case .notFound: "The resource doesn't exist."
            case .conflict: "The current state doesn't allow the request; `type` names the reason."
            case .preconditionFailed: "The current ETag doesn't match If-Match, or matches If-None-Match."
            case .contentTooLarge: "The body is too large."
            case .unsupportedMediaType:
                """
                The Content-Type isn't application/json or, for a PATCH, application/merge-patch+json, in UTF-8, or \
                there is a Content-Encoding other than identity.
                """
            case .tooManyRequests: "Too many requests with invalid API keys came from this address."
            case .unavailable: "The server can't use its database at the moment. Nothing was stored; try again later."
            case .insufficientStorage: "The server's disk is full. Nothing was stored; try again when there is space."
            }
        }

        static var responses: JSONObject {
            JSONObject(
                allCases.map { failure in
                    var response = JSONObject([
                        ("description", .string(failure.description)),
                        ("content", ["application/problem+json": ["schema": OpenAPI.reference("Problem")]]),
                    ])
                    if [.tooManyRequests, .unavailable, .insufficientStorage].contains(failure) {
                        let seconds: JSON = ["type": "string", "pattern": "^[0-9]+$"]
                        response.add(
                            "headers",
                            ["Retry-After": ["required": true, "description": "In seconds.", "schema": seconds]]
                        )
                    }
                    if failure == .unauthorized || failure == .forbidden {
                        response.add("headers", ["WWW-Authenticate": ["required": true, "schema": ["type": "string"]]])
                    }
                    return (failure.rawValue, .object(response))
                }
            )
        }
    }
}

/// The description of the REST API: `/openapi.json`.
struct OpenAPIRoutes: Sendable {
    private let document = OpenAPI.document.utf8

    func add(to routes: Routes) {
        routes.route("/openapi.json", [.get { _, _ in Response(json: document, cacheControl: "no-cache") }])
    }
}
