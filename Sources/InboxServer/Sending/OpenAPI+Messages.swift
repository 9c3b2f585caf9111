import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of messages.
extension OpenAPI {
    /// A message's id: 63 bits in Crockford's base 32.
    static let messageID: JSON = ["type": "string", "pattern": "^m[0-7][0-9a-hjkmnp-tv-z]{12}$"]
    private static let name: JSON = [
        "type": "string", "minLength": 1, "maxLength": JSON(MessageLimits.name), "pattern": #"^[^\u0000]*$"#,
    ]

    /// The pattern of a link after its scheme. It has no choice between single and encoded characters: from one that
    /// repeats, generators of test data make no link of a given length, such as the limit.
    static let linkCharacters: String = {
        let characters = "[A-Za-z0-9._~/?@!$&'()*+,;=-]*"
        return "\(characters)(?:%[0-9A-Fa-f]{2}\(characters))*"
    }()

    private static let webAddress: JSON = [
        "type": "string", "maxLength": JSON(MessageLimits.url),
        "pattern": .string("^[hH][tT][tT][pP][sS]?://[A-Za-z0-9]+(?:\\.[A-Za-z0-9]+)*(?:[/?]\(linkCharacters))?$"),
    ]

    /// A URL whose scheme isn't forbidden, in any spelling, or the empty string.
    private static let link: JSON = {
        let forbidden = LinkScheme.forbidden.sorted().map { scheme in
            scheme.map { $0 == "-" ? "-" : "[\($0)\($0.uppercased())]" }.joined()
        }
        let pattern = """
            ^(?:|[hH][tT][tT][pP][sS]?://[A-Za-z0-9]+\(linkCharacters)|\
            (?!(?:\(forbidden.joined(separator: "|"))|[hH][tT][tT][pP][sS]?):)\
            [A-Za-z][A-Za-z0-9+.-]*:\(linkCharacters))$
            """
        return ["type": "string", "maxLength": JSON(MessageLimits.url), "pattern": .string(pattern)]
    }()

