package import Groundwork

/// A JMAP type whose records a device creates and never reads, such as events. They stay queued on the device until the
/// server has them.
package struct QueueType: Hashable, Sendable {
    /// The JMAP type, such as `NoteEvent`.
    package let name: String
    /// The URI of the capability that defines the type.
    package let capability: String
    /// The maximum number of queued records. Beyond it, the oldest are dropped and counted, expendable ones first.
    package let limit: Int

    package init(name: String, capability: String, limit: Int) {
        self.name = name
        self.capability = capability
        self.limit = limit
    }
}

/// A record that waits to be created on the server.
package struct QueuedRecord: Hashable, Sendable {
    /// The device's id for the record, 1–64 characters of `A-Za-z0-9-_`. The server accepts a record with the same id
    /// only once, however often it is sent.
    package let uid: String
    /// The record as it is sent.
    package let json: JSON
    /// Whether the record is dropped before others when too many wait.
    package let isExpendable: Bool

    package init(uid: String, json: JSON, isExpendable: Bool = false) {
        self.uid = uid
        self.json = json
        self.isExpendable = isExpendable
    }
}
