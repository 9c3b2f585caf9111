import Groundwork
import InboxService

/// The schemas and operation of the audit log.
extension OpenAPI {
    private static let entryID: JSON = ["type": "string", "pattern": "^l[1-9][0-9]{0,17}$"]

    static let auditSchemas: [(String, JSON)] = [
        (
            "AuditEntry",
            object(
                [
                    ("id", entryID), ("at", date), ("kind", ["type": "string"]),
                    (
                        "by",
                        [
                            "type": "string",
                            "description": "The id of an API key, or tool: the command line. Not in counts.",
                        ]
                    ),
                    ("person", person),
                    (
                        "erasure",
                        ["type": "string", "description": "The receipt, in place of a person who was erased."]
                    ),
                    ("reason", ["type": "string"]),
                    (
                        "count",
                        ["type": "integer", "minimum": 1, "description": "Within the hour that begins with `at`."]
                    ),
                    ("detail", ["type": "object"]),
                ],
                required: ["id", "at", "kind"]
            )
        ),
        ("Audit", object([("entries", array(reference("AuditEntry"))), ("next", entryID)], required: ["entries"])),
    ]

    static let auditOperations = [
        Operation(
            method: .get,
            path: "/v1/audit",
            id: "readAudit",
            summary: "Read who did what with keys, tokens and people, newest first; never contents",
            scope: .audit,
            parameters: [
                query("kind", ["enum": JSON(AuditKind.allCases.map(\.rawValue))], "Of this kind alone."),
                query("person", person, "About this person alone."), query("since", date, "From then on."),
                query("until", date, "Before then."),
            ] + page(after: entryID),
            successes: [Success(200, "A page; `next` is there where there is more.", "Audit")],
            failures: [.badRequest]
        )
    ]
}
