import Foundation
import GRDB
import Groundwork
import InboxModel
import Replica

extension InboxSettings {
    /// Reads the record of a surface. What isn't known is ignored, and a text or picture that can't be read counts as
    /// not set.
    ///
    /// - Throws: ``InboxError`` `invalidAnswer` where it isn't an object, or where a part that always has a value, such
    ///   as `cardSpacing`, comes with one of another type: to show the messages by default values would hide that.
    init(record: JSON) throws(InboxError) {
        guard record.objectValue != nil else { throw .unreadableSettings("they aren't an object") }
        self.init(lenient: record)
        for member in json.objectValue?.members ?? [] {
            guard let given = record[member.name], given != .null, !given.hasTheType(of: member.value) else { continue }
            throw .unreadableSettings("\(member.name) has another type")
        }
    }
}

extension Database {
    /// The settings of a surface as they are stored; nil where there are none.
    ///
    /// - Throws: `DatabaseError`. What the server sent and can't be read is the result's failure.
    func settings(of surface: String) throws -> Result<InboxSettings?, InboxError> {
        let ids = try String.fetchAll(cachedStatement(sql: "SELECT id FROM surface"))
        // Two spellings of one name are equal, as they are for messages.
        guard let id = ids.first(where: { $0 == surface }) else {
            // A record without an id may be anyone's.
            return try hasSetAside(.surface) ? .failure(.unreadableSettings("a record isn't a surface")) : .success(nil)
        }
        let text = try Data.fetchOne(cachedStatement(sql: "SELECT json FROM surface WHERE id = ?"), arguments: [id])
        let record = text.flatMap { try? JSON(parsing: Array($0)) } ?? .null
        return Result { () throws(InboxError) in try InboxSettings(record: record) }
    }
}

extension InboxError {
    fileprivate static func unreadableSettings(_ reason: String) -> InboxError {
        InboxError(.invalidAnswer, "The surface's settings can't be read: \(reason).")
    }
}

extension JSON {
    fileprivate func hasTheType(of other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }
}
