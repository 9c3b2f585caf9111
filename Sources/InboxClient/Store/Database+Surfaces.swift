import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

extension Database {
    /// Returns the stored records of all surfaces. Records with invalid JSON are skipped.
    func surfaces() throws -> [JSON] {
        try Data.fetchAll(cachedStatement(sql: "SELECT json FROM surface")).compactMap {
            try? JSON(parsing: Array($0))
        }
    }

    /// Returns the stored settings of a surface, or nil if there are none.
    ///
    /// - Throws: `DatabaseError`. Settings that are invalid are the result's failure.
    func settings(of surface: String) throws -> Result<InboxSettings?, InboxError> {
        let ids = try String.fetchAll(cachedStatement(sql: "SELECT id FROM surface"))
        // Names are equal if their normal forms are, as for messages.
        guard let id = ids.first(where: { $0 == surface }) else {
            // A record without an id may be that of any surface.
            return try hasSetAside(.surface) ? .failure(.unreadableSettings("a record isn't a surface")) : .success(nil)
        }
        let text = try Data.fetchOne(cachedStatement(sql: "SELECT json FROM surface WHERE id = ?"), arguments: [id])
        let record = text.flatMap { try? JSON(parsing: Array($0)) } ?? .null
        return Result { () throws(InboxError) in try InboxSettings(record: record) }
    }
}
