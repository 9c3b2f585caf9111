package import Groundwork

/// A JMAP type whose records a device only makes and never reads, such as events: they queue on the device until the
/// server has them.
package struct QueueType: Hashable, Sendable {
    /// The JMAP type, such as `InboxEvent`.
    package let name: String
    /// The capability that brings it.
    package let capability: String
    /// How many may wait. Past that the oldest go, expendable ones first, and are counted.
    package let limit: Int

    package init(name: String, capability: String, limit: Int) {
        self.name = name
        self.capability = capability
        self.limit = limit
    }
}

/// A record that waits for the server.
package struct QueuedRecord: Hashable, Sendable {
    /// The device's own name for it, 1–64 of `A-Za-z0-9-_`. The server takes one of a name once, however often it is
    /// sent.
    package let uid: String
    /// The record as it travels.
    package let json: JSON
    /// Whether it may go before others when too many wait.
    package let isExpendable: Bool

    package init(uid: String, json: JSON, isExpendable: Bool = false) {
        self.uid = uid
        self.json = json
        self.isExpendable = isExpendable
    }
}
