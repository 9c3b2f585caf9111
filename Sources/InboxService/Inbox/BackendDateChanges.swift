import Foundation
package import Groundwork
package import InboxModel

/// A backend's changes to a person's dates of one message.
package struct BackendDateChanges: Sendable {
    private enum Change: Sendable {
        case none
        /// The time of the request. An existing date is kept.
        case now
        case date(Int)
    }

    private var changes: [MessageField: Change] = [:]

    /// The fields that a backend may set. Snoozing and deletion, which are reversible, are reserved to the person.
    package static let fields: [MessageField] = [.seenAt, .readAt, .archivedAt]
    /// The JSON value for the time of the request. It doesn't replace an existing date.
    package static let now = "now"

    /// Reads and validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid member.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(Set(Self.fields.map(\.rawValue)))
        for field in Self.fields where reader.value[field.rawValue] != nil {
            guard let member = reader.member(field.rawValue) else {
                changes[field] = Change.none
                continue
            }
            if member.value == .string(Self.now) {
                changes[field] = .now
            } else if let date = try? member.date() {
                changes[field] = .date(date.milliseconds)
            } else {
                throw member.failure("has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z, or now, or null")
            }
        }
    }

    /// Returns whether the date of a field is set or cleared.
    func sets(_ field: MessageField) -> Bool { changes[field] != nil }

    /// Returns the dates with the changes applied.
    func applied(to dates: PersonalDates, at now: Date) -> PersonalDates {
        PersonalDates { field in
            switch changes[field] {
            case nil: dates[field]
            case .some(.none): nil
            case .now: dates[field] ?? now.milliseconds
            case .date(let date): date
            }
        }
    }
}
