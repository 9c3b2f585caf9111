import Foundation
import Groundwork
import Hummingbird
import InboxModel
import JMAP
import Logging

/// What a person's devices talk to: the JMAP session, the API and the event source.
struct JMAPRoutes: Sendable {
    let people: People
    let tokens: Tokens
    let api: JMAPEndpoint
    let eventSource: EventSource
    let baseURL: BaseURL

    func add(to router: Router<BasicRequestContext>) {
        router.route("/.well-known/jmap", [(.get, { request, _ in try await session(request) })])
        router.route("/jmap/api", [(.post, { request, context in try await call(request, context.logger) })])
        router.route("/jmap/eventsource", [(.get, { request, _ in try await listen(request) })])
        router.route("/jmap/upload/:account", [(.post, { request, _ in try await refuseBlobs(request) })])
        router.route(
            "/jmap/download/:account/:blob/:name",
            [(.get, { request, _ in try await refuseBlobs(request) })]
        )
    }

    private func session(_ request: Request) async throws -> Response {
        let session = api.session(of: try await authenticate(request), base: baseURL.text(for: request))
        return Response(json: session.json.utf8, cacheControl: "no-cache, no-store, must-revalidate")
    }

    private func call(_ request: Request, _ logger: Logger) async throws -> Response {
        let person = try await authenticate(request)
        guard request.isJSON else {
            throw Problem(RequestError.notJSON("The Content-Type has to be application/json."))
        }
        let bytes: [UInt8]
        do {
            bytes = try await request.bytes(upTo: api.core.maxSizeRequest)
        } catch let problem as Problem where problem.status == .contentTooLarge {
            let detail = "The body has more than \(api.core.maxSizeRequest) bytes."
            throw Problem(RequestError.limit("maxSizeRequest", detail: detail))
        }
        do {
            return Response(json: try await api.respond(to: bytes, from: person, logger: logger))
        } catch let error as RequestError {
            throw Problem(error)
        }
    }

    private func listen(_ request: Request) async throws -> Response {
        try await eventSource.respond(to: request, from: try await authenticate(request))
    }

    private func refuseBlobs(_ request: Request) async throws -> Response {
        _ = try await authenticate(request)
        throw Problem(.notImplemented, "This server keeps no files.")
    }

    private func authenticate(_ request: Request) async throws -> Person {
        guard let token = request.bearer, let verified = await tokens.verify(token) else {
            throw Problem.unauthorized(realm: "person's token")
        }
        return try await people.person(named: verified.person)
    }
}
