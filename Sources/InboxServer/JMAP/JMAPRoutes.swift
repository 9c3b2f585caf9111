import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService
import JMAP
import Logging
import NIOCore

/// The routes of a person's devices: the JMAP session, the API and the event source.
struct JMAPRoutes: Sendable {
    private let access: PersonAccess
    private let api: JMAPEndpoint
    private let eventSource: EventSource
    private let baseURL: BaseURL
    private let requestReads: RequestReads
    private let requests: ConcurrencyLimit

    init(
        access: PersonAccess,
        api: JMAPEndpoint,
        requestReads: RequestReads,
        eventSource: EventSource,
        baseURL: BaseURL
    ) {
        self.access = access
        self.api = api
        self.eventSource = eventSource
        self.baseURL = baseURL
        self.requestReads = requestReads
        requests = ConcurrencyLimit("maxConcurrentRequests", api.core.maxConcurrentRequests)
    }

    func add(to routes: Routes) {
        routes.route("/.well-known/jmap", [.get { request, _ in try await session(request) }])
        routes.route("/jmap/api", [.post { request, context in try await call(request, context) }])
        routes.route("/jmap/eventsource", [.getStream { request, context in try await listen(request, context) }])
    }

    private func session(_ request: Request) async throws -> Response {
        let session = api.session(of: try await access.person(of: request), base: baseURL.text(for: request))
        return Response(json: session.json.utf8, cacheControl: "no-cache, no-store, must-revalidate")
    }

    private func call(_ request: Request, _ context: InboxRequestContext) async throws -> Response {
        let person = try await access.person(of: request)
        guard request.isJSON else {
            throw Problem(RequestError.notJSON("The Content-Type has to be application/json, in UTF-8."))
        }
        try request.checkContentEncoding()
        return try await requests.run(for: person) {
            try await requestReads.run(for: person, on: context.channel) { reads, share in
                try await answer(request, reads, share, context)
            }
        }
    }

    private func answer(
        _ request: Request,
        _ reads: PersonReads,
        _ share: ByteShare,
        _ context: InboxRequestContext
    ) async throws -> Response {
        // Counted before the body is in memory. A body of unknown length counts as the largest one.
        let size = request.headers[.contentLength].flatMap { Int($0) } ?? api.core.maxSizeRequest
        guard share.add(max(0, min(size, api.core.maxSizeRequest))) else {
            let detail = "A person's concurrent requests may use at most \(share.limit) bytes. Retry in a moment."
            throw Problem(RequestError.limit("maxConcurrentSize", detail: detail), headers: [.retryAfter: "1"])
        }
        let bytes: [UInt8]
        do {
            bytes = try await request.bytes(upTo: api.core.maxSizeRequest)
        } catch let problem as Problem where problem.status == .contentTooLarge {
            let detail = "The body has more than \(api.core.maxSizeRequest) bytes."
            throw Problem(RequestError.limit("maxSizeRequest", detail: detail))
        }
        do {
            let response = try await api.respond(to: bytes, reading: reads, logger: context.logger)
            return Response(json: response, holding: share, on: context.channel)
        } catch let error as RequestError {
            throw Problem(error)
        } catch let error as BudgetError {
            throw Problem(error)
        }
    }

    @concurrent
    private func listen(_ request: Request, _ context: InboxRequestContext) async throws -> Response {
        let signedIn = try await access.signedIn(request)
        let lease = access.lease(of: signedIn)
        let stream = try await eventSource.stream(for: request, from: signedIn.person, lease: lease)
        return eventSource.response(of: stream, on: context.channel)
    }
}
