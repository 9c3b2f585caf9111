import Groundwork
import InboxModel
import InboxService

/// The schema and operation of a message's analytics.
extension OpenAPI {
    /// A number of people.
    private static let people: JSON = ["type": "integer", "minimum": 0]

    static let analyticsSchemas: [(String, JSON)] = [
        (
            "MessageFigures",
            object(
                [
                    ("id", messageID), ("audience", ["enum": ["people", "everyone"]]),
                    (
                        "sent",
                        [
                            "type": ["integer", "null"], "minimum": 1,
                            "description": "The number of recipients; null for everyone.",
                        ]
                    ),
                    ("delivered", people), ("seen", people), ("read", people), ("clicked", people),
                    (
                        "clicksByAction",
                        [
                            "type": "object", "propertyNames": ["maxLength": JSON(EventLimits.action)],
                            "additionalProperties": ["type": "integer", "minimum": 1],
                            "description": "The number of clicks, not of people, by action id.",
                        ]
                    ),
                ],
                required: ["id", "audience", "sent", "delivered", "seen", "read", "clicked", "clicksByAction"]
            )
        )
    ]

    static let analyticsOperations = [
        Operation(
            method: .get,
            path: "/v1/messages/{id}/figures",
            id: "readFigures",
            summary: "Read how many people have received, seen, read and clicked a message, even after a recall",
            scope: .messages,
            parameters: [path("id", messageID)],
            successes: [Success(200, "The figures.", "MessageFigures")]
        )
    ]
}