    private static let label: JSON = {
        func escaped(_ scalar: UInt32) -> String {
            let digits = String(scalar, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let invisible = String.invisibleCharacters.map { escaped($0.lowerBound) + "-" + escaped($0.upperBound) }
        var label = text(MessageLimits.actionText, "The label. It has a visible character.").objectValue ?? JSONObject()
        label.add("pattern", .string("[^\(invisible.joined())]"))
        return .object(label)
    }()

    private static let action = object(
        [
            ("id", optional(name)), ("text", label),
            ("type", optional(text(MessageLimits.name))), ("value", optional(text(MessageLimits.actionValue))),
            ("link", optional(link)), ("actionType", optional(text(MessageLimits.name))),
        ],
        required: ["text"]
    )

    static let media: JSON = {
        let sources = ["url", "bundle", "icon"]
        var media =
            object([
                ("url", optional(webAddress)), ("darkUrl", optional(webAddress)), ("bundle", optional(name)),
                ("darkBundle", optional(name)), ("icon", optional(name)),
                ("alt", optional(text(MessageLimits.alternativeText))),
                ("width", optional(integer(MessageLimits.pixels))), ("height", optional(integer(MessageLimits.pixels))),
            ]).objectValue ?? JSONObject()
        media.add(
            "anyOf",
            .array(
                sources.map { source in
                    ["required": [.string(source)], "properties": .object(JSONObject([(source, ["type": "string"])]))]
                }
            )
        )
        return .object(media)
    }()

    private static let additionalData: JSON = [
        "type": "object", "maxProperties": JSON(MessageLimits.additionalDataPairs),
        "propertyNames": ["maxLength": JSON(MessageLimits.additionalDataKey)],
        "additionalProperties": text(MessageLimits.additionalDataValue),
    ]

    /// Returns the schema of a field that a sender sets, as ``MessageContent`` accepts it.
    static func schema(of field: MessageField) -> JSON {
        switch field {
        case .title: text(MessageLimits.title, "The headline.")
        case .body: text(MessageLimits.body, "The text.")
        case .html: text(MessageLimits.html, "The message as HTML, which is sanitized before it is displayed.")
        case .media: media
        case .actions: array(action, 0...MessageLimits.actions)
        case .priority: integer(MessageLimits.priority)
        case .pinned: ["type": "boolean"]
        case .additionalData: additionalData
        case .deliverAt, .expiresAt, .seenAt, .readAt, .archivedAt, .snoozedUntil, .deletedAt: date
        case .id: messageID
        case .link: link
        case .dismissButton:
            [
                "type": "string",
                "pattern": .string("^(?:\(DismissButton.known.map(\.rawValue).joined(separator: "|")))$"),
            ]
        case .surface: plain(1...MessageLimits.name)
        case .templateId, .category, .groupKey, .consentCategory, .campaignId: name
        }
    }

    private static let message: JSON = {
        let fields = MessageField.sendable.map { ($0.rawValue, optional(schema(of: $0))) }
        var message = object(fields).objectValue ?? JSONObject()
        func filled(_ field: MessageField) -> JSON {
            let schema: JSON = field == .media ? ["type": "object"] : ["type": "string", "minLength": 1]
            return [
                "required": [.string(field.rawValue)], "properties": .object(JSONObject([(field.rawValue, schema)])),
            ]
        }
        message.add("anyOf", .array([.title, .body, .html, .media].map(filled)))
        message.add(
            "description",
            "Documentation/Messages.md describes each field. expiresAt has to be later than now."
        )
        return .object(message)
    }()

    private static let storedMessage: JSON = {
        let fields = ([.id] + MessageField.sendable).map { ($0.rawValue, schema(of: $0)) }
        let own: [(String, JSON)] = [
            ("audience", ["enum": ["people", "everyone"]]), ("recipients", ["type": "integer", "minimum": 1]),
            ("newPeople", newPeople), ("createdAt", date), ("state", state),
        ]
        return object(
            fields + own,
            required: ["id", "surface", "deliverAt", "createdAt", "state", "audience"]
        )
    }()

    /// The stage of a message: scheduled, in the inboxes, or past.
    private static let state: JSON = [
        "type": "string", "enum": JSON(MessageStage.allCases.map(\.sentName)),
    ]

    /// A merge patch. Each field may be removed, and an object may be given in part.
    private static let messagePatch: JSON = object(
        MessageField.sendable.map { field in
            switch field {
            case .media:
                // The merged value must be complete, not the patch.
                let members = media["properties"]?.objectValue?.members ?? []
                return (field.rawValue, optional(object(members.map { ($0.name, $0.value) })))
            case .additionalData:
                var pairs = additionalData.objectValue ?? JSONObject()
                pairs["additionalProperties"] = optional(text(MessageLimits.additionalDataValue))
                return (field.rawValue, optional(.object(pairs)))
            default: return (field.rawValue, optional(schema(of: field)))
            }
        }
    )

    private static let newPeople: JSON = [
        "type": "boolean", "default": true,
        "description": "Whether people who become known to the server after the delivery receive it too.",
    ]

    private static let audience: JSON = [
        "oneOf": [
            object([("person", person)], required: ["person"]),
            object([("people", array(person, 1...OutgoingMessage.maxRecipients))], required: ["people"]),
            object([("everyone", ["const": true]), ("newPeople", newPeople)], required: ["everyone"]),
        ]
    ]

    static let messageSchemas: [(String, JSON)] = [
        ("Message", message),
        ("StoredMessage", storedMessage),
        (
            "OutgoingMessage",
            object([("to", audience), ("message", reference("Message"))], required: ["to", "message"])
        ),
        ("OutgoingMessages", array(reference("OutgoingMessage"), 1...OutgoingMessages.limit)),
        (
            "SentMessage",
            object(
                [("id", messageID), ("deliverAt", date), ("recipients", ["type": "integer", "minimum": 1])],
                required: ["id", "deliverAt"]
            )
        ),
        ("Sent", ["oneOf": [reference("SentMessage"), array(reference("SentMessage"))]]),
        ("MessageEdit", object([("message", reference("Message"))], required: ["message"])),
        ("MessagePatch", object([("message", messagePatch)], required: ["message"])),
        (
            "StoredMessages",
            object([("messages", array(reference("StoredMessage"))), ("next", messageID)], required: ["messages"])
        ),
    ]

    private static let idempotencyKey: JSON = [
        "name": "Idempotency-Key", "in": "header", "schema": ["type": "string", "pattern": #"^[\x21-\x7e]{1,255}$"#],
        "description": .string(
            """
            Identifies the request: a repeat within 24 hours gets the same response and sends nothing. It is stored as \
            it is for that time, also if a person is erased meanwhile: it must not name a person. The body's bytes \
            count: another order of members is another body, 409. While the first request runs, a repeat is 409 with \
            Retry-After.
            """
        ),
    ]

    static let messageOperations = [
        Operation(
            method: .get,
            path: "/v1/messages",
            id: "listMessages",
            summary: "List the sent messages, newest first, without recalled ones",
            scope: .messages,
            parameters: [
                query("campaign", name, "Only messages with this `campaignId`."),
                query("state", state, "Only messages in this state."),
                query("since", date, "The earliest `createdAt`, inclusive."),
                query("until", date, "The latest `createdAt`, exclusive."),
            ] + page(after: messageID, limitRange: SizedPage.limitRange, defaultLimit: SizedPage.defaultLimit),
            successes: [
                Success(
                    200,
                    "A page, smaller than requested if messages are large. `next` is present if there is more.",
                    "StoredMessages"
                )
            ]
        ),
        Operation(
            method: .post,
            path: "/v1/messages",
            id: "sendMessages",
            summary: "Send a message, or an array of up to \(OutgoingMessages.limit): all or none",
            scope: .messages,
            parameters: [idempotencyKey],
            body: body(["anyOf": [reference("OutgoingMessage"), reference("OutgoingMessages")]]),
            successes: [Success(201, "The messages are durable. The results of an array are in its order.", "Sent")],
            failures: [.conflict]
        ),
        Operation(
            method: .get,
            path: "/v1/messages/{id}",
            id: "readMessage",
            summary: "Read a message as its sender sees it",
            scope: .messages,
            parameters: [path("id", messageID)],
            successes: [Success(200, "The message.", "StoredMessage")]
        ),
        Operation(
            method: .put,
            path: "/v1/messages/{id}",
            id: "editMessage",
            summary: "Replace a message's content on every device",
            scope: .messages,
            parameters: [path("id", messageID)],
            body: body(reference("MessageEdit")),
            successes: [Success(200, "The updated message.", "StoredMessage")],
            failures: [.conflict]
        ),
        Operation(
            method: .patch,
            path: "/v1/messages/{id}",
            id: "patchMessage",
            summary: "Change a part of a message's content on every device: a JSON merge patch (RFC 7396)",
            scope: .messages,
            parameters: [path("id", messageID)],
            body: patch(reference("MessagePatch")),
            successes: [Success(200, "The updated message.", "StoredMessage")],
            failures: [.conflict]
        ),
        Operation(
            method: .delete,
            path: "/v1/messages/{id}",
            id: "recallMessage",
            summary: "Recall a message from every device",
            scope: .messages,
            parameters: [path("id", messageID)],
            successes: [Success(204, "The message was recalled.")]
        ),
    ]
}
