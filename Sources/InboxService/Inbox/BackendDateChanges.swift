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

    private var changes: [Int: Change] = [:]

    /// The fields that a backend may set. Snoozing and deletion, which are reversible, are reserved to the person.
    package static let fields: [MessageField] = [.seenAt, .readAt, .archivedAt]
    /// The JSON value for the time of the request. It doesn't replace an existing date.
    package static let now = "now"

    /// Reads and validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid member.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(Set(Self.fields.map(\.rawValue)))
        for (index, field) in MessageField.personal.enumerated() where reader.value[field.rawValue] != nil {
            guard let member = reader.member(field.rawValue) else {
                changes[index] = Change.none
                continue
            }
            if member.value == .string(Self.now) {
                changes[index] = .now
            } else if let date = try? member.date() {
                changes[index] = .date(date.milliseconds)
            } else {
                throw member.failure("has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z, or now, or null")
            }
        }
    }

    /// Returns whether the date at an index of ``MessageField/personal`` is set or cleared.
    func sets(_ index: Int) -> Bool { changes[index] != nil }

    /// Returns the dates with the changes applied, in the order of ``MessageField/personal``.
    func applied(to dates: [Int?], at now: Date) -> [Int?] {
        dates.enumerated().map { index, date in
            switch changes[index] {
            case nil: date
            case .some(.none): nil
            case .now: date ?? now.milliseconds
            case .date(let date): date
            }
        }
    }
}
