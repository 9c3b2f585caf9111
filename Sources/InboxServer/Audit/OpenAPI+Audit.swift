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
                            "description": "The id of an API key, or tool for the command line. Absent in counts.",
                        ]
                    ),
                    ("person", person),
                    (
                        "erasure",
                        ["type": "string", "description": "The receipt of the erasure, if the person was erased."]
                    ),
                    ("reason", ["type": "string"]),
                    (
                        "count",
                        [
                            "type": "integer", "minimum": 1,
                            "description": "The number of events in the hour that begins at `at`.",
                        ]
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
            summary: "Read the audit log, newest first: who did what with keys, tokens and people",
            scope: .audit,
            parameters: [
                query("kind", ["enum": JSON(AuditKind.allCases.map(\.rawValue))], "Only entries of this kind."),
                query("person", person, "Only entries about this person."),
                query("since", date, "Only entries at or after this time."),
                query("until", date, "Only entries before this time."),
            ] + page(after: entryID),
            successes: [.page("Audit")]
        )
    ]
}
