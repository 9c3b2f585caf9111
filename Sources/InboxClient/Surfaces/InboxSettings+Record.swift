import Foundation
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

extension InboxError {
    static func unreadableSettings(_ reason: String) -> InboxError {
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
