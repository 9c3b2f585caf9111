package import Groundwork

/// What the core capability says of a server's limits (RFC 8620 §2).
package struct CoreCapability: Hashable, Sendable {
    package static let uri = "urn:ietf:params:jmap:core"

    /// In bytes.
    package var maxSizeUpload = 10_000_000
    package var maxConcurrentUpload = 4
    /// In bytes.
    package var maxSizeRequest = 10_000_000
    package var maxConcurrentRequests = 8
    package var maxCallsInRequest = 32
    package var maxObjectsInGet = 1_000
    package var maxObjectsInSet = 1_000
    /// The names of the algorithms of the collation registry (RFC 4790) by which queries can be sorted.
    package var collationAlgorithms: [String] = []

    package init() {}

    /// Reads what a server says; a limit that it leaves out keeps its default here, since some servers leave some out.
    package init(json: JSON) {
        func set(_ limit: WritableKeyPath<CoreCapability, Int>, _ name: String) {
            if let value = json[name]?.intValue, value > 0 { self[keyPath: limit] = value }
        }
        set(\.maxSizeUpload, "maxSizeUpload")
        set(\.maxConcurrentUpload, "maxConcurrentUpload")
        set(\.maxSizeRequest, "maxSizeRequest")
        set(\.maxConcurrentRequests, "maxConcurrentRequests")
        set(\.maxCallsInRequest, "maxCallsInRequest")
        set(\.maxObjectsInGet, "maxObjectsInGet")
        set(\.maxObjectsInSet, "maxObjectsInSet")
        collationAlgorithms = json["collationAlgorithms"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    package var json: JSON {
        [
            "maxSizeUpload": JSON(maxSizeUpload),
            "maxConcurrentUpload": JSON(maxConcurrentUpload),
            "maxSizeRequest": JSON(maxSizeRequest),
            "maxConcurrentRequests": JSON(maxConcurrentRequests),
            "maxCallsInRequest": JSON(maxCallsInRequest),
            "maxObjectsInGet": JSON(maxObjectsInGet),
            "maxObjectsInSet": JSON(maxObjectsInSet),
            "collationAlgorithms": JSON(collationAlgorithms),
        ]
    }
}
