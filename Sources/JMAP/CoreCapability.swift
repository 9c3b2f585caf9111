package import Groundwork

/// A server's limits, as its core capability states them (RFC 8620, section 2).
package struct CoreCapability: Hashable, Sendable {
    package static let uri = "urn:ietf:params:jmap:core"

    /// The maximum in bytes.
    package var maxSizeUpload = 10_000_000
    package var maxConcurrentUpload = 4
    /// The maximum in bytes.
    package var maxSizeRequest = 10_000_000
    package var maxConcurrentRequests = 8
    package var maxCallsInRequest = 32
    package var maxObjectsInGet = 1_000
    package var maxObjectsInSet = 1_000
    /// The collation algorithms by which queries can be sorted, by their names in the collation registry (RFC 4790).
    package var collationAlgorithms: [String] = []

    package init() {}

    /// Reads a server's limits. Missing limits, which some servers omit, keep their defaults.
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
