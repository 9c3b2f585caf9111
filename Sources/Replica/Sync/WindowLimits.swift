package import GRDB

/// The number of a type's records on a device (``RecordType/Window/newest(filter:sort:retention:)``).
package struct WindowLimits: Hashable, Sendable {
    package enum Limit: Hashable, Sendable {
        case all
        case newest(Int)

        var number: Int? { if case .newest(let number) = self { number } else { nil } }
    }

    /// The number of active records that a device keeps.
    package var device: Limit
    /// The number of records that a new device fetches first.
    package var newDevice: Limit

    package init(device: Limit, newDevice: Limit) {
        (self.device, self.newDevice) = (device, newDevice)
    }
}

extension SyncSettings {
    /// Returns the number of active records that a device keeps; nil for all.
    package func deviceLimit(of type: RecordType, _ db: Database) throws -> Int? {
        try (deviceLimit ?? type.limits?(db).device)?.number
    }

    /// Returns the number of records that a new device fetches first; nil for all.
    func newDeviceLimit(of type: RecordType, _ db: Database) throws -> Int? {
        try (newDeviceLimit ?? type.limits?(db).newDevice)?.number
    }
}
