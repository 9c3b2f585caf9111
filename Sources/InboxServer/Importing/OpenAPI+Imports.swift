import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of imports.
extension OpenAPI {
    private static let system = "Documentation/Importing.md says what becomes of each of its fields."

    private static let items: JSON = [
        "type": "array", "maxItems": JSON(ImportRequest.limit),
        "description": .string(
            "The messages as the other system sends them, newest first. What is wrong with one is in the answer, and "
                + "keeps no other out. \(system)"
        ),
        "items": [:],
    ]

    private static let count: JSON = ["type": "integer", "minimum": 0]

    private static let result = object(
        [
            ("index", ["type": "integer", "minimum": 0, "description": "Its number in the request's list."]),
            ("item", ["type": "integer", "minimum": 0, "description": "Adobe's: its number in the proposition."]),
            ("status", ["enum": ["imported", "known", "expired", "refused"]]),
            ("externalId", ["type": "string", "description": "The other system's id."]),
            ("id", ["type": "string", "description": "Ours: of imported and known ones."]),
            (
                "surface",
                ["type": "string", "description": "Of Adobe's settings of an inbox: whose they are now, or were."]
            ),
            (
                "pointer",
                ["type": "string", "format": "json-pointer", "description": "What is wrong, of refused ones."]
            ),
            ("detail", ["type": "string"]),
        ],
        required: ["index", "status"]
    )

    private static let fetched: JSON = [
        "type": "object", "description": "The whole answer to a fetch.",
        "properties": [
            "success": ["enum": [true, .null]], "messages": optional(items),
            "sync_token": ["description": "Not looked at."],
        ],
    ]

    private static let propositions: JSON = [
        "type": "array", "maxItems": JSON(ImportRequest.limit),
        "description": .string(
            "Propositions, with cards and with the settings of surfaces; what is wrong with one item is in the answer, and "
                + "keeps no other out. A surface that has settings keeps them; putting them takes the scope surfaces too. "
                + system
        ),
        "items": [:],
    ]

    static let importSchemas: [(String, JSON)] = [
        (
            "ImportFromAdobe",
            object([("person", person), ("propositions", propositions)], required: ["person", "propositions"])
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

    private static let successes = [Success(200, "What became of each message, in the request's order.", "Imported")]
    private static let failures: [Failure] = [.badRequest, .contentTooLarge, .unsupportedMediaType]

    static let importOperations = [
        Operation(
            method: .post,
            path: "/v1/import/adobe",
            id: "importFromAdobe",
            summary: "Bring over what a person has in Adobe's inbox; each card once, however often it is sent",
            scope: .messages,
            body: body(reference("ImportFromAdobe"), examples: [("propositions", adobeExample)]),
            successes: successes,
            failures: failures
        ),
        Operation(
            method: .post,
            path: "/v1/import/bloomreach",
            id: "importFromBloomreach",
            summary:
                "Bring over what a person has in Bloomreach's App Inbox; each message once, however often it is sent",
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
            successes: successes,
            failures: failures
        ),
        Operation(
            method: .post,
            path: "/v1/import/zeta",
            id: "importFromZeta",
            summary: "Bring over what a person has in Zeta's App Inbox; each message once, however often it is sent",
            scope: .messages,
            body: body(reference("ImportFromZeta"), examples: [("messages", zetaExample)]),
            successes: successes,
            failures: failures
        ),
    ]
}
