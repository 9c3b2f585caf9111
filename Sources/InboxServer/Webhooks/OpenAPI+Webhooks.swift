import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of webhooks and their dead letters.
extension OpenAPI {
    private static let webhookID: JSON = ["type": "string", "pattern": "^w[1-9][0-9]{0,17}$"]
    private static let payloadID: JSON = ["type": "string", "pattern": "^m[0-9a-hjkmnp-tv-z]{25}$"]
    private static let cursor: JSON = ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]
    private static let secret: JSON = ["type": "string", "pattern": "^whsec_[A-Za-z0-9+/]+={0,2}$"]

    /// The URL of a receiver: https, or http to the server's own machine if private addresses are allowed.
    private static let address: JSON = {
        let label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
        let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
        let own = "(?:localhost|127(?:\\.\(octet)){3}|\\[::1\\])"
        let port = """
            (?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?
            """
        let pattern = """
            ^(?:[hH][tT][tT][pP][sS]://\(label)(?:\\.\(label))*|[hH][tT][tT][pP]://\(own))\(port)\
            (?:[/?]\(linkCharacters))?$
            """
        return [
            "type": "string", "maxLength": JSON(WebhookSettings.maxURL), "pattern": .string(pattern),
            "description":
                """
            Private and loopback addresses require --webhook-allow-private. http is allowed only for the server's \
            own machine.
            """,
        ]
    }()

    private static let types: JSON = {
        let fixed = (WebhookType.patterns + WebhookType.changes).map { name in
            name.replacing(".", with: "\\.").replacing("*", with: "\\*")
        }
        let pattern = "^(?:\(fixed.joined(separator: "|"))|event\\.[A-Za-z][A-Za-z0-9_.-]{0,\(EventLimits.type - 1)})$"
        return array(["type": "string", "pattern": .string(pattern)], WebhookSettings.typeCounts)
    }()

    private static let webhookFields: [(String, JSON)] = [
        ("id", webhookID), ("url", address), ("types", types), ("enabled", ["type": "boolean"]),
        ("gone", ["type": "boolean", "description": "Whether the receiver ended the webhook with 410."]),
        ("createdAt", date), ("pending", ["type": "integer", "minimum": 0]),
        ("deadLetters", integer(0...OutboxLimits.dead)),
    ]
    private static let requiredWebhookFields = webhookFields.map(\.0)

    private static let deadLetter = object(
        [
            ("id", payloadID), ("type", ["type": "string"]), ("createdAt", date), ("diedAt", date),
            ("attempts", integer(0...DeliveryMachine.attempts)), ("reason", ["type": "string"]),
            ("payload", ["type": "object", "description": "The payload as it would have been sent."]),
        ],
        required: ["id", "type", "createdAt", "diedAt", "attempts", "reason", "payload"]
    )

    static let webhookSchemas: [(String, JSON)] = [
        (
            "WebhookRequest",
            object(
                [("url", address), ("types", types), ("enabled", optional(["type": "boolean", "default": true]))],
                required: ["url", "types"]
            )
        ),
        ("Webhook", object(webhookFields, required: requiredWebhookFields)),
        ("NewWebhook", object(webhookFields + [("secret", secret)], required: requiredWebhookFields + ["secret"])),
        ("Webhooks", object([("webhooks", array(reference("Webhook")))], required: ["webhooks"])),
        ("WebhookSecret", object([("secret", secret)], required: ["secret"])),
        ("DeadLetters", object([("deadLetters", array(deadLetter)), ("next", cursor)], required: ["deadLetters"])),
    ]

    static let webhookOperations =
        [
            Operation(
                method: .get,
                path: "/v1/webhooks",
                id: "listWebhooks",
                summary: "List all webhooks, oldest first. There are at most \(TooManyWebhooksError.limit)",
                scope: .webhooks,
                successes: [Success(200, "All webhooks.", "Webhooks")]
            ),
            Operation(
                method: .post,
                path: "/v1/webhooks",
                id: "makeWebhook",
                summary: "Create a webhook, a URL that receives people's events",
                scope: .webhooks,
                body: body(reference("WebhookRequest")),
                successes: [Success(201, "The webhook with its secret, which is shown only once.", "NewWebhook")],
                failures: [.conflict]
            ),
            Operation(
                method: .get,
                path: "/v1/webhooks/{id}",
                id: "readWebhook",
                summary: "Read a webhook and the number of its pending payloads",
                scope: .webhooks,
                parameters: [path("id", webhookID)],
                successes: [Success(200, "The webhook.", "Webhook")]
            ),
            Operation(
                method: .put,
                path: "/v1/webhooks/{id}",
                id: "putWebhook",
                summary: "Replace a webhook's settings. Pending payloads go to the new URL",
                scope: .webhooks,
                parameters: [path("id", webhookID)],
                body: body(reference("WebhookRequest")),
                successes: [Success(200, "The updated webhook.", "Webhook")]
            ),
            Operation(
                method: .delete,
                path: "/v1/webhooks/{id}",
                id: "removeWebhook",
                summary: "Remove a webhook, with all its undelivered events",
                scope: .webhooks,
                parameters: [path("id", webhookID)],
                successes: [Success(204, "The webhook was removed.")]
            ),
            Operation(
                method: .post,
                path: "/v1/webhooks/{id}/rotate",
                id: "rotateWebhookSecret",
                summary: "Rotate a webhook's secret. The previous one also signs for a day",
                scope: .webhooks,
                parameters: [path("id", webhookID)],
                successes: [Success(200, "The secret, which is shown only once.", "WebhookSecret")]
            ),
        ] + deadLetterOperations

    private static let deadLetterOperations = [
        Operation(
            method: .get,
            path: "/v1/webhooks/{id}/dead-letters",
            id: "listDeadLetters",
            summary: "List the dead letters, oldest first",
            scope: .webhooks,
            parameters: [path("id", webhookID)]
                + page(after: cursor, limitRange: DeadLetterPage.limitRange, defaultLimit: DeadLetterPage.defaultLimit),
            successes: [.page("DeadLetters")]
        ),
        Operation(
            method: .delete,
            path: "/v1/webhooks/{id}/dead-letters/{event}",
            id: "dropDeadLetter",
            summary: "Delete a dead letter",
            scope: .webhooks,
            parameters: [path("id", webhookID), path("event", payloadID)],
            successes: [Success(204, "The dead letter was deleted.")]
        ),
        Operation(
            method: .post,
            path: "/v1/webhooks/{id}/dead-letters/{event}/retry",
            id: "retryDeadLetter",
            summary: "Retry a dead letter from the first attempt",
            scope: .webhooks,
            parameters: [path("id", webhookID), path("event", payloadID)],
            successes: [Success(202, "The delivery is retried.")]
        ),
    ]
}
