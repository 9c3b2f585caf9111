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
        func most(_ limit: (InboxSettings) -> InboxSettings.MessageCount) -> Limit {
            let wanted = surfaces.isEmpty ? [limit(defaults)] : surfaces.map(limit)
            var most = 1
            for case .atMost(let number) in wanted { most = max(most, number) }
            return wanted.contains(.all) ? .all : .newest(most)
        }
        return WindowLimits(device: most(\.deviceLimit), newDevice: most(\.newDeviceLimit))
    }
}
