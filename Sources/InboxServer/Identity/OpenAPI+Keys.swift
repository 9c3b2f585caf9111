import Groundwork
import InboxService

/// The schemas and operations of API keys and the signing key.
extension OpenAPI {
    private static let keyID: JSON = ["type": "string", "pattern": "^k[1-9][0-9]{0,17}$"]
    private static let scopes: JSON = [
        "type": "array", "minItems": 1, "uniqueItems": true, "items": ["enum": JSON(Scope.allCases.map(\.rawValue))],
    ]

    private static let keyFields: [(String, JSON)] = [
        ("id", keyID), ("name", plain(NewAPIKey.nameLengths)), ("scopes", scopes), ("createdAt", date),
        ("expiresAt", date), ("lastUsedAt", date), ("revokedAt", date),
    ]
    private static let requiredKeyFields = ["id", "name", "scopes", "createdAt"]

    static let keySchemas: [(String, JSON)] = [
        (
            "KeyRequest",
            object(
                [("name", plain(NewAPIKey.nameLengths)), ("scopes", scopes), ("expiresAt", optional(date))],
                required: ["name", "scopes"]
            )
        ),
        ("Key", object(keyFields, required: requiredKeyFields)),
        (
            "NewKey",
            object(
                keyFields + [("key", ["type": "string", "description": "The key, which is shown only once."])],
                required: requiredKeyFields + ["key"]
            )
        ),
        ("Keys", object([("keys", array(reference("Key"))), ("next", keyID)], required: ["keys"])),
        ("SigningKeyRotation", object([("endTokens", optional(["type": "boolean", "default": false]))])),
        (
            "RotatedSigningKey",
            object([("rotatedAt", date), ("formerEndsAt", date)], required: ["rotatedAt", "formerEndsAt"])
        ),
    ]

    static let keyOperations = [
        Operation(
            method: .get,
            path: "/v1/keys",
            id: "listKeys",
            summary: "List the API keys, oldest first, including revoked ones, without their secrets",
            scope: .keys,
            parameters: page(after: keyID),
            successes: [.page("Keys")]
        ),
        Operation(
            method: .post,
            path: "/v1/keys",
            id: "makeKey",
            summary: "Create an API key with a subset of this key's scopes",
            scope: .keys,
            body: body(reference("KeyRequest")),
            successes: [Success(201, "The key, which is shown only once.", "NewKey")],
            failures: [.conflict]
        ),
        Operation(
            method: .delete,
            path: "/v1/keys/{id}",
            id: "revokeKey",
            summary:
                """
                Revoke an API key with a subset of this key's scopes, except the last permanent key that can create \
                keys
                """,
            scope: .keys,
            parameters: [path("id", keyID)],
            successes: [Success(204, "The key was revoked.")],
            failures: [.conflict]
        ),
        Operation(
            method: .post,
            path: "/v1/signing-key/rotate",
            id: "rotateSigningKey",
            summary: "Sign people's tokens with a new key. The former one stays valid until its last token expires",
            scope: .keys,
            body: body(reference("SigningKeyRotation"), isRequired: false),
            successes: [Success(200, "The time at which the former key expires.", "RotatedSigningKey")],
            failures: [.conflict]
        ),
    ]
}
