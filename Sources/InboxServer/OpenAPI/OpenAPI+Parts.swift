import Groundwork
import InboxModel

/// The schemas and parameters that several operations share.
extension OpenAPI {
    static func reference(_ schema: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(schema)")]
    }

    /// Returns the schema of an object with these members and no others.
    static func object(_ properties: [(String, JSON)], required: [String] = []) -> JSON {
        [
            "type": "object", "properties": .object(JSONObject(properties)), "required": JSON(required),
            "additionalProperties": false,
        ]
    }

    static func text(_ maxLength: Int, _ description: String? = nil) -> JSON {
        var object = JSONObject([("type", "string"), ("maxLength", JSON(maxLength))])
        object["description"] = description.map(JSON.string)
        return .object(object)
    }

    /// Returns the schema of a string with a length in the range and without control characters.
    static func plain(_ lengths: ClosedRange<Int>) -> JSON {
        [
            "type": "string", "minLength": JSON(lengths.lowerBound), "maxLength": JSON(lengths.upperBound),
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
        ]
    }

    static func integer(_ range: ClosedRange<Int>) -> JSON {
        ["type": "integer", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound)]
    }

    static func array(_ items: JSON, _ counts: ClosedRange<Int>? = nil) -> JSON {
        var object = JSONObject([("type", "array"), ("items", items)])
        object["minItems"] = counts.map { JSON($0.lowerBound) }
        object["maxItems"] = counts.map { JSON($0.upperBound) }
        return .object(object)
    }

    /// Returns the schema of a member that a request may omit or, equivalently, set to null.
    static func optional(_ schema: JSON) -> JSON {
        guard var object = schema.objectValue, let type = object["type"] else {
            return ["anyOf": [schema, ["type": "null"]]]
        }
        object["type"] = [type, "null"]
        return .object(object)
    }

    /// A date, in the format of the whole API.
    static let date: JSON = [
        "type": "string", "format": "date-time", "pattern": "Z$",
        "description": "RFC 3339 in UTC, with an uppercase T and Z and millisecond precision.",
    ]

    static let person = plain(1...MessageLimits.person)

    static func path(_ name: String, _ schema: JSON) -> JSON {
        ["name": .string(name), "in": "path", "required": true, "schema": schema]
    }

    static func query(_ name: String, _ schema: JSON, _ description: String) -> JSON {
        ["name": .string(name), "in": "query", "description": .string(description), "schema": schema]
    }

    static func body(_ schema: JSON, isRequired: Bool = true, examples: [(String, JSON)] = []) -> JSON {
        var content = JSONObject([("schema", schema)])
        if !examples.isEmpty { content.add("examples", .object(JSONObject(examples.map { ($0, ["value": $1]) }))) }
        return ["required": .bool(isRequired), "content": ["application/json": .object(content)]]
    }

    /// Returns the body of a PATCH, a JSON merge patch (RFC 7396), which either of two media types may declare.
    static func patch(_ schema: JSON) -> JSON {
        let content: JSON = ["schema": schema]
        return ["required": true, "content": ["application/json": content, "application/merge-patch+json": content]]
    }

    /// Returns the parameters that all lists have in common.
    static func page(
        after cursor: JSON,
        limitRange: ClosedRange<Int> = PageLimits.limitRange,
        defaultLimit: Int = PageLimits.defaultLimit
    ) -> [JSON] {
        var limit = integer(limitRange).objectValue ?? JSONObject()
        limit.add("default", JSON(defaultLimit))
        return [
            query("limit", .object(limit), "The maximum number of items."),
            query("after", cursor, "The `next` of the previous page. Omit it for the first page."),
        ]
    }

    static let commonSchemas: [(String, JSON)] = [
        (
            "Problem",
            object(
                [
                    ("type", ["type": "string", "format": "uri-reference"]), ("title", ["type": "string"]),
                    ("status", ["type": "integer"]), ("detail", ["type": "string"]),
                    ("pointer", ["type": "string", "format": "json-pointer"]),
                ],
                required: ["type", "title", "status", "detail"]
            )
        ),
        ("Description", ["type": "object", "required": ["openapi", "info", "paths"]]),
        ("Metrics", ["type": "string"]),
        ("Health", object([("status", ["const": "ok"])], required: ["status"])),
    ]

    static let systemOperations = [
        Operation(
            method: .get,
            path: "/health",
            id: "readHealth",
            summary: "Check whether the server is healthy",
            scope: nil,
            successes: [Success(200, "The server is healthy.", "Health")],
            failures: [.unavailable]
        ),
        Operation(
            method: .get,
            path: "/health/live",
            id: "readLiveness",
            summary: "Check whether the server answers, without its database",
            scope: nil,
            successes: [Success(200, "The server answers.", "Health")]
        ),
        Operation(
            method: .get,
            path: "/health/ready",
            id: "readReadiness",
            summary: "Check whether the server can take requests now",
            scope: nil,
            successes: [Success(200, "The server can take requests.", "Health")],
            failures: [.unavailable]
        ),
        Operation(
            method: .get,
            path: "/metrics",
            id: "readMetrics",
            summary: "Read the server's metrics",
            scope: .metrics,
            successes: [Success(200, "Prometheus' text format.", "Metrics", type: "text/plain")],
            excluding: [.badRequest]
        ),
        Operation(
            method: .get,
            path: "/openapi.json",
            id: "readDescription",
            summary: "This document",
            scope: nil,
            successes: [Success(200, "An OpenAPI 3.1 document.", "Description")]
        ),
    ]
}
