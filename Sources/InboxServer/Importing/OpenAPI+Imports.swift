import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of imports.
extension OpenAPI {
    private static let system = "Documentation/Importing.md describes how each field is imported."

    private static let items: JSON = [
        "type": "array", "maxItems": JSON(ImportRequest.limit),
        "description": .string(
            """
            The messages as the other system sends them, newest first. An error in one is reported in the response and \
            doesn't affect the others. \(system)
            """
        ),
        "items": [:],
    ]

    private static let count: JSON = ["type": "integer", "minimum": 0]

    private static let result = object(
        [
            ("index", ["type": "integer", "minimum": 0, "description": "The index in the request's list."]),
            ("item", ["type": "integer", "minimum": 0, "description": "Adobe only: the index in the proposition."]),
            ("rule", ["type": "integer", "minimum": 0, "description": "Adobe only: the index in a ruleset."]),
            ("consequence", ["type": "integer", "minimum": 0, "description": "Adobe only: the index in a rule."]),
            ("status", ["enum": ["imported", "known", "expired", "refused"]]),
            ("externalId", ["type": "string", "description": "The id in the other system."]),
            ("id", ["type": "string", "description": "The server's id, for imported and known messages."]),
            (
                "surface",
                [
                    "type": "string",
                    "description": "Adobe only: the surface whose settings were imported or were already known.",
                ]
            ),
            (
                "pointer",
                [
                    "type": "string", "format": "json-pointer",
                    "description": "The location of the error, for refused items.",
                ]
            ),
            ("detail", ["type": "string"]),
            (
                "undecided",
                [
                    "type": "string", "format": "json-pointer",
                    "description": "Adobe only: the part of the card's condition that counted as true.",
                ]
            ),
        ],
        required: ["index", "status"]
    )

    private static let fetched: JSON = [
        "type": "object", "description": "The whole response to a fetch.",
        "properties": [
            "success": ["enum": [true, .null]], "messages": optional(items),
            "sync_token": ["description": "Ignored."],
        ],
    ]

    private static let propositions: JSON = [
        "type": "array", "maxItems": JSON(ImportRequest.limit),
        "description": .string(
            """
            Propositions with cards and settings of surfaces. An error in one item is reported in the response and \
            doesn't affect the others. A surface's existing settings are kept. Importing settings also requires the \
            scope surfaces. \(system)
            """
        ),
        "items": [:],
    ]

    private static let undecided: JSON = [
        "type": "boolean", "default": false,
        "description": .string(
            """
            Whether a card is delivered if its rule's condition depends on more than the time. By default it is refused.
            """
        ),
    ]

