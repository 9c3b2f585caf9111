import Groundwork
import Hummingbird
import InboxService

/// The routes of events that couldn't be delivered to a webhook: `/v1/webhooks/{id}/dead-letters`.
struct DeadLetterRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access

    func add(to routes: Routes) {
        routes.route(
            "/v1/webhooks/:id/dead-letters",
            [.list { request, context in try await list(context.parameters.require("id"), request) }]
        )
        routes.route(
            "/v1/webhooks/:id/dead-letters/:event",
            [.delete { request, context in try await drop(context, request) }]
        )
        routes.route(
            "/v1/webhooks/:id/dead-letters/:event/retry",
            [.action { request, context in try await retry(context, request) }]
        )
    }

    private func list(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let id = WebhookID(try Request.decoded(parameter))
        let page = try DeadLetterPage(request)
        let letters = try await storage.read { reading -> (letters: [DeadLetter], next: Int?)? in
            guard let id, try reading.webhook(id) != nil else { return nil }
            return try reading.deadLetters(of: id, after: page.after, limit: page.limit)
        }
        guard let letters else { throw WebhookRoutes.noSuchWebhook }
        var response = JSONObject([("deadLetters", .array(try letters.letters.map { try $0.json }))])
        response["next"] = letters.next.map { .string(String($0)) }
        return Response(json: JSON.object(response).utf8)
    }

    private func retry(_ context: InboxRequestContext, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let (id, event) = try Self.parameters(context)
        guard let id, try await writer.write({ transaction in try transaction.retryDeadLetter(event, of: id) }) else {
            throw Self.noSuchLetter
        }
        return Response(status: .accepted)
    }

    private func drop(_ context: InboxRequestContext, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let (id, event) = try Self.parameters(context)
        guard let id, try await writer.write({ transaction in try transaction.dropDeadLetter(event, of: id) }) else {
            throw Self.noSuchLetter
        }
        return Response(status: .noContent)
    }

    private static func parameters(_ context: InboxRequestContext) throws -> (WebhookID?, String) {
        (
            WebhookID(try Request.decoded(context.parameters.require("id"))),
            try Request.decoded(context.parameters.require("event"))
        )
    }

    private static let noSuchLetter = Problem(.notFound, "There is no dead letter with that id, or no such webhook.")
}

/// The page of a list that a request selects.
struct DeadLetterPage: Sendable {
    /// The `next` of the previous page, or 0 for the first page.
    let after: Int
    let limit: Int

    /// The number of dead letters that a page may have.
    static let limitRange = 1...100
    static let defaultLimit = 50

    /// - Throws: ``Problem`` 400 for an invalid or unknown parameter.
    init(_ request: Request) throws {
        let query = try QueryParameters(request, allowed: ["limit", "after"])
        // Numbers of up to 18 digits, as in the OpenAPI document.
        after = try query.int("after", in: 1...999_999_999_999_999_999) ?? 0
        limit = try query.int("limit", in: Self.limitRange) ?? Self.defaultLimit
    }
}
