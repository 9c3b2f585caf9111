import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of people, their tokens and the receipts of their erasure.
extension OpenAPI {
    private static let attributes: JSON = [
        "type": "object", "maxProperties": JSON(PersonAttributes.limit),
        "propertyNames": plain(PersonAttributes.nameLengths),
        "description": .string("Any values, with at most \(PersonAttributes.maxSize) bytes in total as compact JSON."),
    ]

    private static let exported: JSON = [
        "type": "object",
        "properties": .object(
            JSONObject(
                [
                    ("id", person), ("account", ["type": "string"]), ("createdAt", date), ("exportedAt", date),
                    ("attributes", ["type": "object"]),
                ]
                    + PersonalTable.all.filter { $0.name != "attributes" }.map { ($0.name, array(["type": "object"])) }
            )
        ),
        "required": JSON(["id", "account", "createdAt", "exportedAt"] + PersonalTable.all.map(\.name)),
        "additionalProperties": false,
    ]

    static let peopleSchemas: [(String, JSON)] = [
        ("PersonEdit", object([("attributes", attributes)], required: ["attributes"])),
        (
            "Person",
            object(
                [("id", person), ("createdAt", date), ("attributes", ["type": "object"])],
                required: ["id", "createdAt", "attributes"]
            )
        ),
        (
            "People",
            object(
                [
                    ("people", array(object([("id", person), ("createdAt", date)], required: ["id", "createdAt"]))),
                    ("next", person),
                ],
                required: ["people"]
            )
        ),
        ("Export", exported),
        (
            "Erasure",
            object(
                [
                    ("id", ["type": "string"]), ("erasedAt", date),
                    ("personSha256", ["type": "string", "pattern": "^[0-9a-f]{64}$"]),
                    ("removed", ["type": "object", "additionalProperties": ["type": "integer", "minimum": 0]]),
                    (
                        "vacuumedAt",
                        [
                            "type": "string", "format": "date-time",
                            "description": """
                            With PostgreSQL: when the deleted rows were removed from its tables' files, some seconds \
                            later. Absent until then, and with SQLite, which overwrites them at once.
                            """,
                        ]
                    ),
                ],
                required: ["id", "erasedAt", "personSha256", "removed"]
            )
        ),
        ("TokenRequest", object([("expiresIn", optional(integer(Tokens.lifetimes)))])),
        ("Token", object([("token", ["type": "string"]), ("expiresAt", date)], required: ["token", "expiresAt"])),
    ]

    static let peopleOperations = [
        Operation(
            method: .get,
            path: "/v1/people",
            id: "listPeople",
            summary: "List people, ordered by the bytes of their ids",
            scope: .people,
            parameters: [query("prefix", plain(0...MessageLimits.person), "The prefix of the ids, compared by bytes.")]
                + page(after: person),
            successes: [.page("People")]
        ),
        Operation(
            method: .get,
            path: "/v1/people/{id}",
            id: "readPerson",
            summary: "Read a person's attributes",
            scope: .people,
            parameters: [path("id", person)],
            successes: [Success(200, "The person.", "Person")]
        ),
        Operation(
            method: .put,
            path: "/v1/people/{id}",
            id: "putPerson",
            summary: "Replace a person's attributes. An unknown person is created",
            scope: .people,
            parameters: [path("id", person)],
            body: body(reference("PersonEdit")),
            successes: [
                Success(200, "The updated person.", "Person"), Success(201, "The person was created.", "Person"),
            ],
            excluding: [.notFound]
        ),
        Operation(
            method: .delete,
            path: "/v1/people/{id}",
            id: "erasePerson",
            summary: "Erase a person, known or not, and all stored data. Earlier tokens are revoked",
            scope: .people,
            parameters: [path("id", person)],
            successes: [Success(200, "The receipt.", "Erasure")],
            excluding: [.notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/people/{id}/export",
            id: "exportPerson",
            summary: "Export everything that is stored about a person",
            scope: .people,
            parameters: [path("id", person)],
            successes: [Success(200, "One document.", "Export")],
            failures: [.insufficientStorage]
        ),
        Operation(
            method: .get,
            path: "/v1/erasures/{receipt}",
            id: "readErasure",
            summary: "Read the receipt of an erasure",
            scope: .people,
            parameters: [path("receipt", ["type": "string", "minLength": 1])],
            successes: [Success(200, "The receipt.", "Erasure")]
        ),
        Operation(
            method: .post,
            path: "/v1/people/{id}/tokens",
            id: "makeToken",
            summary: "Issue a token for a person's device. The person doesn't have to exist",
            scope: .tokens,
            parameters: [path("id", person)],
            body: body(reference("TokenRequest"), isRequired: false),
            successes: [Success(201, "A JWT.", "Token")],
            excluding: [.notFound]
        ),
        Operation(
            method: .delete,
            path: "/v1/people/{id}/tokens",
            id: "endTokens",
            summary: "Revoke all of a person's tokens issued until now, and end the streams opened with them",
            scope: .tokens,
            parameters: [path("id", person)],
            successes: [Success(204, "The tokens were revoked.")],
            excluding: [.notFound]
        ),
    ]
}
