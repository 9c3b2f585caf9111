import InboxModel
package import Replica

extension RecordType {
    /// The replica's description of a surface's settings: only their JSON. There are few, and a device holds all of
    /// them.
    package static let surface = RecordType(
        name: MessageCapability.surfaceType,
        capability: MessageCapability.uri,
        table: "surface",
        columns: [],
        window: .all,
        isOptional: true
    )
}
