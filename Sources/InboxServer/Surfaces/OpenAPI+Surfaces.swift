import Groundwork
import InboxModel
import InboxService

/// The schemas and operations of surfaces' settings.
extension OpenAPI {
    private static let surfaceID = plain(1...MessageLimits.name)
    private static let color: JSON = ["type": "string", "pattern": "^#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"]
    private static let messageCount: JSON = [
        "anyOf": [integer(SettingsLimits.messages), ["const": .string(InboxSettings.MessageCount.allText)]]
    ]

    private static func unreadIndicator(_ member: (JSON) -> JSON) -> JSON {
        let placements: JSON = [
            "type": "string",
            "pattern": .string("^(?:\(UnreadIndicator.Placement.known.map(\.rawValue).joined(separator: "|")))$"),
        ]
        return object([
            ("isShown", member(["type": "boolean"])), ("placement", member(placements)),
            ("size", member(integer(SettingsLimits.indicatorSize))), ("icon", member(media)),
            ("background", member(color)), ("darkBackground", member(color)),
        ])
    }

    /// Returns the schemas of all settings, by their names.
    ///
    /// - Parameter member: Returns the schema of a member, given the schema of its value.
    private static func fields(_ member: (JSON) -> JSON) -> [(String, JSON)] {
        SettingsField.allCases.map { field in
            let schema: JSON =
                switch field {
                case .title, .buttonLabel, .emptyTitle, .emptyMessage, .errorTitle, .errorMessage:
                    text(SettingsLimits.text)
                case .emptyImage: media
                case .layout: ["type": "string", "pattern": "^(?:vertical|horizontal)$"]
                case .capacity: integer(SettingsLimits.messages)
                case .deviceLimit, .newDeviceLimit: messageCount
                case .unreadIndicator: unreadIndicator(member)
                case .isPullToRefreshEnabled: ["type": "boolean"]
                case .cardSpacing: integer(SettingsLimits.cardSpacing)
                }
            return (field.rawValue, member(schema))
        }
    }

    static let surfaceSchemas: [(String, JSON)] = [
        ("SurfaceSettings", object(fields(optional))),
        (
            "Surface",
            object(
                [("id", surfaceID)] + fields { $0 },
                required: [
                    "id", "layout", "deviceLimit", "newDeviceLimit", "unreadIndicator", "isPullToRefreshEnabled",
                    "cardSpacing",
                ]
            )
        ),
        ("Surfaces", object([("surfaces", array(reference("Surface")))], required: ["surfaces"])),
    ]

    private static let ifMatch: JSON = [
        "name": "If-Match", "in": "header", "schema": ["type": "string"],
        "description": "The ETag of the settings to replace or delete; `*` for any.",
    ]
    private static let ifNoneMatch: JSON = [
        "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
        "description": "`*` to set a surface only if it has no settings; an ETag to keep settings that have it.",
    ]

    private static let readConditions: [JSON] = [
        [
            "name": "If-Match", "in": "header", "schema": ["type": "string"],
            "description": "The ETag of the settings to read; `*` for any.",
        ],
        [
            "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
            "description": "An ETag: settings that still have it aren't sent again.",
        ],
    ]

    static let surfaceOperations = [
        Operation(
            method: .get,
            path: "/v1/surfaces",
            id: "listSurfaces",
            summary: "List all surfaces that have settings, ordered by id. There are at most \(StoredSurface.limit)",
            scope: .surfaces,
            successes: [Success(200, "All surfaces.", "Surfaces")]
        ),
        Operation(
            method: .get,
            path: "/v1/surfaces/{id}",
            id: "readSurface",
            summary: "Read a surface's settings",
            scope: .surfaces,
            parameters: [path("id", surfaceID)] + readConditions,
            successes: [
                Success(200, "The settings.", "Surface", isTagged: true),
                Success(304, "The settings have the ETag of If-None-Match.", isTagged: true),
            ],
            failures: [.preconditionFailed]
        ),
        Operation(
            method: .put,
            path: "/v1/surfaces/{id}",
            id: "putSurface",
            summary: "Replace a surface's settings on every device. Omitted fields have their defaults",
            scope: .surfaces,
            parameters: [path("id", surfaceID), ifMatch, ifNoneMatch],
            body: body(reference("SurfaceSettings")),
            successes: [
                Success(200, "The updated settings.", "Surface", isTagged: true),
                Success(201, "The surface had no settings before.", "Surface", isTagged: true),
            ],
            failures: [.conflict, .preconditionFailed],
            excluding: [.notFound]
        ),
        Operation(
            method: .delete,
            path: "/v1/surfaces/{id}",
            id: "deleteSurface",
            summary: "Delete a surface's settings on every device. Its messages are kept",
            scope: .surfaces,
            parameters: [path("id", surfaceID), ifMatch, ifNoneMatch],
            successes: [Success(204, "The settings were deleted.")],
            failures: [.preconditionFailed]
        ),
    ]
}
