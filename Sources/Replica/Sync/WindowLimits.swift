package import GRDB

/// How much of a type a device holds (``RecordType/Window/newest(filter:sort:retention:)``).
package struct WindowLimits: Hashable, Sendable {
    package enum Limit: Hashable, Sendable {
        case all
        case newest(Int)

        var number: Int? { if case .newest(let number) = self { number } else { nil } }
    }

    /// How many active records a device keeps.
    package var device: Limit
    /// How many a new device asks for first.
    package var newDevice: Limit

    package init(device: Limit, newDevice: Limit) {
        (self.device, self.newDevice) = (device, newDevice)
    }
}

extension SyncSettings {
    /// How many active records a device keeps; nil for all.
    package func deviceLimit(of type: RecordType, _ db: Database) throws -> Int? {
        try (deviceLimit ?? type.limits?(db).device)?.number
    }

    /// How many a new device asks for first; nil for all.
    func newDeviceLimit(of type: RecordType, _ db: Database) throws -> Int? {
        try (newDeviceLimit ?? type.limits?(db).newDevice)?.number
    }
}
