import Foundation
import Groundwork
import InboxModel
package import Replica

extension InboxSettings {
    /// Reads the record of a surface. Unknown members are ignored. A text or picture that can't be read counts as not
    /// set.
    ///
    /// - Throws: ``InboxError`` `invalidAnswer` if the record isn't an object, or if a member that always has a value,
    ///   such as `cardSpacing`, has another type. Default values would hide that mistake.
    init(record: JSON) throws(InboxError) {
        guard record.objectValue != nil else { throw .unreadableSettings("they aren't an object") }
        self.init(lenient: record)
        for member in json.objectValue?.members ?? [] {
            guard let given = record[member.name], given != .null, !given.hasSameType(as: member.value) else {
                continue
            }
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
    fileprivate func hasSameType(as other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }
}

extension RecordType {
    /// The replica's description of a surface's settings: only their JSON. There are few, and a device holds all of
    /// them.
    package static let surface = RecordType(
        name: MessageCapability.surfaceType,
        capability: MessageCapability.uri,
        table: "surface",
        columns: [],
        window: .all,
        isOptional: true
    )
}
