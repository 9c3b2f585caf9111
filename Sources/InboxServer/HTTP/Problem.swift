import Groundwork
import Hummingbird
import JMAP

/// A request that isn't answered as asked, as a problem document (RFC 7807). Says nothing of what was sent but where it is wrong.
struct Problem: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    let json: JSON
    var headers: HTTPFields = [:]

    /// - Parameters:
    ///   - detail: What is wrong and how to mend it.
    ///   - pointer: The part of the request's body that it is about.
    init(_ status: HTTPResponse.Status, _ detail: String, pointer: JSONPointer? = nil, headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
        var object = JSONObject([
            ("type", "about:blank"), ("title", .string(status.reasonPhrase)), ("status", JSON(status.code)),
            ("detail", .string(detail)),
        ])
        object["pointer"] = pointer.map { .string($0.description) }
        json = .object(object)
    }

    init(_ error: JSONValueError) {
        self.init(.badRequest, "The request's \(error.description).", pointer: error.pointer)
    }

    init(_ error: JSONSyntaxError) {
        self.init(.badRequest, "The body isn't JSON: \(error.description).")
    }

    init(_ error: RequestError) {
        status = .badRequest
        json = error.json
    }

    /// Neither tells whether there was no key, or a wrong one, or one that has expired.
    static func unauthorized(realm: String) -> Problem {
        Problem(
            .unauthorized,
            "Send a valid \(realm) as Authorization: Bearer.",
            headers: [.wwwAuthenticate: "Bearer realm=\"\(realm)\""]
        )
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.utf8)))
    }
}
