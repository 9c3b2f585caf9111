import Groundwork
import Hummingbird
import InboxService

/// The routes of webhooks, the URLs at which the app's backend receives events: `/v1/webhooks`.
struct WebhookRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access
    /// Whether webhooks may use addresses that aren't public.
    let allowsPrivate: Bool

    /// The maximum size of a request, in bytes.
    private static let maxSize = 65_536

    func add(to routes: Routes) {
        routes.route(
            "/v1/webhooks",
            [
                .get { request, _ in try await list(request) },
                .post { request, _ in try await add(request) },
            ]
        )
        routes.route(
            "/v1/webhooks/:id",
            [
                .get { request, context in try await webhook(context.parameters.require("id"), request) },
                .put { request, context in try await replace(context.parameters.require("id"), request) },
                .delete { request, context in try await remove(context.parameters.require("id"), request) },
            ]
        )
        routes.route(
            "/v1/webhooks/:id/rotate",
            [.action { request, context in try await rotate(context.parameters.require("id"), request) }]
        )
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let webhooks = try await storage.read { reading in try reading.webhooks() }
        let response: JSON = ["webhooks": .array(try webhooks.map { .object(try $0.json) })]
        return Response(json: response.utf8)
    }

    private func add(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let settings = try WebhookSettings(
            checking: try await request.json(upTo: Self.maxSize),
            allowsPrivate: allowsPrivate
        )
        do {
            let (webhook, secret) = try await writer.write { transaction in try transaction.addWebhook(settings) }
            var object = try webhook.json
            object.add("secret", .string(secret.text))
            return Response(.created, json: JSON.object(object).utf8)
        } catch is TooManyWebhooksError {
            throw Problem(
                .conflict,
                "The limit of \(TooManyWebhooksError.limit) webhooks is reached.",
                kind: .tooManyWebhooks
            )
        }
    }

    private func webhook(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let id = WebhookID(try Request.decoded(parameter))
        let webhook = try await storage.read { reading in try id.flatMap { try reading.webhook($0) } }
        guard let webhook else { throw Self.noSuchWebhook }
        return Response(json: JSON.object(try webhook.json).utf8)
    }

    private func replace(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        let id = WebhookID(try Request.decoded(parameter))
        let settings = try WebhookSettings(
            checking: try await request.json(upTo: Self.maxSize),
            allowsPrivate: allowsPrivate
        )
        let webhook = try await writer.write { transaction in
            try id.flatMap { try transaction.replaceWebhook($0, with: settings) }
        }
        guard let webhook else { throw Self.noSuchWebhook }
        return Response(json: JSON.object(try webhook.json).utf8)
    }

    private func rotate(_ parameter: String, _ request: Request) async throws -> Response {
        let key = try access.authorize(request, for: .webhooks).id
        let id = WebhookID(try Request.decoded(parameter))
        let secret = try await writer.write { transaction in
            try id.flatMap { id in
                let secret = try transaction.rotateSecret(of: id)
                let detail = JSONObject([("webhook", .string(id.text))])
                if secret != nil { try transaction.audit(.webhookSecretRotated, by: .key(key), detail: detail) }
                return secret
            }
        }
        guard let secret else { throw Self.noSuchWebhook }
        return Response(json: (["secret": .string(secret.text)] as JSON).utf8)
    }

    private func remove(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .webhooks)
        guard let id = WebhookID(try Request.decoded(parameter)),
            try await writer.write({ transaction in try transaction.removeWebhook(id) })
        else { throw Self.noSuchWebhook }
        return Response(status: .noContent)
    }

    static let noSuchWebhook = Problem(.notFound, "There is no webhook with that id.")
}