    private static let edgeAnswer: JSON = [
        "type": "object", "required": ["handle"],
        "description": "The whole response of Adobe's edge. Handles of other types are ignored.",
        "properties": [
            "requestId": ["description": "Ignored."],
            "handle": [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": [
                        "type": optional(["type": "string", "example": "personalization:decisions"]),
                        "payload": optional(propositions), "eventIndex": ["description": "Ignored."],
                    ],
                ],
            ],
        ],
    ]

    static let importSchemas: [(String, JSON)] = [
        (
            "ImportFromAdobe",
            [
                "oneOf": [
                    object(
                        [
                            ("person", person), ("propositions", propositions),
                            ("importsUndecided", optional(undecided)),
                        ],
                        required: ["person", "propositions"]
                    ),
                    object(
                        [("person", person), ("answer", edgeAnswer), ("importsUndecided", optional(undecided))],
                        required: ["person", "answer"]
                    ),
                ]
            ]
        ),
        (
            "ImportFromZeta",
            object([("person", person), ("messages", items)], required: ["person", "messages"])
        ),
        (
            "ImportFromBloomreach",
            [
                "oneOf": [
                    object([("person", person), ("messages", items)], required: ["person", "messages"]),
                    object([("person", person), ("answer", fetched)], required: ["person", "answer"]),
                ]
            ]
        ),
        (
            "Imported",
            object(
                [
                    ("imported", count), ("known", count), ("expired", count), ("refused", count),
                    ("results", array(result, 0...ImportRequest.limit)),
                ],
                required: ["imported", "known", "expired", "refused", "results"]
            )
        ),
    ]

    private static let zetaExample: JSON = [
        "person": "ann",
        "messages": [
            [
                "messageId": "MSG-001", "title": "Your parcel is on its way", "body": "It arrives on Friday.",
                "status": "UNREAD", "expirationTimestamp": 4_102_444_800_000,
                "actionList": [
                    ["text": "Track it", "type": "primary", "value": "track", "link": "https://example.com/7"]
                ],
                "templateId": "card", "additionalData": ["order": "7"],
            ]
        ],
    ]

    private static let bloomreachMessage: JSON = [
        "id": "0703", "type": "push", "is_read": false, "create_time": 1_673_346_347,
        "content": [
            "title": "Your parcel is on its way", "message": "It arrives on Friday.", "action": "browser",
            "url": "https://example.com/7", "has_tracking_consent": true, "attributes": ["campaign_id": "63bd"],
            "url_params": [["utm_source": "bloomreach"]],
        ],
    ]

    private static let adobeExample: JSON = [
        "person": "ann",
        "propositions": [
            [
                "id": "c2aa4a73", "scope": "mobileapp://com.example.app/inbox",
                "scopeDetails": ["activity": ["id": "parcels", "priority": 1], "rank": 1],
                "items": [
                    [
                        "id": "5c1cef44", "schema": "https://ns.adobe.com/personalization/message/content-card",
                        "data": [
                            "contentType": "application/json", "meta": ["adobe": ["template": "SmallImage"]],
                            "content": [
                                "title": ["content": "Your parcel is on its way"],
                                "body": ["content": "It arrives on Friday."],
                                "image": ["url": "https://example.com/parcel.png", "alt": "A parcel"],
                                "actionUrl": "https://example.com/7",
                                "buttons": [["interactId": "track", "text": ["content": "Track it"]]],
                                "dismissBtn": ["style": "simple"],
                            ],
                            "publishedDate": 1_777_536_000, "expiryDate": 4_102_444_800,
                        ],
                    ]
                ],
            ]
        ],
    ]

    private static let successes = [
        Success(200, "The result of each message, in the order of the request.", "Imported")
    ]

    static let importOperations = [
        Operation(
            method: .post,
            path: "/v1/import/adobe",
            id: "importFromAdobe",
            summary: "Import a person's cards from Adobe's inbox. A repeated card is imported once",
            scope: .messages,
            body: body(
                reference("ImportFromAdobe"),
                examples: [
                    ("propositions", adobeExample),
                    (
                        "answer",
                        [
                            "person": "ann",
                            "answer": [
                                "requestId": "D4649128",
                                "handle": [
                                    [
                                        "payload": adobeExample["propositions"] ?? [],
                                        "type": "personalization:decisions",
                                    ]
                                ],
                            ],
                        ]
                    ),
                ]
            ),
            successes: successes
        ),
        Operation(
            method: .post,
            path: "/v1/import/bloomreach",
            id: "importFromBloomreach",
            summary:
                "Import a person's messages from Bloomreach's App Inbox. A repeated message is imported once",
            scope: .messages,
            body: body(
                reference("ImportFromBloomreach"),
                examples: [
                    ("messages", ["person": "ann", "messages": [bloomreachMessage]]),
                    (
                        "answer",
                        [
                            "person": "ann",
                            "answer": ["success": true, "messages": [bloomreachMessage], "sync_token": "t"],
                        ]
                    ),
                ]
            ),
            successes: successes
        ),
        Operation(
            method: .post,
            path: "/v1/import/zeta",
            id: "importFromZeta",
            summary: "Import a person's messages from Zeta's App Inbox. A repeated message is imported once",
            scope: .messages,
            body: body(reference("ImportFromZeta"), examples: [("messages", zetaExample)]),
            successes: successes
        ),
    ]
}
