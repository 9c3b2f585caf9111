import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of a person's inbox, as the app's backend may read and change it.
extension OpenAPI {
    private static let personMessage: JSON = {
        let fields = ([.id] + MessageField.sendable).map { ($0.rawValue, schema(of: $0)) }
        let dates = MessageField.personal.map { ($0.rawValue, optional(date)) }
        let own: [(String, JSON)] = [
            ("audience", ["enum": ["people", "everyone"]])
        ]
        return object(fields + own + dates, required: ["id", "surface", "deliverAt", "audience"])
    }()

    private static let mark: JSON = [
        "anyOf": [date, ["const": .string(BackendDateChanges.now)], ["type": "null"]],
        "description": "now is the time of the request. It doesn't replace an existing date.",
    ]

    static let personMessageSchemas: [(String, JSON)] = [
        ("PersonMessage", personMessage),
        (
            "PersonMessages",
            object([("messages", array(reference("PersonMessage"))), ("next", messageID)], required: ["messages"])
        ),
        ("PersonMessagePatch", object(BackendDateChanges.fields.map { ($0.rawValue, mark) })),
    ]

    private static let address = "/v1/people/{id}/messages/{message}"

    static let personMessageOperations = [
        Operation(
            method: .get,
            path: "/v1/people/{id}/messages",
            id: "listPersonMessages",
            summary: "List the messages of a person's inbox, newest delivery first",
            scope: .people,
            parameters: [
                path("id", person),
                query(
                    "state",
                    ["type": "string", "enum": JSON(BackendMessage.Filter.allCases.map(\.rawValue))],
                    "Only messages in this state; all by default. Withheld dates count as not set."
                ),
            ] + page(after: messageID, limitRange: SizedPage.limitRange, defaultLimit: SizedPage.defaultLimit),
            successes: [
                Success(
                    200,
                    "A page, smaller than requested if messages are large. `next` is present if there is more.",
                    "PersonMessages"
                )
            ]
        ),
        Operation(
            method: .get,
            path: address,
            id: "readPersonMessage",
            summary: "Read a message of a person's inbox",
            scope: .people,
            parameters: [path("id", person), path("message", messageID)],
            successes: [Success(200, "The message, with the person's dates.", "PersonMessage")],
            failures: [.badRequest, .notFound]
        ),
        Operation(
            method: .patch,
            path: address,
            id: "markPersonMessage",
            summary: "Set or clear the dates at which a person has seen, read or archived a message",
            scope: .people,
            parameters: [path("id", person), path("message", messageID)],
            body: patch(reference("PersonMessagePatch")),
            successes: [Success(200, "The updated message.", "PersonMessage")],
            failures: [.badRequest, .notFound, .contentTooLarge, .unsupportedMediaType]
        ),
        Operation(
            method: .delete,
            path: address,
            id: "recallPersonMessage",
            summary: "Recall a message from one person. Other people keep it",
            scope: .people,
            parameters: [path("id", person), path("message", messageID)],
            successes: [Success(204, "The message was removed from the person's inbox.")],
            failures: [.badRequest, .notFound]
        ),
    ]
}
