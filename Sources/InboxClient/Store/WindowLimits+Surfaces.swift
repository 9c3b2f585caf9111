import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

extension WindowLimits {
    /// Returns the limits from the settings of the surfaces: the maximum of each, because the messages of all surfaces
    /// share the device.
    static func ofSurfaces(_ db: Database) throws -> WindowLimits {
        let surfaces = try db.surfaces().compactMap { try? InboxSettings(record: $0) }
        let defaults = InboxSettings()
        func largest(_ limit: (InboxSettings) -> InboxSettings.MessageCount) -> Limit {
            let limits = surfaces.isEmpty ? [limit(defaults)] : surfaces.map(limit)
            var maximum = 1
            for case .atMost(let number) in limits { maximum = max(maximum, number) }
            return limits.contains(.all) ? .all : .newest(maximum)
        }
        return WindowLimits(device: largest(\.deviceLimit), newDevice: largest(\.newDeviceLimit))
    }
}
