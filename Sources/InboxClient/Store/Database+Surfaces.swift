import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

extension Database {
    /// Returns the stored records of all surfaces. Records with invalid JSON are skipped.
    func surfaces() throws -> [JSON] {
        try StoreQuery(Query(), .surface).fetch(self).compactMap { try? JSON(parsing: $0.text) }
    }

    /// Returns the stored settings of a surface, or nil if there are none.
    ///
    /// - Throws: `DatabaseError`. Settings that are invalid are the result's failure.
    func settings(of surface: String) throws -> Result<InboxSettings?, InboxError> {
        // Names are equal if their normal forms are, as for messages.
        guard let stored = try StoreQuery(Query(), .surface).fetch(self).first(where: { $0.id == surface }) else {
            // A record without an id may be that of any surface.
            return try hasSetAside(.surface) ? .failure(.unreadableSettings("a record isn't a surface")) : .success(nil)
        }
        let record = (try? JSON(parsing: stored.text)) ?? .null
        return Result { () throws(InboxError) in try InboxSettings(record: record) }
    }
}

/// The stored record of a surface. A device has few of them.
private struct StoredSurface: Sendable {
    let id: String
    /// The JSON object.
    let text: [UInt8]
}

extension QueryTable<StoredSurface> {
    fileprivate static let surface = QueryTable(
        .surface,
        selection: [RecordTable.id, RecordTable.json],
        decode: { columns in StoredSurface(id: columns.text(0), text: columns.bytes(1)) },
        id: \.id,
        fields: [\.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) })],
        order: []
    )
}

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
