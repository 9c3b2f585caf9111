import InboxModel
package import Replica

extension RecordType {
    /// What the replica has to know of a surface's settings: nothing but their JSON. There are few, and a device has
    /// them all.
    package static let surface = RecordType(
        name: MessageCapability.surfaceType,
        capability: MessageCapability.uri,
        table: "surface",
        columns: [],
        window: .all,
        isOptional: true
    )
}
